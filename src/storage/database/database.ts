import type { Compilable, CompiledQuery, Kysely } from 'kysely';
import type { BackgroundIndex } from '../../model/background-index.ts';
import type { WriteState } from '../../model/store.ts';
import type { Schema } from './schema.ts';

/** The amount of data that a transaction writes. */
export interface Amount {
  readonly rows: number;
  readonly bytes: number;
}

/**
 * The statements of a transaction, run in the order in which they are executed. The first failure fails the
 * transaction: every later statement, and the commit, fail with the same error.
 */
export interface OpenTransaction {
  /** For statements whose result is awaited. */
  readonly now: Kysely<Schema>;
  /** Executes a statement whose result is not needed. It may be sent together with later statements. */
  later(statement: Compilable | CompiledQuery): void;
  /** Announces how much is about to be written. May throw, so that the transaction runs again elsewhere. */
  expect(amount: Amount): void;
}

/** Adds work to be done last, just before the commit. */
export type BeforeCommit = (work: () => Promise<void>) => void;

/** Long reads on behalf of a project. */
export type LongReads = (onBehalfOf: string) => Kysely<Schema>;

/**
 * Reads of committed data. A read is short if an index bounds its cost (by an id, a name, one page of an index). Any
 * other may have to read every row, and is long.
 */
export interface DatabaseReads {
  /** Short reads: only the limits of the store apply. */
  readonly reader: Kysely<Schema>;
  /** Reads that delay nothing else. They throw `slow_read` at their time limit, and `too_many_reads`. */
  readonly longReads: LongReads;
}

/** A database of either kind. */
export interface Database extends DatabaseReads {
  /**
   * Runs the work as one transaction, possibly more than once.
   * @param projectId the project whose work it is, if any: projects take turns
   * @throws `storage_unavailable`
   */
  transaction<T>(work: (tx: OpenTransaction) => Promise<T>, projectId?: string): Promise<T>;
  /** Runs reads in one snapshot. */
  snapshot<T>(work: (db: Kysely<Schema>) => Promise<T>): Promise<T>;
  /** Like `snapshot`, for the hidden primary, on connections that nothing else waits for. */
  atOneState<T>(work: (db: Kysely<Schema>) => Promise<T>): Promise<T>;
  /** Faults of the database file; none if a server is responsible for it. */
  fileFaults(): Promise<readonly string[]>;
  readonly nameIndex: BackgroundIndex;
  readonly recordsetIndexes: BackgroundIndex;
  /** Whether writes are allowed. */
  writeState(): WriteState;
  /** Ends a running check of the file; changes that wait for it fail. Call it before `close`, so that nothing waits. */
  endCheck(): void;
  close(): Promise<void>;
}
