import type { Transaction } from '../store.ts';

/** Makes a creating transaction take effect only once. */
export interface Once<T> {
  /** The first step: takes the key. Throws `idempotency_key_running` if another request holds it. */
  begin(tx: Transaction): Promise<void>;
  /** The last step: stores the response, or releases the key if nothing was created. */
  end(tx: Transaction, created: T | undefined): void;
}

/**
 * Adapts `once` to a create that returns another type than the one stored; `kept` converts it. Undefined stays
 * undefined.
 */
export function onceFor<T, K>(once: Once<K> | undefined, kept: (created: T) => K): Once<T> | undefined {
  if (once === undefined) return undefined;
  return {
    begin: once.begin,
    end: (tx, created) => once.end(tx, created === undefined ? undefined : kept(created)),
  };
}
