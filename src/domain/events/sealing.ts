/** Gives committed events their positions, and removes old events. One process at a time does this. */
import { type Clock, earlier } from '../../model/clock.ts';
import { millisecondsOfId } from '../../model/events/event-id.ts';
import {
  type ChainEnd,
  type EventHead,
  nextEnd,
  type WrittenEvent,
} from '../../model/events/stored-event.ts';
import type { Store } from '../../model/store.ts';
import { pipelined } from '../../runtime/pipelined.ts';

/** Maximum number of events in one transaction: other writers of an embedded database wait for it. */
const SEALED_AT_ONCE = 500;
const REMOVED_AT_ONCE = 500;
const DAY = 86_400_000;
/** Retention of counts of refusals: 48 hours of statistics, and the current hour. */
const COUNTED_FOR = 3 * DAY;
const HOUR_DIGITS = 13;

export interface SealingDeps {
  readonly store: Pick<Store, 'transaction' | 'events'>;
  readonly clock: Clock;
  /** Retention of events in days; 0 keeps them for ever. */
  readonly keepDays: number;
}

/** The greatest id and the greatest lag, after the given events. */
function lagOf({ latestId, lag }: EventHead, events: readonly WrittenEvent[]) {
  let latest = latestId;
  let most = lag;
  for (const { id } of events) {
    if (id < latest) most = Math.max(most, millisecondsOfId(latest) - millisecondsOfId(id));
    else latest = id;
  }
  return { latestId: latest, lag: most };
}

export function eventSealing({ store, clock, keepDays }: SealingDeps) {
  return {
    head: (): Promise<EventHead> => store.events.head(),

    /**
     * Seals the next events, in order of their ids. A transaction that commits later gets a later position.
     * @returns whether there may be more
     */
    async seal(): Promise<boolean> {
      if (!(await store.events.isWaiting())) return false;
      return store.transaction(async (tx) => {
        // A concurrent sealer waits for the head, and then finds these events sealed.
        const [head, waiting] = await pipelined(tx.events.lockHead(), tx.events.waiting(SEALED_AT_ONCE));
        if (waiting.length === 0) return false;
        const hashes = new Map<string, string>();
        let end: ChainEnd = head;
        for (const event of waiting) {
          end = nextEnd(end, event);
          hashes.set(event.id, end.hash);
        }
        tx.events.seal(head.position, hashes, { ...end, ...lagOf(head, waiting) });
        return waiting.length === SEALED_AT_ONCE;
      });
    },

    /**
     * Removes the oldest events whose retention is over.
     * @returns whether there may be more
     */
    async removeOld(): Promise<boolean> {
      const now = clock.now();
      const before = earlier(now, keepDays * DAY);
      return store.transaction(async (tx) => {
        tx.events.forgetRefusals(earlier(now, COUNTED_FOR).slice(0, HOUR_DIGITS));
        if (keepDays === 0) return false;
        const [, oldest] = await pipelined(tx.events.lockHead(), tx.events.oldest(REMOVED_AT_ONCE));
        const fresh = oldest.findIndex(({ time }) => time >= before);
        const old = fresh === -1 ? oldest : oldest.slice(0, fresh);
        const last = old.at(-1);
        if (last === undefined) return false;
        tx.events.removeUpTo({ position: last.position, hash: last.hash });
        return old.length === REMOVED_AT_ONCE;
      });
    },
  };
}

export type EventSealing = ReturnType<typeof eventSealing>;
