import type { WriteState } from '../../model/store.ts';
import { EdgeError } from './errors.ts';
import type { Route } from './route.ts';

/** Reports if the store can be changed. */
export interface Writability {
  writeState(): WriteState;
}

/** True if a request changes something, unless it is refused. */
export function mayChange({
  guard,
  method,
  onlyReads,
  changesByGet,
}: Pick<Route, 'guard' | 'method' | 'onlyReads' | 'changesByGet'>): boolean {
  if (guard === 'public') return false;
  return method === 'GET' ? changesByGet === true : !onlyReads;
}

/**
 * Refuses routes that may change something while the store is not writable.
 * @throws EdgeError `store_checking` or `store_damaged`
 */
export function requireWritable(route: Route, { writeState }: Writability): void {
  const state = writeState();
  if (state === 'open' || !mayChange(route)) return;
  throw new EdgeError(state === 'checking' ? 'store_checking' : 'store_damaged');
}
