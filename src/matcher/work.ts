/**
 * Work is counted before it is done, by the size of what is made, in units of about two nanoseconds. Whoever makes
 * something large calls `spend` as it grows; whoever has little time calls `within` around it.
 */
class TooMuchWork extends Error {}

const TOO_MUCH = new TooMuchWork('There is more to do than was allowed.');

let left = Number.POSITIVE_INFINITY;

/** Counts work that is about to be done. */
export function spend(units: number): void {
  left -= units;
  if (left < 0) throw TOO_MUCH;
}

/** What was made, and the units that it took. */
export interface Made<T> {
  readonly value: T;
  readonly units: number;
}

/** Makes something that takes no more than so many units; undefined when it would take more. */
export function within<T>(units: number, make: () => T): Made<T> | undefined {
  const outer = left;
  const most = Math.min(units, outer);
  left = most;
  try {
    const value = make();
    return { value, units: most - left };
  } catch (error) {
    if (error !== TOO_MUCH || most < units) throw error;
    return undefined;
  } finally {
    left = outer - (most - Math.max(left, 0));
  }
}
