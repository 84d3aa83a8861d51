import type { KeptAnswer } from './idempotency-key.ts';

export interface IdempotencyKeyReads {
  /** The answer stored under a key, if it was created after the given time. */
  find(
    key: string,
    after: string,
  ): Promise<{ readonly bodyHash: string; readonly answer: KeptAnswer } | undefined>;
}

export interface IdempotencyKeyWrites {
  /**
   * Takes a key until the transaction ends. False, and nothing changed, if it has an answer created after the given
   * time. Throws `idempotency_key_running` while another transaction holds the key.
   */
  claim(
    claim: { readonly key: string; readonly bodyHash: string; readonly createdAt: string },
    after: string,
  ): Promise<boolean>;
  /** Stores the answer under the key that the transaction has taken. */
  keep(key: string, answer: KeptAnswer): void;
  release(key: string): void;
  /** Removes answers created up to the given time, the oldest first, at most the given number. */
  removeExpired(upTo: string, most: number): void;
}
