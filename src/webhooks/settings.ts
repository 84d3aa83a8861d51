import type { ReceiverSelection } from '../domain/webhooks/deliveries.ts';
import type { Backoff } from '../runtime/backoff.ts';
import type { Endpoint } from './sender.ts';

/** A webhook receiver: which events it gets, and how. */
export interface Receiver extends ReceiverSelection, Endpoint {
  /** The `source` attribute of its CloudEvents. */
  readonly source: string;
  /** Time after which a failing receiver is stopped, in milliseconds. */
  readonly giveUpAfterMs: number;
}

/** Times are in milliseconds. */
export interface DeliverySettings {
  /** Time until another process can take over from one that died. */
  readonly lease: number;
  /** Interval at which other processes try to take over. */
  readonly takeOver: number;
  /** Poll interval for new events. */
  readonly poll: number;
  /** Poll interval for a receiver that has nothing to do, such as a stopped one. */
  readonly idlePoll: number;
  /** Interval between writes of progress. After a crash, events accepted since the last write may be sent again. */
  readonly keep: number;
  /** Like `keep`, for skipped events, which are never sent again. */
  readonly keepPassed: number;
  /** Backoff after a failed request. */
  readonly attempt: Backoff;
  /** Maximum delay accepted from a Retry-After header. */
  readonly longestRetryAfter: number;
  /** Backoff while the store is unavailable. */
  readonly retry: Backoff;
  /** Time requests in flight get to finish when the service stops. */
  readonly grace: number;
}

const SECOND = 1000;

export const DELIVERY: DeliverySettings = {
  lease: 10 * SECOND,
  takeOver: 2 * SECOND,
  poll: 250,
  idlePoll: 2 * SECOND,
  keep: 500,
  keepPassed: 10 * SECOND,
  attempt: { firstMs: SECOND, factor: 2, maxMs: 300 * SECOND },
  longestRetryAfter: 3600 * SECOND,
  retry: { firstMs: 100, factor: 2, maxMs: 5 * SECOND },
  grace: 3 * SECOND,
};
