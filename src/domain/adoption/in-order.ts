/**
 * Works on some items ahead, and gives what came of each in the order of the items.
 * @param atOnce how many are worked on at a time
 */
export async function* inOrder<T, R>(
  items: AsyncIterable<T>,
  atOnce: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R, void> {
  const begun: Promise<R>[] = [];
  for await (const item of items) {
    const one = work(item);
    // Whoever takes it sees its failure; until then it must not end the process.
    one.catch(() => {});
    begun.push(one);
    if (begun.length >= atOnce) yield await begun.shift()!;
  }
  for (const one of begun) yield await one;
}
