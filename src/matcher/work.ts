/**
 * Counts work before it is done, by the size of what is made, in units of about two nanoseconds. Code that makes
 * something large calls `spend` as it grows; callers with limited time wrap it in `within`.
 */
class TooMuchWork extends Error {}

const TOO_MUCH = new TooMuchWork('There is more to do than was allowed.');

/** All work counted so far, and its current limit. */
let spent = 0;
let limit = Number.POSITIVE_INFINITY;

/** Counts work that is about to be done. */
export function spend(units: number): void {
  const total = spent + units;
  if (!(total <= limit)) throw TOO_MUCH;
  spent = total;
}

/** A result, and the units spent on it. */
export interface Made<T> {
  readonly value: T;
  readonly units: number;
}

/**
 * Makes something within a number of units; undefined if it would take more. The units also count for any enclosing
 * call.
 */
export function within<T>(units: number, make: () => T): Made<T> | undefined {
  const outer = limit;
  const before = spent;
  const own = before + units;
  limit = Math.min(own, outer);
  try {
    const value = make();
    return { value, units: spent - before };
  } catch (error) {
    if (error !== TOO_MUCH || limit < own) throw error;
    return undefined;
  } finally {
    limit = outer;
  }
}
