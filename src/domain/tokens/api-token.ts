/** An API token as it is stored: never the secret, only its hash. */
export interface ApiToken {
  readonly id: string;
  /** SHA-256 of the secret, hexadecimal. */
  readonly hash: string;
  readonly projectId: string;
  readonly userId: string;
  readonly roles: readonly string[];
  readonly createdAt: string;
  /** Null: never. */
  readonly expiresAt: string | null;
}
