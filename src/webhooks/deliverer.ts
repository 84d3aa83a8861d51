/** Delivers events to webhooks in the background, in one process at a time. */
import { setMaxListeners } from 'node:events';
import type { DeliveryUseCases } from '../domain/webhooks/deliveries.ts';
import type { Clock } from '../model/clock.ts';
import type { Store } from '../model/store.ts';
import type { Job } from '../runtime/jobs.ts';
import { Lease } from '../runtime/lease.ts';
import type { Log } from '../runtime/log.ts';
import { Delivery } from './delivery.ts';
import { ReceiverPositions } from './progress.ts';
import { DELIVERY, type DeliverySettings, type Receiver } from './settings.ts';

export interface DelivererDeps {
  readonly store: Pick<Store, 'transaction'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly deliveries: DeliveryUseCases;
}

/** Returns a signal that fires `ms` milliseconds after another one. */
function afterwards(signal: AbortSignal, ms: number): AbortSignal {
  const later = new AbortController();
  const end = () => void setTimeout(() => later.abort(), ms).unref();
  signal.addEventListener('abort', end, { once: true });
  return later.signal;
}

/** Deliveries to all receivers while this process holds the lease. */
class Tenure {
  readonly #deps: DelivererDeps;
  readonly #settings: DeliverySettings;
  readonly #positions: ReceiverPositions;
  readonly #all: readonly Delivery[];
  readonly #running: readonly Promise<void>[];
  #head = 0;
  #keptAt = Number.NEGATIVE_INFINITY;
  #allKeptAt = Number.NEGATIVE_INFINITY;

  constructor(
    deps: DelivererDeps,
    receivers: readonly Receiver[],
    settings: DeliverySettings,
    lease: Lease,
    held: AbortSignal,
  ) {
    const { deliveries, log } = deps;
    this.#deps = deps;
    this.#settings = settings;
    this.#positions = new ReceiverPositions((progress) => deliveries.keep(progress));
    const shared = {
      deliveries,
      log,
      settings,
      positions: this.#positions,
      head: () => this.#head,
      isHeld: () => lease.isHeld,
    };
    const requests = afterwards(held, settings.grace);
    // Each receiver listens to both signals.
    setMaxListeners(0, held, requests);
    this.#all = receivers.map((receiver) => new Delivery(shared, receiver, held, requests));
    this.#running = this.#all.map((delivery) => delivery.run());
  }

  /** Wakes the deliveries that have events to send, and stores their progress. */
  async slice(): Promise<void> {
    const { keep, keepPassed } = this.#settings;
    this.#head = (await this.#deps.deliveries.head()).position;
    for (const delivery of this.#all) delivery.wake(this.#head);
    const now = performance.now();
    if (now - this.#keptAt < keep) return;
    this.#keptAt = now;
    const isAll = now - this.#allKeptAt >= keepPassed;
    if (isAll) this.#allKeptAt = now;
    await (isAll ? this.#positions.flush() : this.#positions.flushTaken());
  }

  /** Waits for requests in flight, which end soon after the lease does, and stores the progress of the receivers. */
  async end(): Promise<void> {
    await Promise.all(this.#running);
    await this.#positions.flush().catch((err: unknown) => {
      this.#deps.log.warn({ err }, 'cannot store the positions of webhooks: events may be sent again');
    });
  }
}

/** Job that sends events to webhooks. Every process has it, but only one sends at a time. */
export function webhookJob(
  deps: DelivererDeps,
  receivers: readonly Receiver[],
  settings: DeliverySettings = DELIVERY,
): Job {
  const lease = new Lease('webhooks', deps, settings.lease);
  let tenure: Tenure | undefined;
  return {
    name: 'webhooks',
    intervalMs: settings.poll,
    retry: settings.retry,
    lease: { lease, isKept: true, pollMs: settings.takeOver },
    async slice(held) {
      tenure ??= new Tenure(deps, receivers, settings, lease, held);
      await tenure.slice();
      return false;
    },
    async release() {
      await tenure?.end();
      tenure = undefined;
    },
  };
}
