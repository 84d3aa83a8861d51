import type { Clock } from '../../model/clock.ts';
import type { Meter } from '../../model/figures/meter.ts';
import type { PoolReads } from '../../model/pools/store.ts';
import type { PublicationReads, PublicationWrites } from '../../model/publication/store.ts';
import type { TsigKeyReads } from '../../model/tsig-keys/store.ts';
import type { Log } from '../../runtime/log.ts';

/** What the worker needs of the store's transactions. */
export interface PublicationStore {
  transaction<T>(work: (tx: { readonly publications: PublicationWrites }) => Promise<T>): Promise<T>;
}

/** Does one stretch of some work, and says whether there is more. */
export type Chore = () => Promise<boolean>;

export interface WorkerDeps {
  readonly store: PublicationStore;
  readonly publication: PublicationReads;
  readonly pools: PoolReads;
  readonly tsigKeys: Pick<TsigKeyReads, 'all'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Pick<Meter, 'zonePublished' | 'serverFailed'>;
  /**
   * Does what comes next: the zone is gone for good, or its move goes on.
   * @param isGone whether the servers have dropped it, as the order says
   */
  finish(orderId: string, isGone: boolean): Promise<void>;
  /** Whether the API has so much to do that publication gives way. */
  busy(): boolean;
  /** Work in stretches that goes on beside publication and gives way to it. */
  readonly chores: readonly Chore[];
}
