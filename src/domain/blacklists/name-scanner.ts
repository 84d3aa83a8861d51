/** What can be found out about patterns and names for whoever only asks. */

/** Some of the patterns that match a name. */
export interface Survey {
  /** Their numbers, sorted. */
  readonly matches: readonly number[];
  /** Whether there may be others. */
  readonly more: boolean;
  /** If not all could be looked at: the numbers of patterns that take long. */
  readonly undecided: readonly number[];
  /** What it took, in the units of the matcher. */
  readonly units: number;
}

/** Compares a name with every pattern, within the budget of a check. */
export interface NameSurveyor {
  /** @param most how many matches are told */
  survey(forms: readonly string[], onBehalfOf: string, most: number): Promise<Survey>;
}

/** Where a pattern is found in a form of a name, as CPython's `re.search` says: in characters, the end not in it. */
export interface Place {
  readonly form: number;
  readonly start: number;
  readonly end: number;
}

/** The verdicts of one pattern alone, as numbers. */
export const SCANNED = { miss: 0, match: 1, undecided: 2 } as const;

/** Compares single patterns with names, where no create waits for it. Projects take turns. */
export interface NameScanner {
  /**
   * The verdict of a pattern on each name, of which all forms are given: on as many of them as it comes to within a second
   * or so, at least one.
   * @throws the reason of the signal
   */
  scan(
    pattern: string,
    names: readonly (readonly string[])[],
    onBehalfOf: string,
    signal: AbortSignal,
  ): Promise<Uint8Array>;
  /**
   * Where each pattern is found first, in the first form that matches; null where that is not known.
   * @param until when to look no more, by `performance.now()`
   */
  locate(
    patterns: readonly string[],
    forms: readonly string[],
    onBehalfOf: string,
    until: number,
  ): Promise<readonly (Place | null)[]>;
}
