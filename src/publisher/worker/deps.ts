import type { Clock } from '../../model/clock.ts';
import type { MetricsRecorder } from '../../model/metrics/metrics-recorder.ts';
import type { PoolReads } from '../../model/pools/store.ts';
import type { PublicationReads } from '../../model/publication/store.ts';
import type { Transaction } from '../../model/store.ts';
import type { TsigKeyReads } from '../../model/tsig-keys/store.ts';
import type { Log } from '../../runtime/log.ts';

/** The part of a store transaction that the worker uses. */
export interface PublicationStore {
  transaction<T>(work: (tx: Pick<Transaction, 'publications' | 'leases'>) => Promise<T>): Promise<T>;
}

export interface WorkerDeps {
  readonly store: PublicationStore;
  readonly publication: PublicationReads;
  readonly pools: PoolReads;
  readonly tsigKeys: Pick<TsigKeyReads, 'ofPools'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Pick<MetricsRecorder, 'zonePublished' | 'serverFailed'>;
  /**
   * Runs the next step: removes the zone for good, or continues its move.
   * @param isGone true if the order says that the servers have dropped the zone
   */
  finish(orderId: string, isGone: boolean): Promise<void>;
  /** True if the API is so busy that publication should yield. */
  busy(): boolean;
}
