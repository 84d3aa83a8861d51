import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { Kysely, sql } from 'kysely';
import type { Store } from '../domain/ports.ts';
import { StorageOpenError, sqliteTrouble } from './errors.ts';
import { migrate, requireWrites } from './migrate.ts';
import type { Schema } from './schema.ts';
import { sqliteDialect } from './sqlite-driver.ts';
import { storeOver } from './store.ts';

export interface StorageSettings {
  readonly dataDir: string;
  /** How long a write waits for another process, in milliseconds. */
  readonly busyTimeoutMs: number;
}

export const DATABASE = 'zonewarden.db';
const OWNER_ONLY = 0o700;
const OWNER_READS_AND_WRITES = 0o600;
const WRITE_BITS = 0o222;
const BITS_OF_OTHERS = 0o077;

/** Makes the data folder, readable by its owner alone, where it is missing. */
export function ensureDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: OWNER_ONLY });
  } catch (error) {
    throw new StorageOpenError(
      `The data folder ${dataDir} cannot be made: ${(error as Error).message}. Check data_dir and its permissions.`,
    );
  }
}

/** What of the data folder others than its owner have access to: the folder itself or its database. */
export function openToOthers(dataDir: string): readonly string[] {
  return [dataDir, join(dataDir, DATABASE)].filter(
    (path) => existsSync(path) && (statSync(path).mode & BITS_OF_OTHERS) !== 0,
  );
}

/** Makes the file, for its owner alone, where it is missing. The files that SQLite puts beside it take its mode. */
function ensureFile(file: string): void {
  if (existsSync(file)) return;
  try {
    closeSync(openSync(file, 'a', OWNER_READS_AND_WRITES));
  } catch (error) {
    throw new StorageOpenError(
      `The database ${file} cannot be made: ${(error as Error).message}. Check the folder and its permissions.`,
    );
  }
}

export function connect(file: string): DatabaseSyncInstance {
  const database = new DatabaseSync(file, { timeout: 1000 });
  try {
    // journal_mode is kept in the file; the others hold for the connection. LIKE must know letter case, as in PostgreSQL.
    database.exec('pragma journal_mode = wal');
    database.exec('pragma synchronous = full; pragma case_sensitive_like = on; pragma trusted_schema = off');
    // 64 MiB at the most: keys are random, so that with the usual 2 MiB a large import waits for the disk at each row.
    database.exec('pragma cache_size = -65536');
    database.exec('pragma busy_timeout = 0');
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

function requireWritable(file: string): void {
  // Root may write whatever the mode says; who marked the file read-only did not mean that.
  if (existsSync(file) && (statSync(file).mode & WRITE_BITS) === 0) {
    throw new StorageOpenError(`The database ${file} is read-only. Make it writable for the service's user.`);
  }
}

function requireSound(database: DatabaseSyncInstance, file: string): void {
  const rows = database.prepare('pragma quick_check(1)').all() as { quick_check: string }[];
  if (rows[0]?.quick_check === 'ok') return;
  throw new StorageOpenError(`The database ${file} is corrupt. Restore it from a backup.`);
}

function explain(error: unknown, file: string): unknown {
  const cause = (error as { cause?: { cause?: unknown } } | null)?.cause?.cause ?? error;
  const trouble = sqliteTrouble(cause);
  if (trouble === undefined) return error;
  return new StorageOpenError(
    `The database ${file} cannot be opened: it is ${trouble}. Check the file, its permissions and who else uses it.`,
    { cause: error },
  );
}

/**
 * Opens the embedded database in the data folder, making and migrating it where needed.
 * @param isService reads every page once and tries a write, to refuse a file that is corrupt or cannot be written
 *   before anything is answered from it
 * @throws StorageOpenError with one line that says what is wrong
 */
export async function openStore(settings: StorageSettings, isService = false): Promise<Store> {
  ensureDataDir(settings.dataDir);
  const file = join(settings.dataDir, DATABASE);
  try {
    requireWritable(file);
    ensureFile(file);
    const writing = connect(file);
    const writer = new Kysely<Schema>({ dialect: sqliteDialect(writing, settings.busyTimeoutMs) });
    if (isService) requireSound(writing, file);
    await migrate(writer);
    if (isService) await requireWrites(writer);
    const reader = new Kysely<Schema>({ dialect: sqliteDialect(connect(file), settings.busyTimeoutMs) });
    // Kysely closes only what it has used: an open reader would keep the write-ahead log from being taken in.
    await sql`select 1`.execute(reader);
    return storeOver(reader, writer);
  } catch (error) {
    throw explain(error, file);
  }
}
