/**
 * The index for searching zones by part of their name. While it is missing or incomplete, searches only take longer.
 */
export interface NameIndex {
  /** True if it lacks more than a search can compensate for. */
  isBehind(): Promise<boolean>;
  /** Does one part of the indexing. The signal aborts a part that takes long. */
  catchUp(signal: AbortSignal): Promise<CaughtUp>;
}

export interface CaughtUp {
  readonly more: boolean;
  /** Why the database cannot have the index; undefined if it can. */
  readonly refusal?: string;
}
