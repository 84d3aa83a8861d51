/** The index by which zones are found by a part of their name. Without it, or while it is incomplete, searches only take longer. */
export interface NameIndex {
  /** Whether it lacks more than a search can make up for. */
  isBehind(): Promise<boolean>;
  /** Does one part of the work. The signal ends a part that takes long. */
  catchUp(signal: AbortSignal): Promise<CaughtUp>;
}

export interface CaughtUp {
  readonly more: boolean;
  /** Why the database can have no such index; undefined if it can. */
  readonly refusal?: string;
}
