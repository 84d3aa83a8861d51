import { setTimeout as sleep } from 'node:timers/promises';
import type { CompiledQuery, Kysely, QueryResult } from 'kysely';
import type { LongReads, OpenTransaction } from '../database/database.ts';
import { kyselyOver } from '../database/kysely-over.ts';
import { type Lane, longReadsOver, ReadEnded } from '../database/long-reads.ts';
import { asRefusal, failureKindOf, isCancelled, type PostgresFailure } from '../database/postgres-failure.ts';
import type { Schema } from '../database/schema.ts';
import type { ConnectionPool } from './pool.ts';
import type { PostgresSession } from './session.ts';
import { SharedReads } from './shared-reads.ts';

/** Maximum retries after conflicts. */
const MAX_CONFLICTS = 10;
const MAX_DUPLICATES = 1;
/** Maximum retries after lost connections: several connections of the pool may have ended together. */
const MAX_LOSSES = 3;
/** Maximum number of statements of one transaction for which a pooler may hold an invalid plan. */
const MAX_STALE = 20;
const LONGEST_PAUSE_MS = 100;

/** A growing backoff, with jitter so that it differs from that of the conflicting transaction. */
function pause(attempt: number): Promise<void> {
  return sleep(Math.random() * Math.min(2 ** attempt, LONGEST_PAUSE_MS));
}

/** Decides after each failure whether to retry the work. */
function patience(pool: ConnectionPool): (failed: PostgresFailure) => boolean {
  const lastStart = performance.now() + pool.patienceMs;
  // A migration may invalidate the prepared statements of every connection.
  const left: Partial<Record<PostgresFailure, number>> = {
    conflict: MAX_CONFLICTS,
    duplicate: MAX_DUPLICATES,
    lost: MAX_LOSSES,
    stale: pool.size + MAX_STALE,
  };
  return (failed) => {
    const more = left[failed] ?? 0;
    left[failed] = more - 1;
    return more > 0 && performance.now() <= lastStart;
  };
}

/**
 * Retries the work while that may help and the time limit allows it.
 * @throws what the work throws, and finally `storage_unavailable`
 */
async function withRetries<T>(pool: ConnectionPool, work: () => Promise<T>): Promise<T> {
  const mayRetry = patience(pool);
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const failed = failureKindOf(error);
      if (!mayRetry(failed)) throw asRefusal(error);
      pool.meter.retried(failed);
      if (failed !== 'stale') await pause(attempt);
    }
  }
}

async function untilCommit<T>(session: PostgresSession, work: () => Promise<T>): Promise<T> {
  let result: T;
  try {
    result = await work();
  } catch (error) {
    await session.rollback();
    throw error;
  }
  await session.commit();
  return result;
}

/** Whole transactions, retried after conflicts and lost connections. */
export function transactionsOver(pool: ConnectionPool) {
  return <T>(work: (tx: OpenTransaction) => Promise<T>, projectId?: string): Promise<T> =>
    withRetries(pool, () =>
      pool.use((session) => {
        session.begin();
        return untilCommit(session, () => work(session));
      }, projectId),
    );
}

/** Reads in one snapshot. They are not retried: the first results may already have been sent. */
export function snapshotsOver(pool: ConnectionPool) {
  return async <T>(work: (db: Kysely<Schema>) => Promise<T>): Promise<T> => {
    try {
      return await pool.use((session) => {
        session.beginSnapshot();
        return untilCommit(session, () => work(session.now));
      });
    } catch (error) {
      throw asRefusal(error);
    }
  };
}

/** A fraction of the pool: the rest is for writes and short reads. */
function shareOf(pool: ConnectionPool, part: number): number {
  return Math.max(1, Math.floor(pool.size / part));
}

/** Long reads, each in a transaction that ends it at its time limit. */
export function longReadsOn(pool: ConnectionPool): LongReads {
  const run = (query: CompiledQuery, _lane: Lane, timeoutMs: number): Promise<QueryResult<never>> =>
    withRetries(pool, async () => {
      try {
        return await pool.use((session) => session.readWithin(query, timeoutMs));
      } catch (error) {
        throw isCancelled(error) ? new ReadEnded(undefined, { cause: error }) : error;
      }
    });
  const places = { quick: shareOf(pool, 4), slow: shareOf(pool, 8) };
  return longReadsOver({ kind: 'postgresql', places, timeoutMs: pool.readTimeoutMs, run });
}

/** Single reads, on any free connections. */
export function readerOver(pool: ConnectionPool): Kysely<Schema> {
  const shared = new SharedReads(pool);
  return kyselyOver(
    'postgresql',
    (query: CompiledQuery): Promise<QueryResult<never>> =>
      withRetries(pool, () => shared.run((session) => session.read(query))),
  );
}
