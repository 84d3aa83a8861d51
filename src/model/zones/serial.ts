import { isLaterSerial, SERIAL_SPAN } from '../../dns/serial.ts';

/** How far more than one change per second may have moved serials ahead of the clock, in seconds. */
const SECONDS_AHEAD = 86_400;

/** A serial later than any derived from the clock until now. The argument is the current time in seconds. */
export function serialAhead(seconds: number): number {
  return (seconds + SECONDS_AHEAD) % SERIAL_SPAN;
}

/** The first serial of a zone: the current time in seconds, but never 0. */
export function firstSerial(seconds: number): number {
  return seconds % SERIAL_SPAN || 1;
}

/** The serial after `previous`: the time in seconds if it is later (RFC 1982), otherwise `previous` + 1; never 0. */
export function nextSerial(previous: number, seconds: number): number {
  const now = seconds % SERIAL_SPAN;
  const next = isLaterSerial(now, previous) ? now : (previous + 1) % SERIAL_SPAN;
  return next === 0 ? 1 : next;
}
