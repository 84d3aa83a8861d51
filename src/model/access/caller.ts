import type { CredentialScope, WriteRate } from '../scopes/credential-scope.ts';

/** The project of a caller without one, such as a system administrator. No project has this id. */
export const NO_PROJECT = '';

/** Details of a caller from the identity service, for the log. */
export interface CallerDetails {
  readonly userName: string;
  readonly userDomain: string;
  readonly projectName?: string | undefined;
  readonly projectDomain?: string | undefined;
  /** The ids under which the identity service logs the token. */
  readonly auditIds: readonly string[];
}

/** An API token or a TSIG key by which a caller acts. */
export interface Credential {
  readonly kind: 'token' | 'key';
  readonly id: string;
  /** Null if it can do whatever the roles allow. */
  readonly scope: CredentialScope | null;
  /** The ids of the tokens that it descends from; the one that created it comes last. */
  readonly ancestors: readonly string[];
  /** Null if it never expires. */
  readonly expiresAt: string | null;
  /** Its rate and those of its ancestors, by the id of the credential. */
  readonly rates: ReadonlyMap<string, WriteRate>;
}

/** The caller as the domain sees it. */
export interface Caller {
  /** `NO_PROJECT` if the credentials are not for a project. */
  readonly projectId: string;
  readonly userId: string;
  /** As granted; the policy resolves implied roles. */
  readonly roles: readonly string[];
  /** Set if the roles are granted on the whole system rather than on a project. */
  readonly systemScope?: 'all' | undefined;
  readonly details?: CallerDetails | undefined;
  /** Undefined for callers whom another service identifies, for commands, and for the service itself. */
  readonly credential?: Credential | undefined;
  /** True if it may not create credentials, as with a restricted application credential of Keystone. */
  readonly mayNotDelegate?: boolean | undefined;
}
