import type { BlacklistReads, BlacklistWrites } from './blacklists/store.ts';
import type { IdempotencyKeyReads, IdempotencyKeyWrites } from './idempotency/store.ts';
import type { ProjectReads, ProjectWrites } from './quotas/store.ts';
import type { RecordsetReads, RecordsetWrites } from './recordsets/store.ts';
import type { ZoneTaskReads, ZoneTaskWrites } from './tasks/store.ts';
import type { ApiTokenReads, ApiTokenWrites } from './tokens/store.ts';
import type { TransferReads, TransferWrites } from './transfers/store.ts';
import type { VerificationReads, VerificationWrites } from './verification/stored.ts';
import type { ZoneReads, ZoneWrites } from './zones/store.ts';

export interface Transaction {
  readonly blacklists: BlacklistWrites;
  readonly zones: ZoneWrites;
  readonly recordsets: RecordsetWrites;
  readonly projects: ProjectWrites;
  readonly zoneTasks: ZoneTaskWrites;
  readonly verification: VerificationWrites;
  readonly transfers: TransferWrites;
  readonly apiTokens: ApiTokenWrites;
  readonly idempotencyKeys: IdempotencyKeyWrites;
}

/** The store. Reads see what is committed; every write goes through a transaction. */
export interface Store {
  readonly blacklists: BlacklistReads;
  readonly zones: ZoneReads;
  readonly recordsets: RecordsetReads;
  readonly projects: ProjectReads;
  readonly zoneTasks: ZoneTaskReads;
  readonly transfers: TransferReads;
  readonly apiTokens: ApiTokenReads;
  readonly idempotencyKeys: IdempotencyKeyReads;
  /**
   * Runs the work as one transaction, committed when it returns and rolled back when it throws. It may run more
   * than once, so it does nothing outside the transaction. Throws `storage_unavailable`.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Runs reads of the whole store that all see the same state of it, whatever is committed meanwhile. */
  snapshot<T>(work: (reads: VerificationReads) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
