import { accessSync, closeSync, constants, existsSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { DamagedStore } from '../../model/errors.ts';
import { type MetricsRecorder, NO_METRICS } from '../../model/metrics/metrics-recorder.ts';
import { pipelined } from '../../runtime/pipelined.ts';
import type { Database } from '../database/database.ts';
import { kyselyOver } from '../database/kysely-over.ts';
import { indexSome, isBehind, mergeSome } from '../database/name-search-sqlite.ts';
import type { Schema } from '../database/schema.ts';
import { StorageOpenError } from '../database/storage-errors.ts';
import { migrate, type Prepare } from '../migrate.ts';
import { commandReads } from './command-reads.ts';
import { connect } from './connect.ts';
import { SqliteConnection } from './connection.ts';
import { sqliteFailure } from './errors.ts';
import { groupCommit } from './group-commit.ts';
import { LargeTransactions } from './large-transactions.ts';
import { type FileReads, readerThreads } from './reader-threads.ts';
import { Snapshots } from './snapshots.ts';
import { fileFaults, hasLog, Soundness, type SoundnessReports } from './soundness.ts';

export const DATABASE_FILE = 'zonewarden.db';
const OWNER_READS_AND_WRITES = 0o600;
const WRITE_BITS = 0o222;

interface FileConnections {
  readonly file: string;
  readonly reader: SqliteConnection;
  readonly writer: SqliteConnection;
  /** Opens another connection. */
  open(): SqliteConnection;
  /** For long reads. */
  readonly long: FileReads;
  /** Set for a file that a service has opened. */
  readonly soundness?: Soundness;
}

interface Timeouts {
  /** How long a write waits for another process, in milliseconds. */
  readonly busyTimeoutMs: number;
  /** The time limit of one statement of a long read, in milliseconds. */
  readonly readTimeoutMs: number;
}

/**
 * The path of the database in a data folder.
 * @throws StorageOpenError if there is none
 */
export function requireFile(dataDir: string): string {
  const file = join(dataDir, DATABASE_FILE);
  try {
    accessSync(file, constants.R_OK);
    return file;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'EPERM') {
      throw new StorageOpenError(
        `The database ${file} cannot be read: ${message}. Run the command as the user of the service.`,
      );
    }
    throw new StorageOpenError(
      `There is no database ${file}. Check the folder, or run "zonewarden serve" to create one.`,
    );
  }
}

/** Creates the file if it is missing, with access only for its owner. SQLite's other files get its mode. */
function ensureFile(file: string): void {
  if (existsSync(file)) return;
  try {
    closeSync(openSync(file, 'a', OWNER_READS_AND_WRITES));
  } catch (error) {
    throw new StorageOpenError(
      `The database ${file} cannot be created: ${(error as Error).message}. Check the folder and its permissions.`,
    );
  }
}

function requireWritable(file: string): void {
  // Root may write despite the mode, but a file marked read-only must not be written.
  if (existsSync(file) && (statSync(file).mode & WRITE_BITS) === 0) {
    throw new StorageOpenError(`The database ${file} is read-only. Make it writable for the service's user.`);
  }
}

function explain(error: unknown, file: string): unknown {
  if ((error as { cause?: unknown } | null)?.cause instanceof DamagedStore) {
    return new StorageOpenError(`The database ${file} is corrupt. Restore it from a backup.`);
  }
  const cause = (error as { cause?: { cause?: unknown } } | null)?.cause?.cause ?? error;
  const trouble = sqliteFailure(cause);
  if (trouble === undefined) return error;
  return new StorageOpenError(
    `The database ${file} cannot be opened: it is ${trouble}. Check the file, its permissions, and what else uses it.`,
    { cause: error },
  );
}

function readsOf(connection: SqliteConnection): Kysely<Schema> {
  return kyselyOver('sqlite', async (query) => connection.run(query));
}

/**
 * Short reads. Each commit empties the cache of every connection but the one that made it, so they run there, unless it
 * is in a transaction.
 */
function shortReads({ reader, writer }: Pick<FileConnections, 'reader' | 'writer'>): Kysely<Schema> {
  return kyselyOver('sqlite', async (query) => (writer.isInTransaction ? reader : writer).run(query));
}

/**
 * Uses one connection for writes, another one for short reads meanwhile, one for each snapshot, those of long reads, and a thread
 * with its own connection for large transactions.
 */
export function databaseOver(
  { file, reader, writer, open, long, soundness }: FileConnections,
  { busyTimeoutMs }: Pick<Timeouts, 'busyTimeoutMs'>,
  meter: Pick<MetricsRecorder, 'groupCommitted'> = NO_METRICS,
): Database {
  const large = new LargeTransactions(file, busyTimeoutMs);
  const transactions = groupCommit(writer, large, busyTimeoutMs, meter);
  const snapshots = new Snapshots(open);
  const snapshot: Database['snapshot'] = (work) => snapshots.run(readsOf, work);
  const short = shortReads({ reader, writer });
  const transaction: Database['transaction'] = async (work, projectId) => {
    if (soundness !== undefined && soundness.gate.state !== 'open') await soundness.gate.pass();
    return transactions.run(work, projectId);
  };
  return {
    reader: short,
    longReads: long.reads,
    transaction,
    snapshot,
    atOneState: snapshot,
    fileFaults: async () => fileFaults(open()),
    nameIndex: {
      isBehind: () => isBehind(short),
      async catchUp() {
        const more = await transaction(({ now }) => indexSome(now));
        await transaction(({ now }) => mergeSome(now));
        return { more };
      },
    },
    // Migrations have created them.
    recordsetIndexes: { isBehind: async () => false, catchUp: async () => ({ more: false }) },
    writeState: () => soundness?.gate.state ?? 'open',
    endCheck: () => soundness?.endCheck(),
    async close() {
      // A client that disconnects does not wait for its transaction, so one may still be running.
      await pipelined(transactions.end(), long.close());
      await large.close();
      snapshots.close();
      reader.close();
      await soundness?.end(writer, busyTimeoutMs).catch(() => {
        // The file then counts as not closed cleanly.
      });
      writer.close();
    },
  };
}

/**
 * Opens the embedded database in the data folder, and creates or migrates it if needed.
 * @param service set for a service: checks the file, refuses one that is corrupt or not writable, and runs long reads in threads
 * @param prepare brings the schema up to date
 * @throws StorageOpenError with a one-line message
 */
export async function openSqlite(
  settings: { readonly dataDir: string } & Timeouts,
  service: SoundnessReports | undefined,
  prepare: Prepare = migrate,
  meter: Pick<MetricsRecorder, 'groupCommitted'> = NO_METRICS,
): Promise<Database> {
  const file = join(settings.dataDir, DATABASE_FILE);
  try {
    requireWritable(file);
    ensureFile(file);
    const hadLog = hasLog(file);
    const open = () => new SqliteConnection(connect(file));
    const writer = open();
    const soundness = service && new Soundness(file, service);
    const long = (service === undefined ? commandReads : readerThreads)(file, settings.readTimeoutMs);
    const connections = { file, reader: open(), writer, open, long, ...(soundness && { soundness }) };
    const database = databaseOver(connections, settings, meter);
    soundness?.begin(writer, hadLog);
    // Not in a group commit: other writes may have to wait for the check, and this one must not.
    await soundness?.markOpen(writer, settings.busyTimeoutMs);
    await prepare(database);
    return database;
  } catch (error) {
    throw explain(error, file);
  }
}
