import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';

/** A transaction as its statements see it. */
export interface OpenTransaction {
  /** Statements whose result is waited for. */
  readonly now: Kysely<Schema>;
  /**
   * Statements whose result nobody needs: they may be sent together with the ones that follow, and return nothing.
   * Where one fails the commit fails.
   */
  readonly later: Kysely<Schema>;
}

/** What is done last in a transaction, before it is committed. */
export type BeforeCommit = (work: () => Promise<void>) => void;

/** One database of either kind. */
export interface Database {
  /** Reads what is committed. */
  readonly reader: Kysely<Schema>;
  /** Runs the work as one transaction; it may run more than once. Throws `storage_unavailable`. */
  transaction<T>(work: (tx: OpenTransaction) => Promise<T>): Promise<T>;
  /** Runs reads that all see the same state. */
  snapshot<T>(work: (db: Kysely<Schema>) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
