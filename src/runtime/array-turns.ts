/** Work on long arrays that yields to the event loop between turns. */
import { eachInTurns, type TimeSlices } from './cooperative-yield.ts';

/** Number of items that are sorted at once. */
const SORTED_AT_ONCE = 1024;

export async function mapInTurns<T, R>(
  items: Iterable<T>,
  work: (item: T) => R,
  turns: TimeSlices,
): Promise<R[]> {
  const mapped: R[] = [];
  await eachInTurns(items, (item) => void mapped.push(work(item)), turns);
  return mapped;
}

/** Merges two sorted arrays. Of equal items, those of the first come first. */
function* merged<T>(one: readonly T[], other: readonly T[], compare: (a: T, b: T) => number): Generator<T> {
  let [at, atOther] = [0, 0];
  while (at < one.length || atOther < other.length) {
    const isNext = atOther >= other.length || (at < one.length && compare(one[at]!, other[atOther]!) <= 0);
    yield isNext ? one[at++]! : other[atOther++]!;
  }
}

/** Sorts pieces of the items, each by itself. */
async function sortedPieces<T>(
  items: readonly T[],
  compare: (one: T, other: T) => number,
  turns: TimeSlices,
): Promise<readonly (readonly T[])[]> {
  const starts = Array.from(
    { length: Math.ceil(items.length / SORTED_AT_ONCE) },
    (_, at) => at * SORTED_AT_ONCE,
  );
  return mapInTurns(starts, (start) => items.slice(start, start + SORTED_AT_ONCE).sort(compare), turns);
}

/** A sorted copy. Equal items keep their order. */
export async function sortedInTurns<T>(
  items: readonly T[],
  compare: (one: T, other: T) => number,
  turns: TimeSlices,
): Promise<readonly T[]> {
  let pieces = await sortedPieces(items, compare, turns);
  while (pieces.length > 1) {
    const longer: (readonly T[])[] = [];
    for (let place = 0; place < pieces.length; place += 2) {
      const both = merged(pieces[place]!, pieces[place + 1] ?? [], compare);
      longer.push(await mapInTurns(both, (item) => item, turns));
    }
    pieces = longer;
  }
  return pieces[0] ?? [];
}
