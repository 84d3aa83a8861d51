import type { CharSet } from '../ast.ts';

/** What must come before a string for a complete pattern to match. */
export type Before =
  | { readonly kind: 'start' }
  /** Anything: at least `minLength` characters, without a newline if `oneLine`. */
  | { readonly kind: 'anywhere'; readonly minLength: number; readonly oneLine: boolean }
  /** Like `anywhere`, followed by a dot. With `orStart`, the start of the text is enough. */
  | { readonly kind: 'dot'; readonly minLength: number; readonly oneLine: boolean; readonly orStart: boolean }
  /** From the start of the text, `min` to `max` labels that fit the rule, each followed by a dot. */
  | { readonly kind: 'labels'; readonly label: LabelRule; readonly min: number; readonly max: number };

export interface LabelRule {
  /** Never includes the dot. */
  readonly chars: CharSet;
  readonly min: number;
  readonly max: number;
}

/** What must follow: anything; the end (`$`, `\Z`); the rest of the line and then the end (`.*$`, `.*\Z`). */
export type After = 'anywhere' | 'finalEnd' | 'end' | 'lineThenFinalEnd' | 'lineThenEnd';

export interface MatchContext {
  readonly before: Before;
  readonly after: After;
}
