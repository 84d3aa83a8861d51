/** Rights to do some work that one process at a time has. */
export interface LeaseWrites {
  /**
   * Takes a lease that is free, or over, and whose work is due; or extends one's own.
   * @param holder unlike any other
   * @param forMs how long the lease lasts
   * @returns false if another holder has it, or the work is not due
   */
  take(name: string, holder: string, now: string, forMs: number): Promise<boolean>;
  /**
   * Gives one's own lease back.
   * @param due when the work is due again; at once if undefined
   */
  end(name: string, holder: string, due?: { readonly since: string; readonly afterMs: number }): void;
}
