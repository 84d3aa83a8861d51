/** The number of serials: they have 32 bits and wrap around (RFC 1982). */
export const SERIAL_SPAN = 2 ** 32;

/** Whether serial `a` is later than `b` by RFC 1982. If they are 2^31 apart, neither is. */
export function isLaterSerial(a: number, b: number): boolean {
  const distance = (a - b + SERIAL_SPAN) % SERIAL_SPAN;
  return distance > 0 && distance < SERIAL_SPAN / 2;
}
