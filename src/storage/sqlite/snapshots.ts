import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { SqliteConnection } from './connection.ts';

/** Opening a connection and preparing its statements takes longer than most snapshots. */
const MOST_KEPT = 4;

/** Reads of one committed state each, every one on a connection of its own; some connections are kept for the next. */
export class Snapshots {
  readonly #open: () => SqliteConnection;
  readonly #idle: SqliteConnection[] = [];
  #isClosed = false;

  constructor(open: () => SqliteConnection) {
    this.#open = open;
  }

  async run<T>(
    reads: (connection: SqliteConnection) => Kysely<Schema>,
    work: (db: Kysely<Schema>) => Promise<T>,
  ): Promise<T> {
    const connection = this.#idle.pop() ?? this.#open();
    try {
      // A transaction that only reads takes no lock: it sees what was committed when it first read.
      connection.exec('begin');
      return await work(reads(connection));
    } finally {
      connection.rollback();
      this.#giveBack(connection);
    }
  }

  #giveBack(connection: SqliteConnection): void {
    if (this.#isClosed || this.#idle.length >= MOST_KEPT) connection.close();
    else this.#idle.push(connection);
  }

  close(): void {
    this.#isClosed = true;
    for (const connection of this.#idle.splice(0)) connection.close();
  }
}
