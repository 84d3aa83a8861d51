import type { BackgroundIndex } from './background-index.ts';
import type { BlacklistListReads, BlacklistListWrites } from './blacklist-lists/store.ts';
import type { BlacklistReads, BlacklistWrites } from './blacklists/store.ts';
import type { PlanningReads, PlanningSnapshots } from './changes/store.ts';
import type { ResourceReads, ResourceWrites } from './combined-resources.ts';
import type { DeletedZoneReads, DeletedZoneWrites } from './deleted-zones/store.ts';
import type { EventReads, EventWrites } from './events/store.ts';
import type { GuardrailReads, TargetIndexReads, TargetIndexWrites } from './guardrails/store.ts';
import type { HistoryReads, HistoryWrites } from './history/store.ts';
import type { IdempotencyKeyReads, IdempotencyKeyWrites } from './idempotency/store.ts';
import type { LeaseWrites } from './leases.ts';
import type { MetricsReads } from './metrics/store.ts';
import type { PoolReads, PoolWrites } from './pools/store.ts';
import type { PreviewReads, PreviewWrites } from './previews/store.ts';
import type { PublicationReads, PublicationWrites } from './publication/store.ts';
import type { ProjectReads, ProjectWrites } from './quotas/store.ts';
import type { RecordsetReads, RecordsetWrites } from './recordsets/store.ts';
import type { SecondaryReads, SecondaryWrites } from './secondaries/store.ts';
import type { ServiceStatusReads, ServiceStatusWrites } from './service-statuses/store.ts';
import type { ShareReads, ShareWrites } from './shares/store.ts';
import type { StatisticsReads } from './statistics/store.ts';
import type { ZoneTaskReads, ZoneTaskWrites } from './tasks/store.ts';
import type { ApiTokenReads, ApiTokenWrites } from './tokens/store.ts';
import type { TransferReads, TransferWrites } from './transfers/store.ts';
import type { TsigKeyReads, TsigKeyWrites } from './tsig-keys/store.ts';
import type { TakenUpdateReads, TakenUpdateWrites } from './updates/store.ts';
import type { UsageReads, UsageWrites } from './usage/store.ts';
import type { VerificationReads, VerificationWrites } from './verification/stored.ts';
import type { WebhookReads, WebhookWrites } from './webhooks/store.ts';
import type { ZoneReads, ZoneWrites } from './zones/store.ts';

/**
 * The writes of one transaction, and the reads that belong to them. The store executes calls in the order in which they
 * are made, whether or not the caller awaits them in between:
 *
 * - A method that returns a promise has finished when the promise resolves, and has seen the effects of all earlier
 *   calls.
 * - A method that returns nothing is a write whose result is not needed. It keeps its place in the order and may be
 *   sent together with later calls.
 * - If any call fails, the transaction fails: everything awaited afterwards, and the commit, reject with that first
 *   failure, even if it is caught, and the transaction rolls back. The work learns of the failure only when it awaits
 *   something.
 *
 * Calls made at once (`together`) take one round trip. Each starts after the one before it, so a call after a lock
 * reads the locked data. This order applies only to the first statement of each call: a method that needs a result
 * before its next statement sends that statement after those of the other calls.
 */
export interface Transaction extends ResourceWrites {
  /**
   * Runs part of the work in a savepoint: if the part throws, only its own writes are undone. A failed call still fails
   * the whole transaction. Savepoints do not nest. Throws what the part throws.
   */
  savepoint<T>(part: () => Promise<T>): Promise<T>;
  readonly blacklists: BlacklistWrites;
  readonly blacklistLists: BlacklistListWrites;
  readonly zones: ZoneWrites;
  readonly recordsets: RecordsetWrites;
  readonly planning: PlanningReads;
  readonly guardrails: GuardrailReads;
  readonly targetIndex: TargetIndexWrites;
  readonly pools: PoolWrites;
  readonly previews: PreviewWrites;
  readonly projects: ProjectWrites;
  readonly publications: PublicationWrites;
  readonly history: HistoryWrites;
  readonly deletedZones: DeletedZoneWrites;
  readonly leases: LeaseWrites;
  readonly secondaries: SecondaryWrites;
  readonly zoneTasks: ZoneTaskWrites;
  readonly verification: VerificationWrites;
  readonly serviceStatuses: ServiceStatusWrites;
  readonly shares: ShareWrites;
  readonly transfers: TransferWrites;
  readonly takenUpdates: TakenUpdateWrites;
  readonly tsigKeys: TsigKeyWrites;
  readonly apiTokens: ApiTokenWrites;
  readonly idempotencyKeys: IdempotencyKeyWrites;
  readonly events: EventWrites;
  readonly usage: UsageWrites;
  readonly webhooks: WebhookWrites;
}

/** Ends a transaction that has nothing to commit: it rolls back without waiting. */
export class NothingWritten extends Error {}

/** `checking`: writes wait, since the store was not closed cleanly. `damaged`: they are refused. */
export type WriteState = 'open' | 'checking' | 'damaged';

/** The store. Reads see committed data; every write goes through a transaction. */
export interface Store extends ResourceReads {
  readonly blacklists: BlacklistReads;
  readonly blacklistLists: BlacklistListReads;
  readonly zones: ZoneReads;
  readonly recordsets: RecordsetReads;
  readonly planning: PlanningSnapshots;
  readonly targetIndex: TargetIndexReads;
  readonly pools: PoolReads;
  readonly previews: PreviewReads;
  readonly projects: ProjectReads;
  readonly publications: PublicationReads;
  readonly history: HistoryReads;
  readonly deletedZones: DeletedZoneReads;
  readonly secondaries: SecondaryReads;
  readonly zoneTasks: ZoneTaskReads;
  readonly serviceStatuses: ServiceStatusReads;
  readonly shares: ShareReads;
  readonly transfers: TransferReads;
  readonly takenUpdates: TakenUpdateReads;
  readonly tsigKeys: TsigKeyReads;
  readonly apiTokens: ApiTokenReads;
  readonly idempotencyKeys: IdempotencyKeyReads;
  readonly events: EventReads;
  readonly statistics: StatisticsReads;
  readonly usage: UsageReads;
  readonly metrics: MetricsReads;
  readonly webhooks: WebhookReads;
  /** For searches of zones by a part of their name. */
  readonly nameIndex: BackgroundIndex;
  /** For protected recordsets by their zone. */
  readonly recordsetIndexes: BackgroundIndex;
  /**
   * Runs the work as one transaction: commits when it returns, rolls back when it throws. The work may run more than
   * once, so it must have no effects outside the transaction. Throws what the work throws, the first failure of a
   * write, and `storage_unavailable`.
   * @param projectId the project whose work it is: projects take turns, and none of them takes every connection
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, projectId?: string): Promise<T>;
  /** Runs reads of the whole store in one snapshot. */
  snapshot<T>(work: (reads: VerificationReads) => Promise<T>): Promise<T>;
  /**
   * The faults in the file of an embedded database, checked page by page; none for a server, which checks its own
   * files.
   */
  fileFaults(): Promise<readonly string[]>;
  /** Whether writes are possible. */
  writeState(): WriteState;
  /** Ends a running check of the file: changes that wait for it fail. Call it before `close`, so that nothing waits. */
  endCheck(): void;
  close(): Promise<void>;
}
