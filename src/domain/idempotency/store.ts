import type { KeptAnswer } from './idempotency-key.ts';

export interface IdempotencyKeyReads {
  /** The answer that is kept under a key, if it was made after a point in time. */
  find(
    key: string,
    after: string,
  ): Promise<{ readonly bodyHash: string; readonly answer: KeptAnswer } | undefined>;
}

export interface IdempotencyKeyWrites {
  /**
   * Takes a key until the transaction ends. False, and nothing changed, where an answer is kept under it that was made
   * after the point in time. Throws `idempotency_key_running` while another transaction has it.
   */
  claim(
    claim: { readonly key: string; readonly bodyHash: string; readonly createdAt: string },
    after: string,
  ): Promise<boolean>;
  /** Keeps the answer under the key that the transaction has taken. */
  keep(key: string, answer: KeptAnswer): void;
  release(key: string): void;
  /** Removes what was made up to a point in time, the oldest first, at the most so many. */
  removeExpired(upTo: string, most: number): void;
}
