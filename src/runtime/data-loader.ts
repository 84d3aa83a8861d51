interface Asking<K, R> {
  readonly key: K;
  readonly resolve: (answer: R | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Combines lookups made in one turn of the event loop.
 * @param most maximum number of lookups per call of `ask`
 * @param ask gets each key once; a key missing from its result resolves to undefined
 */
export function dataLoader<K, R>(
  most: number,
  ask: (keys: readonly K[]) => Promise<ReadonlyMap<K, R>>,
): (key: K) => Promise<R | undefined> {
  let waiting: Asking<K, R>[] = [];

  async function askFor(some: readonly Asking<K, R>[]): Promise<void> {
    try {
      const answers = await ask([...new Set(some.map(({ key }) => key))]);
      for (const { key, resolve } of some) resolve(answers.get(key));
    } catch (error) {
      for (const { reject } of some) reject(error);
    }
  }

  function askAll(): void {
    const all = waiting;
    waiting = [];
    for (let start = 0; start < all.length; start += most) void askFor(all.slice(start, start + most));
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      if (waiting.length === 1) setImmediate(askAll);
    });
}
