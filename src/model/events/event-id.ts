import { randomUUID } from 'node:crypto';

/** Hexadecimal digits of the milliseconds, and of the version and the microseconds (RFC 9562, 5.7). */
function timeDigits(time: string): { readonly milliseconds: string; readonly version: string } {
  const milliseconds = Date.parse(`${time.slice(0, 23)}Z`)
    .toString(16)
    .padStart(12, '0');
  const microseconds = Number(time.slice(23)).toString(16).padStart(3, '0');
  return { milliseconds, version: `7${microseconds}` };
}

function laidOut({ milliseconds, version }: ReturnType<typeof timeDigits>, rest: string): string {
  return `${milliseconds.slice(0, 8)}-${milliseconds.slice(8)}-${version}-${rest.slice(0, 4)}-${rest.slice(4)}`;
}

/**
 * The id of an event: a version 7 UUID, ordered by time, so that each index of ids grows at its end.
 * @param time the 26 characters of the interface
 */
export function eventIdAt(time: string): string {
  // The variant and the random digits come from an ordinary UUID.
  return laidOut(timeDigits(time), randomUUID().slice(19).replace('-', ''));
}

/** Milliseconds since 1970, taken from an event id. */
export function millisecondsOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** The lowest possible id of an event at or after a time. */
export function minIdAt(time: string): string {
  return laidOut(timeDigits(time), '8000000000000000');
}
