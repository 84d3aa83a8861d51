import type { Caller } from '../../model/access/caller.ts';

/**
 * Why credentials identify no caller. `forbidden_here`: they are valid for other requests only. `unknown_service`: the
 * service that forwards the request is not who it says. `wrong_password`: of a person who logs in.
 */
export type NobodyReason =
  | 'missing'
  | 'unknown'
  | 'expired'
  | 'forbidden_here'
  | 'unknown_service'
  | 'wrong_password';

/** The outcome of authentication. */
export type Authentication =
  | { readonly kind: 'caller'; readonly caller: Caller }
  /** `issuer`: whose form the credentials have. Only those of our own form count as a guess at a secret. */
  | { readonly kind: 'nobody'; readonly reason: NobodyReason; readonly issuer: 'ourselves' | 'keystone' }
  /** The credentials cannot be checked now. `error` is the reason, for the log. */
  | { readonly kind: 'unavailable'; readonly error: unknown };

/** What a request says about who sends it, and what else may decide whether that counts. */
export interface Credentials {
  /** The text of the token; undefined if the request has none. */
  readonly token: string | undefined;
  /** The token of the service that forwards the request for somebody. */
  readonly serviceToken?: string | undefined;
  /** The operation: the method, and the path without its query. */
  readonly method: string;
  readonly path: string;
  /** Of the client. */
  readonly address: string;
}

/** Identifies the caller. */
export interface Authenticator {
  authenticate(credentials: Credentials): Promise<Authentication>;
}
