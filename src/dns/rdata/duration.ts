import { RdataError, shown } from './rdata-error.ts';

/** Seconds (RFC 2181 section 8). */
export const MAX_TTL = 2_147_483_647;

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

const PLAIN = /^[0-9]{1,10}$/;
const WITH_UNITS = /^(?:[0-9]{1,10}[smhdw])+$/i;
const PART = /([0-9]+)([smhdw])/gi;
/** Characters: each unit once, with ten digits. */
const MAX_LENGTH = 55;

/** The seconds in text such as `3600` or `1h30m`, or undefined for any other text. */
export function durationSeconds(text: string): number | undefined {
  if (PLAIN.test(text)) return Number(text);
  if (text.length > MAX_LENGTH || !WITH_UNITS.test(text)) return undefined;
  let seconds = 0;
  for (const [, count, unit] of text.matchAll(PART)) seconds += Number(count) * UNITS[unit!.toLowerCase()]!;
  return seconds;
}

/**
 * Reads a TTL or SOA timer in seconds, or in numbers with units.
 * @throws RdataError
 */
export function readDuration(text: string, what: string, max = MAX_TTL): number {
  const seconds = durationSeconds(text);
  if (seconds === undefined || seconds > max) {
    throw new RdataError(
      `The ${what} ${shown(text)} is not a time from 0 to ${max} seconds. Write seconds, or a time such as 1h30m.`,
    );
  }
  return seconds;
}
