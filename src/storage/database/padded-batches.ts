/** Numbers of a batch. */
const MOST = 128;

/**
 * Numbers in ascending order, in batches whose lengths are powers of two: the last number of a batch fills it up. So there are
 * few texts of a statement that has a list of any length, and the server sees the numbers, each of which it finds by index.
 */
export function* paddedBatches(numbers: readonly number[]): Generator<readonly number[]> {
  const sorted = [...numbers].sort((one, other) => one - other);
  for (let start = 0; start < sorted.length; start += MOST) {
    const batch = sorted.slice(start, start + MOST);
    const length = 2 ** Math.ceil(Math.log2(batch.length));
    yield [...batch, ...Array.from({ length: length - batch.length }, () => batch.at(-1)!)];
  }
}
