import type { Clock } from '../../model/clock.ts';
import type { Meter } from '../../model/figures/meter.ts';
import type { PoolReads } from '../../model/pools/store.ts';
import type { PublicationReads } from '../../model/publication/store.ts';
import type { Transaction } from '../../model/store.ts';
import type { TsigKeyReads } from '../../model/tsig-keys/store.ts';
import type { Log } from '../../runtime/log.ts';

/** What the worker needs of the store's transactions. */
export interface PublicationStore {
  transaction<T>(work: (tx: Pick<Transaction, 'publications' | 'leases'>) => Promise<T>): Promise<T>;
}

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
}
