import type { Wishes } from '../domain/webhooks/deliveries.ts';
import type { Backoff } from '../runtime/backoff.ts';
import type { Endpoint } from './sender.ts';

/** Who is sent events, which, and how. */
export interface Receiver extends Wishes, Endpoint {
  /** The `source` of its CloudEvents. */
  readonly source: string;
  /** How long it may fail, in milliseconds. */
  readonly giveUpAfterMs: number;
}

/** Times in milliseconds. */
export interface DeliverySettings {
  /** How long a process that is gone keeps others from sending. */
  readonly lease: number;
  /** How often another process looks whether nobody sends. */
  readonly takeOver: number;
  /** How often it is looked for new events. */
  readonly poll: number;
  /** How often a receiver that was stopped is looked after. */
  readonly idlePoll: number;
  /** How often it is kept how far receivers have got: that much may be sent again after a crash. */
  readonly keep: number;
  /** The same of those that were only gone past: nothing is sent again for it. */
  readonly keepPassed: number;
  /** After a request that failed. */
  readonly attempt: Backoff;
  /** What a receiver may ask to be left alone for. */
  readonly longestRetryAfter: number;
  /** While the store is away. */
  readonly retry: Backoff;
  /** How long requests may go on when the service stops. */
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
