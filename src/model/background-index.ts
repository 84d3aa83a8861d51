/** An index that the running service builds. While it is missing or incomplete, what needs it only takes longer. */
export interface BackgroundIndex {
  /** True if it lacks more than its readers can compensate for. */
  isBehind(): Promise<boolean>;
  /** Does one part of the indexing. The signal aborts a part that takes long. */
  catchUp(signal: AbortSignal): Promise<CaughtUp>;
}

export interface CaughtUp {
  readonly more: boolean;
  /** Why the database cannot have the index; undefined if it can. */
  readonly refusal?: string;
}
