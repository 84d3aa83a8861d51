import { isLaterSerial, SERIAL_SPAN } from '../../dns/serial.ts';

/** How far changes that came faster than one a second may have brought serials ahead of the time. */
const SECONDS_AHEAD = 86_400;

/** A serial later than any that was made from the time, in seconds, until now. */
export function serialAhead(seconds: number): number {
  return (seconds + SECONDS_AHEAD) % SERIAL_SPAN;
}

/** The first serial of a zone: the time in seconds, and never 0. */
export function firstSerial(seconds: number): number {
  return seconds % SERIAL_SPAN || 1;
}

/** The serial after `previous`: the time in seconds if that is later (RFC 1982), else `previous` + 1; never 0. */
export function nextSerial(previous: number, seconds: number): number {
  const now = seconds % SERIAL_SPAN;
  const next = isLaterSerial(now, previous) ? now : (previous + 1) % SERIAL_SPAN;
  return next === 0 ? 1 : next;
}
