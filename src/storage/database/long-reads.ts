import type { CompiledQuery, QueryResult } from 'kysely';
import { DomainError } from '../../model/errors.ts';
import { FairTurns, NoTurn } from '../../runtime/fair-turns.ts';
import type { LongReads } from './database.ts';
import { kyselyOver } from './kysely-over.ts';

/** A read that ends within this time never waits for one that does not, in milliseconds. */
const QUICK_MS = 250;
/** How many long reads of one project may run and wait. */
const MOST_OF_PROJECT = 100;

/** A statement has reached its time limit and was ended. */
export class ReadEnded extends Error {}

export type Lane = 'quick' | 'slow';

export interface LongReadSettings {
  readonly kind: 'sqlite' | 'postgresql';
  /** How many statements run at once in each lane. */
  readonly places: Readonly<Record<Lane, number>>;
  /** The time limit of a statement, in milliseconds. */
  readonly timeoutMs: number;
  /** Runs one statement. Throws ReadEnded at the time limit. */
  run(query: CompiledQuery, lane: Lane, timeoutMs: number): Promise<QueryResult<never>>;
}

function asRefusal(error: unknown): unknown {
  if (error instanceof ReadEnded) return new DomainError('slow_read', undefined, { cause: error });
  if (error instanceof NoTurn) return new DomainError('too_many_reads', undefined, { cause: error });
  return error;
}

/**
 * Runs reads whose cost is known only afterwards, so that they hold up neither other requests nor each other. Each is
 * tried in the quick lane first. What takes longer there is ended and begins anew in the slow lane, where projects take
 * turns; while a project has a read in the slow lane, its others go straight to it.
 * @returns reads that throw `slow_read` at the time limit, and `too_many_reads`
 */
export function longReadsOver({ kind, places, timeoutMs, run }: LongReadSettings): LongReads {
  // One read of another project may take its whole time before this one's turn.
  const patienceMs = 2 * timeoutMs;
  const turns = (lane: Lane): FairTurns =>
    new FairTurns({ places: places[lane], mostOfOwner: MOST_OF_PROJECT, patienceMs });
  const quick = turns('quick');
  const slow = turns('slow');

  /** The result, or undefined where the read takes too long for this lane. */
  async function tryQuickly(
    query: CompiledQuery,
    onBehalfOf: string,
  ): Promise<QueryResult<never> | undefined> {
    if (slow.has(onBehalfOf)) return undefined;
    try {
      // Another read of the project may have gone to the slow lane while this one waited.
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
