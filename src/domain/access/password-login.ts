/** What a person knows of its account elsewhere. */
export interface PasswordCredentials {
  readonly user: string;
  readonly password: string;
  /** The name of the domain of the user. */
  readonly domain: string;
  /** The project that the token is to be for; undefined: that which the account has by default. */
  readonly project: { readonly name: string; readonly domain: string } | undefined;
  /** Of the client. */
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

/** Gets a token for a person. Nothing of what the person gives is kept. */
export interface PasswordLogin {
  /** @throws DomainError `identity_unavailable`, `too_many_validations` */
  login(credentials: PasswordCredentials): Promise<LoginOutcome>;
}
