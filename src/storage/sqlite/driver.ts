import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { asDomainError, isBusy } from './errors.ts';

interface Prepared {
  readonly statement: StatementSyncInstance;
  readonly returnsRows: boolean;
}

const MOST_STATEMENTS = 300;

/** One SQLite connection as kysely wants it, with its prepared statements. */
class SqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSyncInstance;
  readonly #prepared = new Map<string, Prepared>();

  constructor(database: DatabaseSyncInstance) {
    this.#database = database;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      const { statement, returnsRows } = this.#prepare(query.sql);
      if (returnsRows) return { rows: statement.all(...query.parameters) as Row[] };
      const { changes } = statement.run(...query.parameters);
      return { rows: [], numAffectedRows: BigInt(changes) };
    } catch (error) {
      throw asDomainError(error);
    }
  }

  // biome-ignore lint/correctness/useYield: kysely's interface has it; lists page by keyset instead of streaming rows
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('This store pages by keyset and never streams rows.');
  }

  /** Waits for the write lock without holding up the process, since the lock may be held by another one. */
  async begin(busyTimeoutMs: number): Promise<void> {
    const deadline = performance.now() + busyTimeoutMs;
    for (let pause = 1; ; pause = Math.min(pause * 2, 50)) {
      try {
        this.#database.exec('begin immediate');
        return;
      } catch (error) {
        if (!isBusy(error) || performance.now() >= deadline) throw asDomainError(error);
      }
      await sleep(pause);
    }
  }

  commit(): void {
    try {
      this.#database.exec('commit');
    } catch (error) {
      throw asDomainError(error);
    }
  }

  rollback(): void {
    // SQLite rolls back by itself when the disk is full.
    if (this.#database.isTransaction) this.#database.exec('rollback');
  }

  close(): void {
    this.#prepared.clear();
    // Statements that are not collected yet keep SQLite from taking in its write-ahead log as it closes.
    try {
      this.#database.exec('pragma wal_checkpoint(truncate)');
    } catch {
      // What stays in the log is taken in by whoever opens the database next.
    }
    this.#database.close();
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    if (this.#prepared.size >= MOST_STATEMENTS) this.#prepared.clear();
    const statement = this.#database.prepare(sql);
    const prepared = { statement, returnsRows: statement.columns().length > 0 };
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}

/** Hands the one connection to one user at a time, in the order of asking. */
class SqliteDriver implements Driver {
  readonly #connection: SqliteConnection;
  readonly #busyTimeoutMs: number;
  #last: Promise<void> = Promise.resolve();
  #release: () => void = () => {};

  constructor(database: DatabaseSyncInstance, busyTimeoutMs: number) {
    this.#connection = new SqliteConnection(database);
    this.#busyTimeoutMs = busyTimeoutMs;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<SqliteConnection> {
    const before = this.#last;
    let release = (): void => {};
    this.#last = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    this.#release = release;
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    this.#release();
  }

  beginTransaction(): Promise<void> {
    return this.#connection.begin(this.#busyTimeoutMs);
  }

  async commitTransaction(): Promise<void> {
    this.#connection.commit();
  }

  async rollbackTransaction(): Promise<void> {
    this.#connection.rollback();
  }

  async destroy(): Promise<void> {
    this.#connection.close();
  }
}

/** Kysely's dialect for one connection of the embedded database. Transactions take the write lock at once. */
export function sqliteDialect(database: DatabaseSyncInstance, busyTimeoutMs: number): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new SqliteDriver(database, busyTimeoutMs),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}
