import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { CACHE_KIB } from '../database/writer-cache.ts';

/** Runs pragmas on a new connection, and closes it if one fails. */
function withSettings(database: DatabaseSyncInstance, pragmas: readonly string[]): DatabaseSyncInstance {
  try {
    for (const pragma of pragmas) database.exec(`pragma ${pragma}`);
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

/** LIKE must be case-sensitive, as in PostgreSQL. */
const COMMON = ['case_sensitive_like = on', 'trusted_schema = off'];

/** A connection that reads and writes. */
export function connect(file: string): DatabaseSyncInstance {
  // journal_mode is stored in the file; the rest is per connection.
  return withSettings(new DatabaseSync(file, { timeout: 1000 }), [
    'journal_mode = wal',
    'synchronous = full',
    ...COMMON,
    `cache_size = -${CACHE_KIB}`,
    'busy_timeout = 0',
  ]);
}

/** A read-only connection of a thread, with at most 16 MiB of cache. */
export function connectForReads(file: string): DatabaseSyncInstance {
  const database = new DatabaseSync(file, { timeout: 1000, readOnly: true });
  return withSettings(database, [...COMMON, 'cache_size = -16384']);
}
