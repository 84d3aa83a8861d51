import type { BeforeCommit, Database, OpenTransaction } from './database/database.ts';
import type { Migration } from './database/migration.ts';

/** What a resource adds to the store. It names the columns of its tables itself: `withTables`. */
export interface StoredPart {
  /** A unique column of each of its tables, by which a copy of the database is ordered. */
  readonly keys: Readonly<Record<string, string>>;
  readonly migrations: readonly Migration[];
  reads(database: Database): unknown;
  writes(tx: OpenTransaction, beforeCommit: BeforeCommit): unknown;
}
