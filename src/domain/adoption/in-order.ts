/**
 * Works ahead on several items, and yields the results in the order of the items.
 * @param atOnce number of items worked on concurrently
 */
export async function* inOrder<T, R>(
  items: AsyncIterable<T>,
  atOnce: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R, void> {
  const begun: Promise<R>[] = [];
  for await (const item of items) {
    const one = work(item);
    // Awaiting the promise reports its failure; until then, a rejection must not end the process.
    one.catch(() => {});
    begun.push(one);
    if (begun.length >= atOnce) yield await begun.shift()!;
  }
  for (const one of begun) yield await one;
}
