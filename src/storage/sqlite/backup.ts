import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { backup, DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { StorageTaskError } from '../database/storage-errors.ts';
import { requireReadable } from '../migrate.ts';
import { connect } from './connect.ts';
import { sqliteFailure } from './errors.ts';
import { DATABASE_FILE, requireFile } from './open.ts';

const OWNER_READS_AND_WRITES = 0o600;
/** Number of pages of a step: 4 MiB. */
const PAGES_OF_A_STEP = 1024;
/** The suffixes of the files that SQLite creates beside a database. */
const BESIDE = ['-journal', '-wal', '-shm'];

const DATA_FILES = [
  DATABASE_FILE,
  ...BESIDE.map((suffix) => DATABASE_FILE + suffix),
  'service.lock',
  'admin.token',
  'events.key',
];

export interface BackupOrder {
  readonly dataDir: string;
  /** The path of the backup. */
  readonly file: string;
  /** True if an existing file is replaced. */
  readonly replaces: boolean;
  /** Ends the backup after the step at hand; nothing is left behind. */
  readonly signal: AbortSignal;
  progress(done: number, total: number): void;
}

interface SchemaVersion {
  readonly version: number;
  readonly oldest_reader: number;
}

function fail(message: string, cause?: unknown): never {
  throw new StorageTaskError(message, { cause });
}

const isThere = (file: string) => `${file} already exists. Name another file, or replace it with --force.`;

/** Refuses a path where a backup would destroy something, or be mistaken for something else. */
function requirePlace(file: string, { dataDir, replaces }: BackupOrder): void {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found?.isDirectory()) fail(`${file} is a folder. Name a file.`);
  const isOfStore = realpathSync(dirname(file)) === realpathSync(dataDir);
  if (isOfStore && DATA_FILES.includes(basename(file))) {
    fail(`${file} is a file of the store itself. Name another one.`);
  }
  // SQLite would take such a file for changes to the backup.
  const beside = BESIDE.map((suffix) => file + suffix).find((path) => existsSync(path));
  if (beside !== undefined) fail(`${beside} exists: a database ${file} is or was in use. Name another file.`);
  if (found === undefined) return;
  if (!replaces) fail(isThere(file));
  if (!found.isFile()) fail(`${file} is not a regular file. Name another one.`);
}

function schemaVersion(database: DatabaseSyncInstance): SchemaVersion {
  const tables = database.prepare("select 1 from sqlite_master where name = 'schema_version'").all();
  if (tables.length === 0) fail('The database is empty: there is nothing to back up.');
  const [row] = database.prepare('select version, oldest_reader from schema_version').all();
  return row as SchemaVersion;
}

/**
 * Copies the pages of one snapshot. An open transaction holds the snapshot: without it SQLite would restart after
 * every write, and never finish under constant load. It does not block writers, because the database uses a
 * write-ahead log.
 */
async function copyPages(
  source: DatabaseSyncInstance,
  part: string,
  order: BackupOrder,
): Promise<SchemaVersion> {
  source.exec('begin');
  try {
    const version = schemaVersion(source);
    requireReadable(version);
    await backup(source, part, {
      rate: PAGES_OF_A_STEP,
      progress({ totalPages, remainingPages }) {
        order.signal.throwIfAborted();
        order.progress(totalPages - remainingPages, totalPages);
      },
    });
    return version;
  } finally {
    source.exec('rollback');
  }
}

/** Turns the copy into a single self-contained file, and checks that it is intact and complete. */
function check(part: string, expected: SchemaVersion): void {
  const copy = new DatabaseSync(part);
  try {
    copy.exec('pragma journal_mode = delete');
    const rows = copy.prepare('pragma quick_check(1)').all() as { quick_check: string }[];
    const isSound = rows[0]?.quick_check === 'ok' && schemaVersion(copy).version === expected.version;
    if (!isSound) fail('The copy is corrupt, and the database itself may be too. The copy was removed.');
  } finally {
    copy.close();
  }
}

function makeDurable(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Links the file to a new name, which must not exist.
 * @returns true if the file system supports links
 */
function linkUnlessThere(part: string, file: string): boolean {
  try {
    linkSync(part, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') fail(isThere(file));
    return false;
  }
}

/** Gives the finished copy its name atomically; without `replaces`, never overwrites a file created meanwhile. */
function publish(part: string, file: string, replaces: boolean): void {
  if (replaces || !linkUnlessThere(part, file)) renameSync(part, file);
  try {
    makeDurable(dirname(file));
  } catch (error) {
    rmSync(file);
    throw error;
  }
}

function explain(error: unknown, file: string): unknown {
  const { errcode, syscall, message } = error as { errcode?: unknown; syscall?: unknown; message: string };
  const trouble = sqliteFailure(typeof errcode === 'number' ? { sqliteCode: errcode } : error);
  if (trouble === undefined && typeof syscall !== 'string') return error;
  const reason = trouble === undefined ? message : `the file or the database is ${trouble}`;
  return new StorageTaskError(`The backup ${file} cannot be created: ${reason}. Nothing was kept.`, {
    cause: error,
  });
}

async function writeBackup(source: DatabaseSyncInstance, file: string, order: BackupOrder): Promise<void> {
  const part = `${file}.${randomBytes(4).toString('hex')}.part`;
  closeSync(openSync(part, 'wx', OWNER_READS_AND_WRITES));
  try {
    const version = await copyPages(source, part, order);
    order.signal.throwIfAborted();
    check(part, version);
    makeDurable(part);
    publish(part, file, order.replaces);
  } finally {
    for (const suffix of ['', ...BESIDE]) rmSync(part + suffix, { force: true });
  }
}

/**
 * Backs up the embedded database to one file of mode 0600, while others read and write. The file holds everything
 * committed before, and no partial transaction. On return, the file is checked and on disk.
 * @returns the size of the file in bytes
 * @throws StorageTaskError or StorageOpenError with a one-line message; nothing is left behind then
 */
export async function backUp(order: BackupOrder): Promise<number> {
  const file = resolve(order.file);
  let source: DatabaseSyncInstance | undefined;
  try {
    source = connect(requireFile(order.dataDir));
    requirePlace(file, order);
    await writeBackup(source, file, order);
    return statSync(file).size;
  } catch (error) {
    throw explain(error, file);
  } finally {
    source?.close();
  }
}
