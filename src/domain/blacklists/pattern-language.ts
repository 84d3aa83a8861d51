export interface PatternWarning {
  readonly code: string;
  readonly message: string;
}

/** What can be said of a pattern alone. */
export interface PatternLanguage {
  /** Why the text is no pattern, with the position, or undefined. */
  fault(pattern: string): string | undefined;
  warnings(pattern: string): readonly PatternWarning[];
}
