import type { Kind } from './traits.ts';

/** Where the patterns go that have to be run, and where long checks are ended. */
export interface Runners {
  /** @param everywhere Whether it has to be run for every name. */
  add(key: number, source: string, everywhere: boolean, kind: Kind): void;
  remove(key: number): void;
  /** Whether such a pattern is there. */
  has(key: number): boolean;
  /** Its source, if it is at hand. */
  sourceOf(key: number): string | undefined;
}
