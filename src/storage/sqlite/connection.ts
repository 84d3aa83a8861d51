import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import type { CompiledQuery, QueryResult } from 'kysely';
import { asDomainError, isBusy } from './errors.ts';

const MAX_STATEMENTS = 500;
const LONGEST_PAUSE_MS = 50;

interface Prepared {
  readonly statement: StatementSyncInstance;
  /** Names of the result columns; empty if it returns no rows. */
  readonly columns: readonly string[];
}

/** The result of a statement, with each row as an array: cheaper to read, and to send to another thread, than objects. */
export interface StatementOutcome {
  readonly columns: readonly string[];
  readonly values: readonly (readonly unknown[])[];
  readonly changes: number;
}

/** The rows of a result, as objects. */
export function rowsOf({ columns, values }: Pick<StatementOutcome, 'columns' | 'values'>): never[] {
  return values.map((row) => {
    const object: Record<string, unknown> = {};
    for (let place = 0; place < columns.length; place++) object[columns[place]!] = row[place];
    return object as never;
  });
}

/** One SQLite connection with its prepared statements. All methods throw `storage_unavailable` if the database fails. */
export class SqliteConnection {
  readonly #database: DatabaseSyncInstance;
  readonly #prepared = new Map<string, Prepared>();

  constructor(database: DatabaseSyncInstance) {
    this.#database = database;
  }

  /** Runs one statement. The library is synchronous, so the statement is done on return. */
  execute({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>): StatementOutcome {
    try {
      const { statement, columns } = this.#prepare(sql);
      if (columns.length === 0) {
        const { changes } = statement.run(...(parameters as never[]));
        return { columns, values: [], changes: Number(changes) };
      }
      const values = statement.all(...(parameters as never[])) as unknown as unknown[][];
      return { columns, values, changes: 0 };
    } catch (error) {
      throw asDomainError(error);
    }
  }

  /** Like `execute`, with rows as objects. */
  run(query: Pick<CompiledQuery, 'sql' | 'parameters'>): QueryResult<never> {
    const outcome = this.execute(query);
    return { rows: rowsOf(outcome), numAffectedRows: BigInt(outcome.changes) };
  }

  /** Runs a transaction or savepoint statement. */
  exec(sql: string): void {
    try {
      this.#database.exec(sql);
    } catch (error) {
      throw asDomainError(error);
    }
  }

  /** Begins a write transaction. Another process may hold the write lock, so the wait does not block the event loop. */
  async beginWriting(busyTimeoutMs: number): Promise<void> {
    const deadline = performance.now() + busyTimeoutMs;
    for (let pause = 1; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        this.#database.exec('begin immediate');
        return;
      } catch (error) {
        if (!isBusy(error) || performance.now() >= deadline) throw asDomainError(error);
      }
      await sleep(pause);
    }
  }

  get isInTransaction(): boolean {
    return this.#database.isTransaction;
  }

  rollback(): void {
    // SQLite rolls back by itself when the disk is full.
    if (this.isInTransaction) this.exec('rollback');
  }

  close(): void {
    this.#prepared.clear();
    // Statements that are not yet garbage-collected keep SQLite from checkpointing its write-ahead log on close.
    try {
      this.#database.exec('pragma wal_checkpoint(truncate)');
    } catch {
      // The next connection that opens the database checkpoints the rest of the log.
    }
    this.#database.close();
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    if (this.#prepared.size >= MAX_STATEMENTS) this.#prepared.clear();
    const statement = this.#database.prepare(sql);
    const columns = statement.columns().map(({ name }) => name);
    statement.setReturnArrays(true);
    const prepared = { statement, columns };
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}
