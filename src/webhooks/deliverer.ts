/** Sends events to webhooks, beside the requests: one process at a time. */
import { setMaxListeners } from 'node:events';
import { Lease } from '../background/lease.ts';
import { pause, waitAfter } from '../background/waits.ts';
import { WorkLoop } from '../background/work-loop.ts';
import type { DeliveryUseCases } from '../domain/webhooks/deliveries.ts';
import type { Clock } from '../model/clock.ts';
import type { Store } from '../model/store.ts';
import type { Log } from '../runtime/log.ts';
import { Delivery } from './delivery.ts';
import { Positions } from './progress.ts';
import { DELIVERY, type DeliverySettings, type Receiver } from './settings.ts';

export interface DelivererDeps {
  readonly store: Pick<Store, 'transaction'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly deliveries: DeliveryUseCases;
}

export interface Deliverer {
  /** Ends after the requests that are under way, or soon, and keeps how far the receivers have got. */
  stop(): Promise<void>;
}

/** A signal that comes so long after another one. */
function afterwards(signal: AbortSignal, ms: number): AbortSignal {
  const later = new AbortController();
  const end = () => void setTimeout(() => later.abort(), ms).unref();
  signal.addEventListener('abort', end, { once: true });
  return later.signal;
}

class OneDeliverer implements Deliverer {
  readonly #deps: DelivererDeps;
  readonly #receivers: readonly Receiver[];
  readonly #settings: DeliverySettings;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;

  constructor(deps: DelivererDeps, receivers: readonly Receiver[], settings: DeliverySettings) {
    this.#deps = deps;
    this.#receivers = receivers;
    this.#settings = settings;
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /** As long as the process runs, while no other process does. */
  async #run(): Promise<void> {
    const { takeOver, retry } = this.#settings;
    const { signal } = this.#stopping;
    const lease = new Lease('webhooks', this.#deps, this.#settings);
    let failures = 0;
    while (!signal.aborted) {
      try {
        await lease.run(0, signal, (held) => this.#deliverWhile(held, lease));
        failures = 0;
        await pause(takeOver, signal);
      } catch (err) {
        if (failures === 0) this.#deps.log.error({ err }, 'webhooks wait for the store');
        await pause(waitAfter(retry, failures), signal);
        failures += 1;
      }
    }
  }

  async #deliverWhile(held: AbortSignal, lease: Lease): Promise<void> {
    const { deliveries, log } = this.#deps;
    const settings = this.#settings;
    const positions = new Positions((progress) => deliveries.keep(progress));
    let head = 0;
    const shared = { deliveries, log, settings, positions, head: () => head, isHeld: () => lease.isHeld };
    const requests = afterwards(held, settings.grace);
    // Each receiver listens to both.
    setMaxListeners(0, held, requests);
    const all = this.#receivers.map((receiver) => new Delivery(shared, receiver, held, requests));
    let keptAt = Number.NEGATIVE_INFINITY;
    let allKeptAt = keptAt;
    const watch = new WorkLoop(
      {
        turn: async () => {
          head = (await deliveries.head()).position;
          for (const delivery of all) delivery.wake(head);
          const now = performance.now();
          if (now - keptAt < settings.keep) return false;
          keptAt = now;
          const isAll = now - allKeptAt >= settings.keepPassed;
          if (isAll) allKeptAt = now;
          await (isAll ? positions.flush() : positions.flushTaken());
          return false;
        },
        gap: () => 0,
        failed: (err) => log.error({ err }, 'webhooks wait for the store'),
        recovered: () => log.info({}, 'webhooks go on after the store was away'),
      },
      { poll: settings.poll, retry: settings.retry },
      held,
    );
    await Promise.all([watch.run(), ...all.map((delivery) => delivery.run())]);
    await positions.flush().catch((err: unknown) => {
      log.warn({ err }, 'events may be sent to webhooks again: how far they got could not be kept');
    });
  }
}

/** Starts the sending of events. Every process has its own, and one at a time sends. */
export function startDeliverer(
  deps: DelivererDeps,
  receivers: readonly Receiver[],
  settings: DeliverySettings = DELIVERY,
): Deliverer {
  if (receivers.length === 0) return { stop: async () => {} };
  return new OneDeliverer(deps, receivers, settings);
}
