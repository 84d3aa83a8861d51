import type { Transaction } from '../store.ts';

/** What makes a create happen once: its part of the creating transaction. */
export interface Once<T> {
  /** The first of the transaction: takes the key. Throws `idempotency_key_running` where another request has it. */
  begin(tx: Transaction): Promise<void>;
  /** The last of it: keeps the answer to what was created; lets go of the key where nothing was. */
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
