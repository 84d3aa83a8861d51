import type { StoredResponse } from './idempotency-key.ts';

export interface IdempotencyKeyReads {
  /** The response stored under a key, if it was created after the given time. */
  find(
    key: string,
    after: string,
  ): Promise<{ readonly bodyHash: string; readonly answer: StoredResponse } | undefined>;
}

/** A request's claim to a key. */
export interface Claim {
  readonly key: string;
  readonly projectId: string;
  readonly bodyHash: string;
  readonly createdAt: string;
}

/** A claimed key, and the position of its response after the project's other responses. */
export interface Claimed extends Pick<Claim, 'key' | 'projectId'> {
  readonly number: number;
  readonly bytesBefore: number;
  /** The project's other responses created after the given time: their number and bytes. */
  readonly kept: { readonly responses: number; readonly bytes: number };
}

/** Selects responses to remove: those of one project, or of all, created up to a time. */
export interface StoredResponseSelection {
  readonly projectId?: string | undefined;
  readonly upTo: string;
}

export interface IdempotencyKeyWrites {
  /**
   * Claims a key until the transaction ends, and locks the project's response counts. Returns undefined if the key has
   * a response created after the given time; then the transaction must not be committed. Throws
   * `idempotency_key_running` while another transaction holds the key.
   */
  claim(claim: Claim, after: string): Promise<Claimed | undefined>;
  /** Stores the response under the claimed key. */
  keep(claimed: Claimed, answer: StoredResponse): void;
  release(claimed: Claimed): void;
  /** Removes up to `most` responses, oldest first, and returns their number. */
  remove(which: StoredResponseSelection, most: number): Promise<number>;
  /** Like `remove`, if the number is not needed. */
  removeLater(which: StoredResponseSelection, most: number): void;
}
