/** Queries about patterns and names that have no side effects. */

/** Some of the patterns that match a name. */
export interface Survey {
  /** Their numbers, sorted. */
  readonly matches: readonly number[];
  /** True if there may be others. */
  readonly more: boolean;
  /** Numbers of patterns that were not decided because they take too long. */
  readonly undecided: readonly number[];
  /** Cost, in units of the matcher. */
  readonly units: number;
}

/** Compares a name with every pattern, within the budget of a check. */
export interface NameSurveyor {
  /** @param max maximum number of matches returned */
  survey(forms: readonly string[], onBehalfOf: string, max: number): Promise<Survey>;
}

/** The position of a match in a form of a name, as in CPython's `re.search`: in characters, with an exclusive end. */
export interface MatchLocation {
  readonly form: number;
  readonly start: number;
  readonly end: number;
}

/** The verdicts of a single pattern, as numbers. */
export const SCANNED = { miss: 0, match: 1, undecided: 2 } as const;

/** Compares single patterns with names without delaying creates. Projects take turns. */
export interface NameScanner {
  /**
   * Matches a pattern against each name, given with all its forms. It stops after about a second, and decides at least
   * one name.
   * @throws the reason of the signal
   */
  scan(
    pattern: string,
    names: readonly (readonly string[])[],
    onBehalfOf: string,
    signal: AbortSignal,
  ): Promise<Uint8Array>;
  /**
   * The first match of each pattern, in the first form that matches; null if unknown.
   * @param until deadline on the scale of `performance.now()`
   */
  locate(
    patterns: readonly string[],
    forms: readonly string[],
    onBehalfOf: string,
    until: number,
  ): Promise<readonly (MatchLocation | null)[]>;
}
