import type { Caller } from '../acts/caller.ts';

/** Why credentials stand for nobody. */
export type NobodyReason = 'missing' | 'unknown' | 'expired';

/** What credentials come to. */
export type Authentication =
  | { readonly kind: 'caller'; readonly caller: Caller }
  | { readonly kind: 'nobody'; readonly reason: NobodyReason }
  /** Whoever knows cannot be asked now. `error` says why, for the log. */
  | { readonly kind: 'unavailable'; readonly error: unknown };

/** Finds out who is asking. */
export interface Authenticator {
  /** @param token the text of the token; undefined where the request has none */
  authenticate(token: string | undefined): Promise<Authentication>;
}
