/** The ends of TSIG keys that come with a change of their zone. */
import type { Target } from '../../model/event-types/event.ts';
import type { Transaction } from '../../model/store.ts';
import type { TsigKey, TsigKeyWithoutSecret } from '../../model/tsig-keys/tsig-key.ts';
import type { Emit } from '../unit-of-work/unit-of-work.ts';

export function tsigKeyTarget({ id, name, projectId }: Pick<TsigKey, 'id' | 'name' | 'projectId'>): Target {
  return { kind: 'tsigkey', id, name, projectId };
}

export function withoutSecret({ secret: _, ...key }: TsigKey): TsigKeyWithoutSecret {
  return key;
}

/** Deletes keys that this transaction has locked. */
export function endKeys(tx: Transaction, keys: readonly TsigKey[], emit: Emit): void {
  for (const key of keys) {
    tx.tsigKeys.remove(key.id);
    emit({ type: 'tsigkey.deleted', target: tsigKeyTarget(key), before: withoutSecret(key) });
  }
}
