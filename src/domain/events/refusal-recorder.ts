import { isUnknownOutcome } from '../../model/errors.ts';
import type { Event } from '../../model/event-types/event.ts';
import type { EventKeys } from '../../model/events/event-key.ts';
import type { RefusalCount } from '../../model/events/store.ts';
import type { Store } from '../../model/store.ts';
import type { Log } from '../../runtime/log.ts';
import { recordOf } from './event-record.ts';
import { HourlyShares } from './hourly-shares.ts';

/** Maximum number of refusals of each project stored as events between two writes, which are one second apart. */
export const LISTED_OF_PROJECT = 10;
/** Maximum for all projects together; any more are only counted. */
const MAX_LISTED = 500;
/** Maximum number of pending counters by entry; beyond it, counters are merged per hour and type. */
const MAX_COUNTERS = 1000;
/**
 * Maximum number of merged counters; any more are dropped. Types are few, so this is about the hours of store downtime
 * that can be counted.
 */
const MAX_LUMPED = 1000;
const HOUR_DIGITS = 13;

type RefusalEvent = Event & { readonly error: unknown };

function isRefusal(event: Event): event is RefusalEvent & Event {
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
 * Stores refusals in the background: a request neither waits for the write nor fails with it. Every refusal is counted;
 * some of each project are stored as events. Pending refusals are bounded.
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

  /** An event sink. */
  take(event: Event): void {
    if (!isRefusal(event)) return;
    const hour = event.time.slice(0, HOUR_DIGITS);
    const blacklistId = this.#shares.blacklistFor(hour, blacklistOf(event));
    this.#count({ hour, type: event.type, blacklistId, count: 1 });
    const { projectId } = event.context;
    const before = this.#ofProject.get(projectId) ?? 0;
    if (before >= LISTED_OF_PROJECT || this.#listed.length >= MAX_LISTED) return;
    if (!this.#shares.take(hour, projectId)) return;
    this.#ofProject.set(projectId, before + 1);
    this.#listed.push(event);
  }

  /**
   * Writes pending refusals. If the store is down, they are kept for the next write, unless they may have been
   * committed.
   */
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
      // An event written twice could never be sealed: its id would already have a position.
      if (!isUnknownOutcome(err)) this.#keep(listed, counts);
      if (this.#isReached) this.#deps.log.warn({ err }, 'the store is unavailable: refusals are waiting');
      this.#isReached = false;
    }
  }

  #keep(listed: readonly Event[], counts: readonly RefusalCount[]): void {
    this.#listed = [...listed, ...this.#listed].slice(0, MAX_LISTED);
    for (const count of counts) this.#count(count);
  }

  #count(one: RefusalCount): void {
    const isLumped = this.#counts.size >= MAX_COUNTERS;
    const counted = isLumped ? { ...one, blacklistId: '' } : one;
    const key = `${counted.hour} ${counted.type} ${counted.blacklistId}`;
    const before = this.#counts.get(key);
    if (before === undefined && this.#counts.size >= MAX_COUNTERS + MAX_LUMPED) return;
    this.#counts.set(key, { ...counted, count: (before?.count ?? 0) + counted.count });
  }
}
