import type { Kysely } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { SqliteConnection } from './connection.ts';

/** Number of idle connections to keep: opening one and preparing its statements takes longer than most snapshots. */
const MAX_KEPT = 4;

/** Snapshots of the committed data, each on its own connection; some connections are kept for reuse. */
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
      // A read-only transaction takes no lock: it sees what was committed at its first read.
      connection.exec('begin');
      return await work(reads(connection));
    } finally {
      connection.rollback();
      this.#giveBack(connection);
    }
  }

  #giveBack(connection: SqliteConnection): void {
    if (this.#isClosed || this.#idle.length >= MAX_KEPT) connection.close();
    else this.#idle.push(connection);
  }

  close(): void {
    this.#isClosed = true;
    for (const connection of this.#idle.splice(0)) connection.close();
  }
}
