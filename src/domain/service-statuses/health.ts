import type { Store } from '../../model/store.ts';

/** How long one answer of the store is cached, in milliseconds. */
const HOLDS_FOR = 1000;

/**
 * A check that the store can be reached. It reads at most once a second, however many callers there are.
 * @returns a function that throws `storage_unavailable` while it cannot
 */
export function storeHealth(store: Pick<Store, 'blacklists'>): () => Promise<void> {
  let asked = Number.NEGATIVE_INFINITY;
  let answer: Promise<void> = Promise.resolve();
  let isWaiting = false;

  async function ask(): Promise<void> {
    isWaiting = true;
    try {
      await store.blacklists.revision();
    } finally {
      isWaiting = false;
      asked = performance.now();
    }
  }

  return () => {
    if (!isWaiting && performance.now() - asked >= HOLDS_FOR) answer = ask();
    return answer;
  };
}
