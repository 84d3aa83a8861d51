import type { KeptAnswer } from './idempotency-key.ts';

export interface IdempotencyKeyReads {
  /** The answer stored under a key, if it was created after the given time. */
  find(
    key: string,
    after: string,
  ): Promise<{ readonly bodyHash: string; readonly answer: KeptAnswer } | undefined>;
}

/** A key that a request takes. */
export interface Claim {
  readonly key: string;
  readonly projectId: string;
  readonly bodyHash: string;
  readonly createdAt: string;
}

/** A key that is taken, and the place of its answer behind those of the same project. */
export interface Claimed extends Pick<Claim, 'key' | 'projectId'> {
  readonly number: number;
  readonly bytesBefore: number;
  /** The project's answers created after the given time, without this one, and their bytes. */
  readonly kept: { readonly answers: number; readonly bytes: number };
}

/** Which answers to remove: those of one project, or of all, created up to a time. */
export interface AnswerSelection {
  readonly projectId?: string | undefined;
  readonly upTo: string;
}

export interface IdempotencyKeyWrites {
  /**
   * Takes a key until the transaction ends, and locks the count of the project's answers. Undefined if the key has an
   * answer created after the given time; the transaction must not be committed then. Throws `idempotency_key_running`
   * while another transaction holds the key.
   */
  claim(claim: Claim, after: string): Promise<Claimed | undefined>;
  /** Stores the answer under the key that the transaction has taken. */
  keep(claimed: Claimed, answer: KeptAnswer): void;
  release(claimed: Claimed): void;
  /** Removes answers, the oldest first, at most the given number. Returns how many. */
  remove(which: AnswerSelection, most: number): Promise<number>;
  /** The same, where the number is not needed. */
  removeLater(which: AnswerSelection, most: number): void;
}
