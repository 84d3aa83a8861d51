const SPAN = 2 ** 32;

/** Whether serial `a` is later than `b` in the arithmetic of RFC 1982. */
export function isLaterSerial(a: number, b: number): boolean {
  const distance = (a - b + SPAN) % SPAN;
  return distance > 0 && distance < SPAN / 2;
}

/** The first serial of a zone: the time in seconds, and never 0. */
export function firstSerial(seconds: number): number {
  return seconds % SPAN || 1;
}

/** The serial after `previous`: the time in seconds if that is later (RFC 1982), else `previous` + 1; never 0. */
export function nextSerial(previous: number, seconds: number): number {
  const now = seconds % SPAN;
  const next = isLaterSerial(now, previous) ? now : (previous + 1) % SPAN;
  return next === 0 ? 1 : next;
}
