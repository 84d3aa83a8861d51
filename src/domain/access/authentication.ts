import type { Caller } from '../../model/access/caller.ts';

/**
 * Why credentials identify no caller. `forbidden_here`: they are valid for other requests only. `unknown_service`: the
 * service token is unknown or has expired. `wrong_password`: the login failed. `other_network`: the scope of the token
 * does not allow the address of the client.
 */
export type NobodyReason =
  | 'missing'
  | 'unknown'
  | 'expired'
  | 'forbidden_here'
  | 'other_network'
  | 'unknown_service'
  | 'wrong_password';

/** The outcome of authentication. */
export type Authentication =
  | { readonly kind: 'caller'; readonly caller: Caller }
  /** `issuer`: whose format the credentials have. Only those in our own format count as guesses at a secret. */
  | { readonly kind: 'nobody'; readonly reason: NobodyReason; readonly issuer: 'ourselves' | 'keystone' }
  /** The credentials cannot be checked now. `error` is the cause, for the log. */
  | { readonly kind: 'unavailable'; readonly error: unknown };

/** A request's credentials, and the facts that decide where they are valid. */
export interface Credentials {
  /** The text of the token; undefined if the request has none. */
  readonly token: string | undefined;
  /** The token of the service that forwards the request on someone's behalf. */
  readonly serviceToken?: string | undefined;
  /** The operation: the method, and the path without its query. */
  readonly method: string;
  readonly path: string;
  /** Address of the client. */
  readonly address: string;
}

/** Identifies the caller. */
export interface Authenticator {
  authenticate(credentials: Credentials): Promise<Authentication>;
}
