/** How a Designate is read. */
export interface DesignateSettings {
  /** Of the API, with or without `/v2`. */
  readonly url: string;
  /** Milliseconds for one answer, from the connection to its last byte. */
  readonly timeoutMs: number;
  /** How often a question is asked again; the waits between grow. */
  readonly retries: number;
  /** Milliseconds before the first retry; twice as long before each further one. */
  readonly firstPauseMs: number;
  /** Entries of a page. */
  readonly pageSize: number;
  /** PEM: certificates to trust in place of the usual ones. */
  readonly ca: Buffer | undefined;
  /** Whether any certificate is believed. */
  readonly isInsecure: boolean;
}

/** The token to ask with. */
export interface TokenSource {
  /** @throws SourceTrouble */
  get(): Promise<string>;
  /** The token is not taken any more. False where there is no other. */
  renew(token: string): boolean;
}
