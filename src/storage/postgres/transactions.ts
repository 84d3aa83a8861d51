import { setTimeout as sleep } from 'node:timers/promises';
import type { CompiledQuery, Kysely, QueryResult } from 'kysely';
import type { OpenTransaction } from '../database.ts';
import { kyselyOver } from '../kysely-over.ts';
import type { Schema } from '../schema.ts';
import type { Pool } from './pool.ts';
import type { Session } from './session.ts';
import { asRefusal, type Trouble, troubleOf } from './trouble.ts';

/** How often work is done again that others were in the way of. */
const MOST_CONFLICTS = 10;
/** How often work is done again whose connection was lost: the pool may hold several that ended together. */
const MOST_LOSSES = 3;
const LONGEST_PAUSE_MS = 100;

/** A pause that grows, and differs from that of whoever was in the way. */
function pause(attempt: number): Promise<void> {
  return sleep(Math.random() * Math.min(2 ** attempt, LONGEST_PAUSE_MS));
}

/** Says, failure by failure, whether the work may be done again. */
function patience(pool: Pool): (trouble: Trouble) => boolean {
  const lastStart = performance.now() + pool.patienceMs;
  // A migration may make what was prepared invalid on every connection that there is.
  const left: Partial<Record<Trouble, number>> = {
    conflict: MOST_CONFLICTS,
    lost: MOST_LOSSES,
    stale: pool.size,
  };
  return (trouble) => {
    const more = left[trouble] ?? 0;
    left[trouble] = more - 1;
    return more > 0 && performance.now() <= lastStart;
  };
}

/**
 * Does the work again where that may help, and nobody has waited for too long already.
 * @throws what the work throws, and `storage_unavailable` in the end
 */
async function withRetries<T>(pool: Pool, work: () => Promise<T>): Promise<T> {
  const mayGoOn = patience(pool);
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const trouble = troubleOf(error);
      if (!mayGoOn(trouble)) throw asRefusal(error);
      if (trouble !== 'stale') await pause(attempt);
    }
  }
}

async function untilCommit<T>(session: Session, work: () => Promise<T>): Promise<T> {
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

/** Whole transactions, done again on conflicts and lost connections. */
export function transactionsOver(pool: Pool) {
  return <T>(work: (tx: OpenTransaction) => Promise<T>): Promise<T> =>
    withRetries(pool, () =>
      pool.use((session) => {
        session.begin();
        return untilCommit(session, () => work(session));
      }),
    );
}

/** Reads that all see one state. They are not done again: what was read first may have been told already. */
export function snapshotsOver(pool: Pool) {
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

/** Single reads, each on whatever connection is free. */
export function readerOver(pool: Pool): Kysely<Schema> {
  return kyselyOver(
    'postgresql',
    (query: CompiledQuery): Promise<QueryResult<never>> =>
      withRetries(pool, () => pool.use((session) => session.read(query))),
  );
}
