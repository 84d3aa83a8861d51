import type { CompiledQuery, QueryResult } from 'kysely';
import { connectForReads } from './connect.ts';
import { rowsOf } from './connection.ts';
import { TimedReads } from './timed-reads.ts';

/** How long a read may keep the event loop, in milliseconds: about as long as a short list. */
const TRIAL_MS = 2;
/** How long a statement that took longer is not tried again, in milliseconds; doubled each time that it does. */
const PAUSE_MS = { first: 50, longest: 12_800 };
/** Maximum number of statements to remember. */
const MAX_PAUSED = 500;

interface Pause {
  readonly ms: number;
  /** When the statement may be tried again. */
  readonly end: number;
}

/** True if a statement checks its time limit often: each row takes microseconds, but comparing texts can take far longer. */
function isBounded({ sql }: Pick<CompiledQuery, 'sql'>): boolean {
  return sql.includes('in_time(') && !sql.includes('in_time(record.key)');
}

/**
 * Tries long reads on the event loop for a moment. Most read few rows, and sending them to a thread and back takes longer
 * than reading them.
 */
export class ImmediateReads {
  readonly #file: string;
  /** Statements that took too long the last time. */
  readonly #pauses = new Map<string, Pause>();
  #timed: TimedReads | undefined;
  #isClosed = false;

  constructor(file: string) {
    this.#file = file;
  }

  /** The result of a statement; undefined if it takes too long, may take too long, or fails. */
  attempt(query: Pick<CompiledQuery, 'sql' | 'parameters'>): QueryResult<never> | undefined {
    if (this.#isClosed || !isBounded(query) || this.#isPaused(query.sql)) return undefined;
    try {
      // Waiting for a lock would hold the event loop.
      this.#timed ??= new TimedReads(connectForReads(this.#file, 0));
      const outcome = this.#timed.execute(query, TRIAL_MS);
      this.#pauses.delete(query.sql);
      return { rows: rowsOf(outcome), numAffectedRows: BigInt(outcome.changes) };
    } catch {
      if (this.#timed?.isOver) this.#pause(query.sql);
      return undefined;
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#timed?.close();
  }

  #isPaused(sql: string): boolean {
    const pause = this.#pauses.get(sql);
    return pause !== undefined && performance.now() < pause.end;
  }

  /** A busy machine can make any statement late, so only those that are late again and again are left alone for long. */
  #pause(sql: string): void {
    const last = this.#pauses.get(sql);
    const ms = last === undefined ? PAUSE_MS.first : Math.min(2 * last.ms, PAUSE_MS.longest);
    if (this.#pauses.size >= MAX_PAUSED) this.#pauses.clear();
    this.#pauses.set(sql, { ms, end: performance.now() + ms });
  }
}
