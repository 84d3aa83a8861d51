/** Exponential backoff: each wait is `factor` times the previous one, up to `maxMs`. */
export interface Backoff {
  readonly firstMs: number;
  readonly factor: number;
  readonly maxMs: number;
}

/** Caps the exponent so that the power cannot overflow; the wait is `maxMs` from there on. */
const MAX_EXPONENT = 64;

/** Returns the wait before the next attempt, in milliseconds. @param failures failed attempts before the last one */
export function delayAfter({ firstMs, factor, maxMs }: Backoff, failures: number): number {
  return Math.min(maxMs, firstMs * factor ** Math.min(failures, MAX_EXPONENT));
}
