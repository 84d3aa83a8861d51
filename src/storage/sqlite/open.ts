import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { Kysely, sql } from 'kysely';
import type { Database } from '../database.ts';
import { migrate, type Prepare, requireWrites } from '../migrate.ts';
import type { Schema } from '../schema.ts';
import { StorageOpenError } from '../storage-open-error.ts';
import { sqliteDialect } from './driver.ts';
import { sqliteTrouble } from './errors.ts';
import { groupCommit } from './group-commit.ts';

export const DATABASE_FILE = 'zonewarden.db';
const OWNER_READS_AND_WRITES = 0o600;
const WRITE_BITS = 0o222;

/**
 * The database of a data folder.
 * @throws StorageOpenError when there is none
 */
export function requireFile(dataDir: string): string {
  const file = join(dataDir, DATABASE_FILE);
  if (existsSync(file)) return file;
  throw new StorageOpenError(`There is no database ${file}. Check the folder.`);
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

/** A connection with the settings that all of them have. */
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

/** One connection that reads what is committed, and one that writes. */
export function databaseOver(reader: Kysely<Schema>, writer: Kysely<Schema>): Database {
  const commit = groupCommit(writer);
  return {
    reader,
    transaction: (work) => commit((tx) => work({ now: tx, later: tx })),
    snapshot: (work) =>
      reader.connection().execute(async (db) => {
        // A transaction that only reads takes no lock: it sees what was committed when it first read.
        await sql`begin`.execute(db);
        try {
          return await work(db);
        } finally {
          await sql`rollback`.execute(db);
        }
      }),
    async close() {
      await reader.destroy();
      await writer.destroy();
    },
  };
}

/**
 * Opens the embedded database in the data folder, making and migrating it where needed.
 * @param isService reads every page once and tries a write, to refuse a file that is corrupt or cannot be written
 *   before anything is answered from it
 * @param prepare brings the schema up to date
 * @throws StorageOpenError with one line that says what is wrong
 */
export async function openSqlite(
  settings: { readonly dataDir: string; readonly busyTimeoutMs: number },
  isService: boolean,
  prepare: Prepare = migrate,
): Promise<Database> {
  const file = join(settings.dataDir, DATABASE_FILE);
  try {
    requireWritable(file);
    ensureFile(file);
    const writing = connect(file);
    const writer = new Kysely<Schema>({ dialect: sqliteDialect(writing, settings.busyTimeoutMs) });
    const reader = new Kysely<Schema>({ dialect: sqliteDialect(connect(file), settings.busyTimeoutMs) });
    const database = databaseOver(reader, writer);
    if (isService) requireSound(writing, file);
    await prepare(database);
    if (isService) await requireWrites(database);
    // Kysely closes only what it has used: an open reader would keep the write-ahead log from being taken in.
    await sql`select 1`.execute(reader);
    return database;
  } catch (error) {
    throw explain(error, file);
  }
}
