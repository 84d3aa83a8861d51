/** A user's login to an external identity service. */
export interface PasswordCredentials {
  readonly user: string;
  readonly password: string;
  /** Name of the user's domain. */
  readonly domain: string;
  /** Project to scope the token to; undefined: the user's default project. */
  readonly project: { readonly name: string; readonly domain: string } | undefined;
  /** Address of the client. */
  readonly address: string;
}

export type LoginOutcome =
  | {
      readonly kind: 'token';
      readonly text: string;
      /** Milliseconds since 1970. */
      readonly endsAt: number;
    }
  | { readonly kind: 'refused' };

/** Gets a token for a user. Nothing the user enters is stored. */
export interface PasswordLogin {
  /** @throws DomainError `identity_unavailable`, `too_many_validations` */
  login(credentials: PasswordCredentials): Promise<LoginOutcome>;
}
