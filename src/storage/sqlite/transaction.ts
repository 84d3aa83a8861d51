import type { CompiledQuery, QueryResult } from 'kysely';
import type { Amount, OpenTransaction } from '../database/database.ts';
import { statementsOver } from '../database/kysely-over.ts';
import type { SqliteConnection } from './connection.ts';

/** Maximum amount that a transaction writes on the event loop. */
const MAX_AMOUNT: Amount = { rows: 64, bytes: 262_144 };

/** Thrown when a transaction turns out to be large: its work then runs again in a thread. */
export class LargeTransaction extends Error {}

/** A transaction that has begun on a connection, or a savepoint in one. The caller that began it ends it. */
export class SqliteTransaction implements OpenTransaction {
  readonly now: OpenTransaction['now'];
  readonly later: OpenTransaction['later'];
  readonly #connection: SqliteConnection;
  #failure: unknown;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
    const { now, later } = statementsOver('sqlite', async (query) => this.#run(query));
    this.now = now;
    this.later = later;
  }

  /** The failure of the first statement that failed, if any. */
  get failure(): unknown {
    return this.#failure;
  }

  /** @throws the failure of the first statement that failed */
  requireSuccess(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  expect({ rows, bytes }: Amount): void {
    if (rows > MAX_AMOUNT.rows || bytes > MAX_AMOUNT.bytes) throw new LargeTransaction();
  }

  /** After a failed statement SQLite could continue, but PostgreSQL runs no more statements, so neither does this. */
  #run(query: CompiledQuery): QueryResult<never> {
    this.requireSuccess();
    try {
      return this.#connection.run(query);
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }
}
