import type { Caller } from '../acts/caller.ts';

/** Why credentials identify no caller. */
export type NobodyReason = 'missing' | 'unknown' | 'expired';

/** The outcome of authentication. */
export type Authentication =
  | { readonly kind: 'caller'; readonly caller: Caller }
  | { readonly kind: 'nobody'; readonly reason: NobodyReason }
  /** The credentials cannot be checked now. `error` is the reason, for the log. */
  | { readonly kind: 'unavailable'; readonly error: unknown };

/** Identifies the caller. */
export interface Authenticator {
  /** @param token the text of the token; undefined if the request has none */
  authenticate(token: string | undefined): Promise<Authentication>;
}
