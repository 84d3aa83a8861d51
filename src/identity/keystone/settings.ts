import type { AdmissionLimits } from './admission.ts';

/** As the service reads it each time it asks for a token, so that a file can be exchanged while it runs. */
export type Secret = () => string;

/** How the service itself gets a token of Keystone. */
export type OwnCredentials =
  | {
      readonly kind: 'password';
      readonly userName: string;
      readonly userDomain: string;
      readonly password: Secret;
      /** Undefined: a token for the whole system. */
      readonly project: { readonly name: string; readonly domain: string } | undefined;
    }
  | { readonly kind: 'application credential'; readonly id: string; readonly secret: Secret }
  /** What a person gives: the object `auth` of the question for a token. */
  | { readonly kind: 'as given'; readonly auth: object };

export interface ConnectionSettings {
  /** Milliseconds for one question, from the connection to the last byte of the answer, retries included. */
  readonly timeoutMs: number;
  /** How often a question is asked again after a broken connection, or where a proxy says that Keystone is away. */
  readonly retries: number;
  /** PEM: certificates to trust, and the client's own certificate and key. */
  readonly ca: Buffer | undefined;
  readonly certificate: Buffer | undefined;
  readonly key: Buffer | undefined;
  /** Whether any certificate is believed. */
  readonly isInsecure: boolean;
}

export interface KeystoneSettings {
  readonly connection: ConnectionSettings;
  /** Ends in `/v3`. */
  readonly authUrl: string;
  /** Which endpoint of Keystone in its catalogue is asked; undefined: the one at `authUrl`. */
  readonly endpoint: { readonly interface: string; readonly region: string } | undefined;
  readonly credentials: OwnCredentials;
  /** How long an answer about a token is kept, in milliseconds; not at all if not positive. */
  readonly cacheMs: number;
  /** The type under which the catalogue lists this service: what access rules name. */
  readonly serviceType: string;
  /** The roles of services that may forward the request of somebody whose token has expired. */
  readonly serviceTokenRoles: readonly string[];
  /** Whether a service token without one of them makes a request invalid. */
  readonly areServiceRolesRequired: boolean;
  /** What Keystone is asked for callers at most. */
  readonly most: { readonly validations: AdmissionLimits; readonly logins: AdmissionLimits };
}
