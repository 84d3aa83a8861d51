import type { AdmissionLimits } from './admission.ts';

/** Read anew for each token request, so that its file can be replaced at run time. */
export type Secret = () => string;

/** How the service itself obtains a Keystone token. */
export type OwnCredentials =
  | {
      readonly kind: 'password';
      readonly userName: string;
      readonly userDomain: string;
      readonly password: Secret;
      /** Undefined: a system-scoped token. */
      readonly project: { readonly name: string; readonly domain: string } | undefined;
    }
  | { readonly kind: 'application credential'; readonly id: string; readonly secret: Secret }
  /** A user's credentials: the `auth` object of the token request. */
  | { readonly kind: 'as given'; readonly auth: object };

export interface ConnectionSettings {
  /** Time-out of a request in milliseconds, from connecting to the last byte of the answer, including retries. */
  readonly timeoutMs: number;
  /** Number of retries after a broken connection, or when a proxy reports that Keystone is unavailable. */
  readonly retries: number;
  /** PEM: certificates to trust, and the client's own certificate and key. */
  readonly ca: Buffer | undefined;
  readonly certificate: Buffer | undefined;
  readonly key: Buffer | undefined;
  /** Disables certificate verification. */
  readonly isInsecure: boolean;
}

export interface KeystoneSettings {
  readonly connection: ConnectionSettings;
  /** Ends in `/v3`. */
  readonly authUrl: string;
  /** Which Keystone endpoint of the catalogue to use; undefined: the one at `authUrl`. */
  readonly endpoint: { readonly interface: string; readonly region: string } | undefined;
  readonly credentials: OwnCredentials;
  /** How long a token's validation is cached, in milliseconds; not at all if not positive. */
  readonly cacheMs: number;
  /** The catalogue type of this service, as named in access rules. */
  readonly serviceType: string;
  /** Roles whose service tokens may forward requests of users with an expired token. */
  readonly serviceTokenRoles: readonly string[];
  /** True if a service token without one of these roles invalidates the request. */
  readonly areServiceRolesRequired: boolean;
  /** Limits of requests to Keystone on behalf of callers. */
  readonly max: { readonly validations: AdmissionLimits; readonly logins: AdmissionLimits };
}
