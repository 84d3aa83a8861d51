/** What the author of a pattern should know. */
export interface Warning {
  readonly code: string;
  readonly message: string;
}

export function lintPattern(_source: string): Warning[] {
  return [];
}
