/** Streams all entries, page by page, with at most one page in memory. */
export async function* paged<T>(
  page: (after: T | undefined) => Promise<readonly T[]>,
): AsyncGenerator<T, undefined> {
  let last: T | undefined;
  for (;;) {
    const entries = await page(last);
    yield* entries;
    last = entries.at(-1);
    if (last === undefined) return undefined;
  }
}
