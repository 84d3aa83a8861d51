export interface PatternWarning {
  readonly code: string;
  readonly message: string;
}

/** Checks of a single pattern. */
export interface PatternLanguage {
  /** Why the text is not a valid pattern, with the position, or undefined. */
  fault(pattern: string): string | undefined;
  warnings(pattern: string): readonly PatternWarning[];
}
