/** Maximum edit distance between names that are considered similar. */
const MAX_DIFFERENT = 2;

/** Number of letters to insert, delete or replace. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const replaced = row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[other.length]!;
}

/** The name that was probably meant; undefined if none is close. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const ranked = names.map((one) => ({ one, far: distance(name.slice(0, 64), one) }));
  const best = ranked.sort((a, b) => a.far - b.far)[0];
  return best !== undefined && best.far <= MAX_DIFFERENT ? best.one : undefined;
}
