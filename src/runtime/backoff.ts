/** Waits between attempts: each is `factor` times the one before it, up to `maxMs`. */
export interface Backoff {
  readonly firstMs: number;
  readonly factor: number;
  readonly maxMs: number;
}

/** Any further failure waits `maxMs`; without a bound the power would overflow. */
const MAX_EXPONENT = 64;

/** The wait before the next attempt, in milliseconds. @param failures attempts that failed before the last one */
export function delayAfter({ firstMs, factor, maxMs }: Backoff, failures: number): number {
  return Math.min(maxMs, firstMs * factor ** Math.min(failures, MAX_EXPONENT));
}
