import { setTimeout as sleep } from 'node:timers/promises';
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import type { CompiledQuery, QueryResult } from 'kysely';
import { asDomainError, isBusy } from './errors.ts';

const MAX_STATEMENTS = 300;
const LONGEST_PAUSE_MS = 50;

interface Prepared {
  readonly statement: StatementSyncInstance;
  readonly returnsRows: boolean;
}

/** One SQLite connection with its prepared statements. All methods throw `storage_unavailable` if the database fails. */
export class SqliteConnection {
  readonly #database: DatabaseSyncInstance;
  readonly #prepared = new Map<string, Prepared>();

  constructor(database: DatabaseSyncInstance) {
    this.#database = database;
  }

  /** Runs one statement. The library is synchronous, so the statement is done on return. */
  run({ sql, parameters }: Pick<CompiledQuery, 'sql' | 'parameters'>): QueryResult<never> {
    try {
      const { statement, returnsRows } = this.#prepare(sql);
      if (returnsRows) return { rows: statement.all(...(parameters as never[])) as never[] };
      const { changes } = statement.run(...(parameters as never[]));
      return { rows: [], numAffectedRows: BigInt(changes) };
    } catch (error) {
      throw asDomainError(error);
    }
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

  rollback(): void {
    // SQLite rolls back by itself when the disk is full.
    if (this.#database.isTransaction) this.exec('rollback');
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
    const prepared = { statement, returnsRows: statement.columns().length > 0 };
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}
