/** The login session. The token is kept in memory, or in the tab's session storage if the user chooses so. */

import { cell } from '../cell.ts';
import type { Caller } from './types.ts';

const KEPT_AS = 'zonewarden-token';

export interface Session {
  readonly token: string;
  readonly caller: Caller;
  /** The token is no longer valid: the user must log in again, and the page keeps its contents. */
  readonly isOver: boolean;
}

/** Undefined while nobody is logged in. */
export const session = cell<Session | undefined>(undefined);

function storage(): Storage | undefined {
  try {
    return window.sessionStorage;
  } catch {
    return undefined;
  }
}

/** The token that was kept for this tab. */
export function keptToken(): string | undefined {
  return storage()?.getItem(KEPT_AS) ?? undefined;
}

export function begin(token: string, caller: Caller, isKept: boolean): void {
  if (isKept) storage()?.setItem(KEPT_AS, token);
  else storage()?.removeItem(KEPT_AS);
  session.set({ token, caller, isOver: false });
}

/** The service rejected the token. */
export function noteOver(token: string): void {
  const present = session.value;
  if (present?.token === token) session.set({ ...present, isOver: true });
}

export function end(): void {
  storage()?.removeItem(KEPT_AS);
  session.set(undefined);
}

/** True if the policy grants the caller a rule. */
export function may({ caller }: Pick<Session, 'caller'>, rule: string): boolean {
  return caller.operations.includes(rule);
}
