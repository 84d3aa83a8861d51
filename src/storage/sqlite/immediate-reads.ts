import type { CompiledQuery, QueryResult } from 'kysely';
import { rowsOf } from './connection.ts';
import { TimedReads } from './timed-reads.ts';

/** How long a read may keep the event loop, in milliseconds: about as long as a short list. */
const TRIAL_MS = 2;
/** How long a statement that took longer is not tried again, in milliseconds. */
const PAUSE_MS = 10_000;
/** Maximum number of statements to remember. */
const MAX_PAUSED = 500;

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
  /** Statements that took too long, and when they may be tried again. */
  readonly #paused = new Map<string, number>();
  #timed: TimedReads | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  /** The result of a statement; undefined if it takes too long, may take too long, or fails. */
  attempt(query: Pick<CompiledQuery, 'sql' | 'parameters'>): QueryResult<never> | undefined {
    if (!isBounded(query) || this.#isPaused(query.sql)) return undefined;
    try {
      this.#timed ??= new TimedReads(this.#file);
      const outcome = this.#timed.execute(query, TRIAL_MS);
      return { rows: rowsOf(outcome), numAffectedRows: BigInt(outcome.changes) };
    } catch {
      if (this.#timed?.isOver) this.#pause(query.sql);
      return undefined;
    }
  }

  close(): void {
    this.#timed?.close();
  }

  #isPaused(sql: string): boolean {
    const until = this.#paused.get(sql);
    if (until === undefined) return false;
    if (performance.now() < until) return true;
    this.#paused.delete(sql);
    return false;
  }

  #pause(sql: string): void {
    if (this.#paused.size >= MAX_PAUSED) this.#paused.clear();
    this.#paused.set(sql, performance.now() + PAUSE_MS);
  }
}
