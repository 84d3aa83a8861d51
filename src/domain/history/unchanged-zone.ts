import { DomainError } from '../../model/errors.ts';
import type { Zone } from '../../model/zones/zone.ts';

/** How often a zone that changes meanwhile is read again. */
export const MAX_ATTEMPTS = 20;

/**
 * Reads a state of a zone in several steps: anew if the zone has changed meanwhile, which may look like a gap.
 * @param look finds the zone, or refuses
 * @throws DomainError `slow_read` if it changes each time
 */
export async function readUnchanged<T>(
  look: () => Promise<Zone>,
  read: (zone: Zone) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const zone = await look();
    const [result] = await Promise.allSettled([read(zone)]);
    const { version } = await look();
    if (version !== zone.version) continue;
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  }
  throw new DomainError('slow_read');
}
