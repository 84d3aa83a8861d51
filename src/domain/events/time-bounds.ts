import { earlier, later } from '../../model/clock.ts';
import { leastIdAt } from '../../model/events/event-id.ts';
import type { EventReads } from '../../model/events/store.ts';

type Reads = Pick<EventReads, 'head' | 'positionBefore' | 'positionFrom'>;

/** No event is as late, and no later time can be written. */
const LAST = '9999-12-31';
/** Times are rounded to milliseconds. */
const SLACK = 2;

/**
 * A position that all events at or after a time lie behind. The order of the positions is not that of the times, but where an
 * event is earlier by more than the greatest lag, none of them has a lesser position: it would lag more.
 */
export async function behindAll(reads: Reads, since: string): Promise<number> {
  const { lag } = await reads.head();
  return (await reads.positionBefore(leastIdAt(earlier(since, lag + SLACK)))) ?? 0;
}

/** A position that all events before a time lie before; undefined where any may. */
export async function beforeAll(reads: Reads, until: string): Promise<number | undefined> {
  if (until >= LAST) return undefined;
  const { lag } = await reads.head();
  return reads.positionFrom(leastIdAt(later(until, lag + SLACK)));
}
