export interface TakenUpdateReads {
  /** The RCODE of a message that was taken. */
  find(id: string): Promise<number | undefined>;
}

export interface TakenUpdateWrites {
  /**
   * Takes a message, with the RCODE of its answer; waits for another transaction that takes it. Returns false if it was
   * taken before.
   */
  take(id: string, rcode: number, expiresAt: string): Promise<boolean>;
  /** Sets the RCODE of a message that this transaction took. */
  answer(id: string, rcode: number): void;
  /** Removes up to `most` messages that expired before a time, and returns their number. */
  removeExpired(before: string, most: number): Promise<number>;
}
