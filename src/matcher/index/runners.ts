import type { PatternKind } from './traits.ts';

/** Holds the patterns that have to be run. Long checks are completed there. */
export interface Runners {
  /** @param everywhere true if the pattern is run for every name */
  add(key: number, source: string, everywhere: boolean, kind: PatternKind): void;
  remove(key: number): void;
  /** True if the pattern is stored here. */
  has(key: number): boolean;
  /** Its source, if available. */
  sourceOf(key: number): string | undefined;
}
