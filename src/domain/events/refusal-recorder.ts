import { isUnknownOutcome } from '../../model/errors.ts';
import type { Event } from '../../model/event-types/event.ts';
import type { EventKeys } from '../../model/events/event-key.ts';
import type { RefusalCount } from '../../model/events/store.ts';
import type { Store } from '../../model/store.ts';
import type { Log } from '../../runtime/log.ts';
import { recordOf } from './event-record.ts';
import { HourlyShares } from './hourly-shares.ts';

/** Refusals that are written as events of their own, for each project between two writes, which are a second apart. */
export const LISTED_OF_PROJECT = 10;
/** The same for all projects: what is beyond it is counted only. */
const MOST_LISTED = 500;
/** Counters that are kept until they are written: beyond it those of entries are lumped together. */
const MOST_COUNTERS = 1000;
/** Hours that a store can be down before refusals of the oldest are forgotten; there are few types. */
const MOST_LUMPED = 1000;
const HOUR_DIGITS = 13;

type Refusal = Event & { readonly error: unknown };

function isRefusal(event: Event): event is Refusal & Event {
  return 'error' in event;
}

function blacklistOf(event: Event): string {
  if (!('error' in event)) return '';
  const { blacklist } = event.error.details;
  return typeof blacklist === 'string' ? blacklist : '';
}

export interface RefusalRecorderDeps {
  readonly store: Pick<Store, 'transaction'>;
  readonly keys: EventKeys;
  readonly log: Log;
}

/**
 * Writes refusals beside the requests that met them: a request neither waits for it nor fails by it. Each is counted; some of
 * each project are events. What is kept until it is written is bounded.
 */
export class RefusalRecorder {
  readonly #deps: RefusalRecorderDeps;
  #listed: Event[] = [];
  #ofProject = new Map<string, number>();
  #counts = new Map<string, RefusalCount>();
  #isReached = true;
  readonly #shares = new HourlyShares();

  constructor(deps: RefusalRecorderDeps) {
    this.#deps = deps;
  }

  /** Takes an event as a sink does. */
  take(event: Event): void {
    if (!isRefusal(event)) return;
    const hour = event.time.slice(0, HOUR_DIGITS);
    const blacklistId = this.#shares.blacklistFor(hour, blacklistOf(event));
    this.#count({ hour, type: event.type, blacklistId, count: 1 });
    const { projectId } = event.act;
    const before = this.#ofProject.get(projectId) ?? 0;
    if (before >= LISTED_OF_PROJECT || this.#listed.length >= MOST_LISTED) return;
    if (!this.#shares.take(hour, projectId)) return;
    this.#ofProject.set(projectId, before + 1);
    this.#listed.push(event);
  }

  /** Writes what was taken. A store that is down only delays it; what it may have committed is not written again. */
  async flush(): Promise<void> {
    if (this.#counts.size === 0) return;
    const listed = this.#listed;
    const counts = [...this.#counts.values()];
    this.#listed = [];
    this.#ofProject = new Map();
    this.#counts = new Map();
    try {
      const { store, keys } = this.#deps;
      await store.transaction(async (tx) => {
        for (const event of listed) tx.events.append(recordOf(event, keys.current()));
        tx.events.countRefusals(counts);
      });
      this.#isReached = true;
    } catch (err) {
      // An event that is written twice can never be sealed: its id has its place already.
      if (!isUnknownOutcome(err)) this.#keep(listed, counts);
      if (this.#isReached) this.#deps.log.warn({ err }, 'refusals wait for the store');
      this.#isReached = false;
    }
  }

  #keep(listed: readonly Event[], counts: readonly RefusalCount[]): void {
    this.#listed = [...listed, ...this.#listed].slice(0, MOST_LISTED);
    for (const count of counts) this.#count(count);
  }

  #count(one: RefusalCount): void {
    const isLumped = this.#counts.size >= MOST_COUNTERS;
    const counted = isLumped ? { ...one, blacklistId: '' } : one;
    const key = `${counted.hour} ${counted.type} ${counted.blacklistId}`;
    const before = this.#counts.get(key);
    if (before === undefined && this.#counts.size >= MOST_COUNTERS + MOST_LUMPED) return;
    this.#counts.set(key, { ...counted, count: (before?.count ?? 0) + counted.count });
  }
}
