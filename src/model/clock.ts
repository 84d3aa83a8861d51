import type { Parsed } from '../dns/parsed.ts';

/** Supplies time in the format of the store. */
export interface Clock {
  /** The current time in UTC as `YYYY-MM-DDTHH:MM:SS.ffffff`; strictly increasing. */
  now(): string;
}

/** A clock with real microseconds that never goes backwards, whatever the system clock does. */
export function systemClock(): Clock {
  let offset = 0;
  let last = 0;
  return {
    now() {
      const wall = Date.now() * 1000;
      const ticks = Math.floor(performance.now() * 1000);
      // performance.now() has microseconds but misses changes of the system clock: stay within 2 ms of the wall clock.
      if (Math.abs(offset + ticks - wall) > 2000) offset = wall - ticks;
      last = Math.max(offset + ticks, last + 1);
      return formatMicroseconds(last);
    },
  };
}

/** Formats microseconds since 1970 as the 26 characters of the interface document. */
export function formatMicroseconds(microseconds: number): string {
  const milliseconds = Math.floor(microseconds / 1000);
  const rest = String(microseconds % 1000).padStart(3, '0');
  return `${new Date(milliseconds).toISOString().slice(0, 23)}${rest}`;
}

const TIME_STAMP = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?(Z|[+-]\d\d:\d\d)?$/;
const YEARS = /^\d{4}-/;

/** Converts a point in time written by a person to the format of the store. Without an offset it is UTC. */
export function parseTimestamp(text: string): Parsed<string> {
  const reason = 'Must be a time, such as 2030-01-31T12:00:00.000000 or 2030-01-31T13:00:00+01:00.';
  const [, day = '', time = '', fraction = '', offset = 'Z'] = TIME_STAMP.exec(text) ?? [];
  const midnight = Date.parse(day);
  // Date accepts 2030-02-30 as a day in March.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(day))
    return { ok: false, reason };
  const milliseconds = Date.parse(`${day}${time}${offset}`);
  if (Number.isNaN(milliseconds)) return { ok: false, reason };
  const value = `${new Date(milliseconds).toISOString().slice(0, -4)}${fraction.padEnd(6, '0')}`;
  return YEARS.test(value) ? { ok: true, value } : { ok: false, reason };
}

/** The latest of a new timestamp and those already written, so that `updated_at` never goes backwards. */
export function notBefore(now: string, ...written: readonly (string | null)[]): string {
  return written.reduce<string>((latest, stamp) => (stamp !== null && stamp > latest ? stamp : latest), now);
}

/** The timestamp `milliseconds` before another one. */
export function earlier(timestamp: string, milliseconds: number): string {
  const microseconds = Date.parse(`${timestamp.slice(0, 23)}Z`) * 1000 + Number(timestamp.slice(23));
  return formatMicroseconds(microseconds - milliseconds * 1000);
}

/** The timestamp `milliseconds` after another one. */
export function later(timestamp: string, milliseconds: number): string {
  return earlier(timestamp, -milliseconds);
}

/** Seconds from one timestamp to another; 0 if the second is earlier. */
export function secondsBetween(from: string, to: string): number {
  const microseconds = (stamp: string) =>
    Date.parse(`${stamp.slice(0, 23)}Z`) * 1000 + Number(stamp.slice(23));
  return Math.max(0, microseconds(to) - microseconds(from)) / 1_000_000;
}

/** A timestamp in whole seconds since 1970. */
export function epochSeconds(timestamp: string): number {
  return Math.floor(Date.parse(`${timestamp.slice(0, 23)}Z`) / 1000);
}
