import type { CompiledQuery, QueryResult } from 'kysely';
import { DomainError } from '../../model/errors.ts';
import { NoPermit, Semaphore } from '../../runtime/semaphore.ts';
import type { LongReads } from './database.ts';
import { kyselyOver } from './kysely-over.ts';

/** Time limit in the quick lane, in milliseconds: a read that ends within it never waits for a slower one. */
const QUICK_MS = 250;
/** Maximum number of long reads of one project, running and waiting. */
const MAX_OF_PROJECT = 100;

/** A statement was ended at its time limit. */
export class ReadEnded extends Error {}

export type Lane = 'quick' | 'slow';

export interface LongReadSettings {
  readonly kind: 'sqlite' | 'postgresql';
  /** Number of concurrent statements in each lane. */
  readonly places: Readonly<Record<Lane, number>>;
  /** The time limit of a statement, in milliseconds. */
  readonly timeoutMs: number;
  /** Runs one statement. Throws ReadEnded at the time limit. */
  run(query: CompiledQuery, lane: Lane, timeoutMs: number): Promise<QueryResult<never>>;
}

function asRefusal(error: unknown): unknown {
  if (error instanceof ReadEnded) return new DomainError('slow_read', undefined, { cause: error });
  if (error instanceof NoPermit) return new DomainError('too_many_reads', undefined, { cause: error });
  return error;
}

/**
 * Runs reads whose cost is not known in advance, so that they delay neither other requests nor each other. Each read
 * first runs in the quick lane. If it takes too long, it is ended and restarted in the slow lane, where projects take
 * turns; while a project has a read in the slow lane, its other reads go straight there.
 * @returns reads that throw `slow_read` at the time limit, and `too_many_reads`
 */
export function longReadsOver({ kind, places, timeoutMs, run }: LongReadSettings): LongReads {
  // Another project's read may use its full time before this one's turn.
  const waitMs = 2 * timeoutMs;
  const lane = (permits: number) => new Semaphore({ permits, pendingPerOwner: MAX_OF_PROJECT, waitMs });
  const quick = lane(places.quick);
  const slow = lane(places.slow);

  /** The result, or undefined if the read takes too long for this lane. */
  async function tryQuickly(
    query: CompiledQuery,
    onBehalfOf: string,
  ): Promise<QueryResult<never> | undefined> {
    if (slow.has(onBehalfOf)) return undefined;
    try {
      // Another read of the project may have moved to the slow lane while this one waited.
      return await quick.run(onBehalfOf, async () =>
        slow.has(onBehalfOf) ? undefined : run(query, 'quick', Math.min(QUICK_MS, timeoutMs)),
      );
    } catch (error) {
      if (error instanceof ReadEnded) return undefined;
      throw error;
    }
  }

  async function read(query: CompiledQuery, onBehalfOf: string): Promise<QueryResult<never>> {
    try {
      return (
        (await tryQuickly(query, onBehalfOf)) ??
        (await slow.run(onBehalfOf, () => run(query, 'slow', timeoutMs)))
      );
    } catch (error) {
      throw asRefusal(error);
    }
  }

  return (onBehalfOf) => kyselyOver(kind, (query) => read(query, onBehalfOf));
}
