/**
 * Work is counted before it is done, by the size of what is made, in units of about two nanoseconds. Whoever makes
 * something large calls `spend` as it grows; whoever has little time calls `within` around it.
 */
class TooMuchWork extends Error {}

const TOO_MUCH = new TooMuchWork('There is more to do than was allowed.');

/** All that has been counted, and how far that may go. */
let spent = 0;
let limit = Number.POSITIVE_INFINITY;

/** Counts work that is about to be done. */
export function spend(units: number): void {
  const total = spent + units;
  if (!(total <= limit)) throw TOO_MUCH;
  spent = total;
}

/** What was made, and the units that it took. */
export interface Made<T> {
  readonly value: T;
  readonly units: number;
}

/**
 * Makes something that takes no more than so many units; undefined when it would take more. What it takes counts for
 * whatever is around it, too.
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
