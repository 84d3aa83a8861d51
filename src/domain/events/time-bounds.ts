import { earlier, later } from '../../model/clock.ts';
import { minIdAt } from '../../model/events/event-id.ts';
import type { EventReads } from '../../model/events/store.ts';

type EventPositionReads = Pick<EventReads, 'head' | 'positionBefore' | 'positionFrom'>;

/** No event is this late, and no later time can be written. */
const LAST = '9999-12-31';
/** Times are rounded to milliseconds. */
const SLACK = 2;

/**
 * A position before all events at or after `since`. Positions are not in time order. But an event earlier than `since`
 * by more than the maximum lag precedes them all; otherwise it would exceed that lag.
 */
export async function behindAll(reads: EventPositionReads, since: string): Promise<number> {
  const { lag } = await reads.head();
  return (await reads.positionBefore(minIdAt(earlier(since, lag + SLACK)))) ?? 0;
}

/** A position after all events before `until`; undefined if there is no bound. */
export async function beforeAll(reads: EventPositionReads, until: string): Promise<number | undefined> {
  if (until >= LAST) return undefined;
  const { lag } = await reads.head();
  return reads.positionFrom(minIdAt(later(until, lag + SLACK)));
}
