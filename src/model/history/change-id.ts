import { randomUUID } from 'node:crypto';
import { minIdAt } from '../events/event-id.ts';

const DIGITS_OF_A_NUMBER = 7;

/**
 * The id of a change: a version 7 UUID, ordered by time, and at one time by the version of the zone.
 * @param at the 26 characters of the interface
 */
export function changeIdAt(at: string, number: number): string {
  const count = number.toString(16).padStart(DIGITS_OF_A_NUMBER, '0').slice(-DIGITS_OF_A_NUMBER);
  // Node keeps random bytes for UUIDs; it would get others one by one. The first group is all random (RFC 9562, section 5.4).
  const rest = `8${count}${randomUUID().slice(0, 8)}`;
  return `${minIdAt(at).slice(0, 19)}${rest.slice(0, 4)}-${rest.slice(4)}`;
}
