import type { WriteState } from '../../model/store.ts';
import { EdgeError } from './errors.ts';
import type { Route } from './route.ts';

/** Reports if the store can be changed. */
export interface Writability {
  writeState(): WriteState;
}

/**
 * Refuses routes that may change something while the store is not writable.
 * @throws EdgeError `store_checking` or `store_damaged`
 */
export function requireWritable({ guard, method, onlyReads }: Route, { writeState }: Writability): void {
  const state = writeState();
  if (state === 'open' || guard === 'public' || method === 'GET' || onlyReads) return;
  throw new EdgeError(state === 'checking' ? 'store_checking' : 'store_damaged');
}
