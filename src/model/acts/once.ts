import type { Transaction } from '../store.ts';

/** The part of a creating transaction that makes it happen only once. */
export interface Once<T> {
  /** The first step of the transaction: takes the key. Throws `idempotency_key_running` if another request holds it. */
  begin(tx: Transaction): Promise<void>;
  /** The last step: stores the answer to the create, or releases the key if nothing was created. */
  end(tx: Transaction, created: T | undefined): void;
}

/** The same for what becomes the thing that is kept; undefined stays so. */
export function onceFor<T, K>(once: Once<K> | undefined, kept: (created: T) => K): Once<T> | undefined {
  if (once === undefined) return undefined;
  return {
    begin: once.begin,
    end: (tx, created) => once.end(tx, created === undefined ? undefined : kept(created)),
  };
}
