import type { CompiledQuery } from 'kysely';
import { connectForReads } from './connect.ts';
import { SqliteConnection, type StatementOutcome } from './connection.ts';

/** A connection for long reads, which ends a statement at its time limit. */
export class TimedReads {
  readonly #connection: SqliteConnection;
  #deadline = 0;
  #isOver = false;

  /** @param isClosing ends the running statement before its time limit */
  constructor(file: string, isClosing: () => boolean = () => false) {
    const database = connectForReads(file);
    // SQLite calls this for the rows that a long read visits; its exception ends the statement.
    database.function('in_time', { varargs: true }, () => {
      if (performance.now() <= this.#deadline && !isClosing()) return 1;
      this.#isOver = true;
      throw new Error('The read has reached its time limit.');
    });
    this.#connection = new SqliteConnection(database);
  }

  /** True if the last statement was ended. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Runs a statement. Throws if the statement fails or is ended. */
  execute(query: Pick<CompiledQuery, 'sql' | 'parameters'>, timeoutMs: number): StatementOutcome {
    this.#deadline = performance.now() + timeoutMs;
    this.#isOver = false;
    return this.#connection.execute(query);
  }

  close(): void {
    this.#connection.close();
  }
}
