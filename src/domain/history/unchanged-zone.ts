import { DomainError } from '../../model/errors.ts';
import type { Zone } from '../../model/zones/zone.ts';

/** How long a zone that changes meanwhile is read again, in milliseconds. */
const LONGEST_MS = 10_000;

/** When to give up what begins now. */
export const deadline = (): number => performance.now() + LONGEST_MS;

/**
 * Reads a state of a zone in several steps: anew if the zone has changed meanwhile, which may look like a gap.
 * @param look finds the zone, or refuses
 * @param until when to give up, in milliseconds of `performance.now`
 * @throws DomainError `slow_read` if it changes each time
 */
export async function readUnchanged<T>(
  look: () => Promise<Zone>,
  read: (zone: Zone) => Promise<T>,
  until = deadline(),
): Promise<T> {
  do {
    const zone = await look();
    const [result] = await Promise.allSettled([read(zone)]);
    const { version } = await look();
    if (version !== zone.version) continue;
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  } while (performance.now() < until);
  throw new DomainError('slow_read');
}
