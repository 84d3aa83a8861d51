import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { type MetricsRecorder, NO_METRICS } from '../../model/metrics/metrics-recorder.ts';
import { pipelined } from '../../runtime/pipelined.ts';
import type { Database } from '../database/database.ts';
import { LOCK_NOT_AVAILABLE } from '../database/postgres-errors.ts';
import { reasonOf, StorageOpenError } from '../database/storage-errors.ts';
import { migrate, type Prepare } from '../migrate.ts';
import { nameIndexOf } from './name-index.ts';
import { ConnectionPool, type PoolMeter } from './pool.ts';
import { recordsetIndexesOf } from './recordset-index.ts';
import type { PostgresSettings } from './settings.ts';
import { longReadsOn, readerOver, snapshotsOver, transactionsOver } from './transactions.ts';

const DAY_MS = 86_400_000;
const LOCK_OF_A_MIGRATION_MS = 2000;
const PAUSE_MS = 500;
const CANNOT_CONNECT_NOW = '57P03';

/** @param transfers the connections of the hidden primary, so that slow name servers do not delay requests */
function databaseOver(pool: ConnectionPool, transfers: ConnectionPool, settings: PostgresSettings): Database {
  return {
    reader: readerOver(pool),
    longReads: longReadsOn(pool),
    transaction: transactionsOver(pool),
    snapshot: snapshotsOver(pool),
    atOneState: snapshotsOver(transfers),
    fileFaults: async () => [],
    writeState: () => 'open',
    endCheck() {},
    nameIndex: nameIndexOf(pool, settings),
    recordsetIndexes: recordsetIndexesOf(pool, settings),
    async close() {
      await pipelined(pool.close(), transfers.close());
    },
  };
}

/** True if a failure is temporary: the tables are locked, or the server is starting. */
function willPass(error: unknown, waitsUntil: number): boolean {
  const { cause } = error as Error;
  if (!(cause instanceof pg.DatabaseError)) return false;
  if (cause.code === LOCK_NOT_AVAILABLE) return true;
  return cause.code === CANNOT_CONNECT_NOW && performance.now() < waitsUntil;
}

/**
 * Prepares the schema. A migration may take long, and may wait long for another process's migration, but each single
 * lock wait is short: every session that needs the table later queues behind a waiting `alter table`.
 */
async function withoutHaste(settings: PostgresSettings, prepare: Prepare): Promise<void> {
  const waitsUntil = performance.now() + settings.startTimeoutMs;
  const pool = new ConnectionPool(
    { ...settings, poolSize: 1, statementTimeoutMs: DAY_MS },
    LOCK_OF_A_MIGRATION_MS,
  );
  const isOver = () =>
    prepare(databaseOver(pool, pool, settings)).then(
      () => true,
      (error) => {
        if (willPass(error, waitsUntil)) return false;
        throw error;
      },
    );
  try {
    while (!(await isOver())) await sleep(PAUSE_MS);
  } finally {
    await pool.close();
  }
}

/** @throws StorageOpenError if the database cannot hold every text */
async function requireUnicode({ reader }: Database, place: string): Promise<void> {
  const { rows } = await sql<{ encoding: string }>`
    select current_setting('server_encoding') as encoding`.execute(reader);
  const encoding = rows[0]?.encoding;
  if (encoding === 'UTF8') return;
  throw new StorageOpenError(
    `${place} has the encoding ${encoding}, and must have UTF8. Create it with: create database NAME encoding 'UTF8' template template0.`,
  );
}

/**
 * Opens a PostgreSQL database, and migrates it if needed.
 * @param prepare brings the schema up to date
 * @throws StorageOpenError with a one-line message
 */
export async function openPostgres(
  settings: PostgresSettings,
  lockTimeoutMs: number,
  prepare: Prepare = migrate,
  meter: PoolMeter & Pick<MetricsRecorder, 'watchPool'> = NO_METRICS,
): Promise<Database> {
  const pool = new ConnectionPool(settings, lockTimeoutMs, meter);
  const transfers = new ConnectionPool({ ...settings, poolSize: settings.transferPoolSize }, lockTimeoutMs);
  try {
    await withoutHaste(settings, async (database) => {
      await requireUnicode(database, pool.place);
      await prepare(database);
    });
    meter.watchPool('requests', () => pool.load);
    meter.watchPool('transfers', () => transfers.load);
    return databaseOver(pool, transfers, settings);
  } catch (error) {
    await pipelined(pool.close(), transfers.close());
    if (error instanceof StorageOpenError) throw error;
    throw new StorageOpenError(
      `${pool.place} cannot be used: ${reasonOf(error)}. Check [storage] connection and the server.`,
      { cause: error },
    );
  }
}
