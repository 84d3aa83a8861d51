/** Seals what is committed, removes what is old, and writes refusals, beside the requests. */

import type { EventSealing } from '../domain/events/sealing.ts';
import type { Clock } from '../model/clock.ts';
import type { Store } from '../model/store.ts';
import type { Log } from '../runtime/log.ts';
import { Lease } from './lease.ts';
import { pause, type Waits, waitAfter } from './waits.ts';
import { WorkLoop } from './work-loop.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;

export interface EventKeepingSettings {
  /** How long a process that is gone keeps others from sealing, in milliseconds. */
  readonly lease: number;
  /** How often another process looks whether nobody seals. */
  readonly takeOver: number;
  /** How often the sealing process looks for events that others have committed. */
  readonly poll: number;
  /** The least time between two transactions: the longer, the more events has each, and the less the disk is waited for. */
  readonly gap: number;
  /** The same while there are more events than one transaction takes. */
  readonly busyGap: number;
  /** How often refusals are written. */
  readonly flush: number;
  /** How often old events are removed, and a head that has moved is logged. */
  readonly upkeep: number;
  readonly retry: Waits;
}

export const EVENT_KEEPING: EventKeepingSettings = {
  lease: 10 * SECOND,
  takeOver: 2 * SECOND,
  poll: 250,
  gap: 700,
  busyGap: 20,
  flush: SECOND,
  upkeep: HOUR,
  retry: { first: 100, factor: 2, longest: 5 * SECOND },
};

export interface EventKeepingDeps {
  readonly store: Pick<Store, 'transaction'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly sealing: EventSealing;
  flushRefusals(): Promise<void>;
}

export interface EventKeeping {
  /** Says that an event was committed. */
  wake(): void;
  /** Writes and seals what is left, if this process seals, and says where the chain ends. */
  stop(): Promise<void>;
}

class EventKeeper implements EventKeeping {
  readonly #deps: EventKeepingDeps;
  readonly #settings: EventKeepingSettings;
  readonly #stopping = new AbortController();
  readonly #running: Promise<unknown>;
  #sealing: WorkLoop | undefined;
  #upkeepAt = Number.NEGATIVE_INFINITY;
  #told = 0;

  constructor(deps: EventKeepingDeps, settings: EventKeepingSettings) {
    this.#deps = deps;
    this.#settings = settings;
    this.#running = Promise.all([this.#flush(), this.#seal()]);
  }

  wake(): void {
    this.#sealing?.wake();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  /** As long as the process runs. */
  async #flush(): Promise<void> {
    while (await pause(this.#settings.flush, this.#stopping.signal)) await this.#deps.flushRefusals();
  }

  /** While no other process does. */
  async #seal(): Promise<void> {
    const { log } = this.#deps;
    const lease = new Lease('seal events', this.#deps, this.#settings);
    const { signal } = this.#stopping;
    let failures = 0;
    while (!signal.aborted) {
      try {
        await lease.run(0, signal, (held) => this.#sealWhile(held));
        failures = 0;
        await pause(this.#settings.takeOver, signal);
      } catch (err) {
        if (failures === 0 && !signal.aborted)
          log.error({ err }, 'the sealing of events waits for the store');
        await pause(waitAfter(this.#settings.retry, failures), signal);
        failures += 1;
      }
    }
  }

  async #sealWhile(held: AbortSignal): Promise<void> {
    const { log } = this.#deps;
    const { poll, gap, busyGap, retry } = this.#settings;
    let isMore = false;
    const loop = new WorkLoop(
      {
        turn: async () => {
          isMore = await this.#turn();
          return isMore;
        },
        gap: () => (isMore ? busyGap : gap),
        failed: (err) => log.error({ err }, 'the sealing of events waits for the store'),
        recovered: () => log.info({}, 'the sealing of events goes on'),
      },
      { poll, retry },
      held,
    );
    this.#sealing = loop;
    await loop.run();
    this.#sealing = undefined;
    if (this.#stopping.signal.aborted) await this.#finish();
  }

  /** Whether there may be more to do at once. */
  async #turn(): Promise<boolean> {
    const isMore = await this.#deps.sealing.seal();
    const now = performance.now();
    if (now - this.#upkeepAt < this.#settings.upkeep) return isMore;
    const isOlder = await this.#deps.sealing.removeOld();
    if (isOlder) return true;
    await this.#tellHead();
    this.#upkeepAt = now;
    return isMore;
  }

  /** A store that is down leaves it to the next process. */
  async #finish(): Promise<void> {
    try {
      await this.#deps.flushRefusals();
      while (await this.#deps.sealing.seal());
      await this.#tellHead();
    } catch (err) {
      this.#deps.log.warn({ err }, 'the last events are left to be sealed by the next process');
    }
  }

  /** Whoever keeps this line elsewhere can prove that nothing was cut off. */
  async #tellHead(): Promise<void> {
    const { position, hash } = await this.#deps.sealing.head();
    if (position === this.#told) return;
    this.#deps.log.info({ position, hash }, 'the events have reached this position');
    this.#told = position;
  }
}

/** Starts the keeping of events; every process has its own, and one at a time seals. */
export function startEventKeeping(
  deps: EventKeepingDeps,
  settings: EventKeepingSettings = EVENT_KEEPING,
): EventKeeping {
  return new EventKeeper(deps, settings);
}
