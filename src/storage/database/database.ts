import type { Compilable, CompiledQuery, Kysely } from 'kysely';
import type { WriteState } from '../../model/store.ts';
import type { NameIndex } from '../../model/zones/name-index.ts';
import type { Schema } from './schema.ts';

/** How much a transaction writes. */
export interface Amount {
  readonly rows: number;
  readonly bytes: number;
}

/**
 * The statements of a transaction, run in the order in which they are executed. The first that fails fails the
 * transaction: every statement after it, and the commit, fail with the same error.
 */
export interface OpenTransaction {
  /** For statements whose result is awaited. */
  readonly now: Kysely<Schema>;
  /** Executes a statement whose result is not needed. It may be sent together with later statements. */
  later(statement: Compilable | CompiledQuery): void;
  /** Says how much is about to be written. May end the work by an error, for the transaction to run again elsewhere. */
  expect(amount: Amount): void;
}

/** What is done last in a transaction, before it is committed. */
export type BeforeCommit = (work: () => Promise<void>) => void;

/** The long reads on behalf of a project. */
export type LongReads = (onBehalfOf: string) => Kysely<Schema>;

/**
 * Reads of what is committed. A read whose cost is bounded by what an index finds (by an id, a name, one page of an index)
 * is short. Any other may have to look at every row, and is long.
 */
export interface Reads {
  /** Reads that are short by nature: they have no bound but that of the store. */
  readonly reader: Kysely<Schema>;
  /** Reads that hold up nothing else. They throw `slow_read` at their time limit, and `too_many_reads`. */
  readonly longReads: LongReads;
}

/** One database of either kind. */
export interface Database extends Reads {
  /** Runs the work as one transaction; it may run more than once. Throws `storage_unavailable`. */
  transaction<T>(work: (tx: OpenTransaction) => Promise<T>): Promise<T>;
  /** Runs reads in one snapshot. */
  snapshot<T>(work: (db: Kysely<Schema>) => Promise<T>): Promise<T>;
  /** The same for the hidden primary, on connections that nothing else waits for. */
  atOneState<T>(work: (db: Kysely<Schema>) => Promise<T>): Promise<T>;
  /** What is wrong with its file; nothing where that is the business of a server. */
  fileFaults(): Promise<readonly string[]>;
  readonly nameIndex: NameIndex;
  /** Whether writes are let through. */
  writeState(): WriteState;
  /** Ends a check of the file that is running: changes that wait for it fail. To be called before the close, so that nothing waits. */
  endCheck(): void;
  close(): Promise<void>;
}
