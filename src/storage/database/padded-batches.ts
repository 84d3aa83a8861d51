/** Maximum numbers in a batch. */
const MOST = 128;

/**
 * Splits numbers, in ascending order, into batches whose lengths are powers of two, padded with the last number. So a
 * statement with a list of any length needs few texts, and the server still sees the numbers and finds each by index.
 */
export function* paddedBatches(numbers: readonly number[]): Generator<readonly number[]> {
  const sorted = [...numbers].sort((one, other) => one - other);
  for (let start = 0; start < sorted.length; start += MOST) {
    const batch = sorted.slice(start, start + MOST);
    const length = 2 ** Math.ceil(Math.log2(batch.length));
    yield [...batch, ...Array.from({ length: length - batch.length }, () => batch.at(-1)!)];
  }
}
