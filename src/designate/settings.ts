/** How to read from a Designate. */
export interface DesignateSettings {
  /** URL of the API, with or without `/v2`. */
  readonly url: string;
  /** Time-out of an answer in milliseconds, from connecting to its last byte. */
  readonly timeoutMs: number;
  /** Number of retries, with growing pauses. */
  readonly retries: number;
  /** Pause before the first retry, in milliseconds; doubled for each further one. */
  readonly firstPauseMs: number;
  /** Entries per page. */
  readonly pageSize: number;
  /** PEM: certificates to trust instead of the default ones. */
  readonly ca: Buffer | undefined;
  /** Disables certificate verification. */
  readonly isInsecure: boolean;
}

/** Supplies the token for requests. */
export interface TokenSource {
  /** @throws SourceTrouble */
  get(): Promise<string>;
  /** Reports that a token is no longer accepted. Returns false if there is no other. */
  renew(token: string): boolean;
}
