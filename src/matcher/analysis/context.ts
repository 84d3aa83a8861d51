import type { CharSet } from '../ast.ts';

/** What must stand before a string for a complete pattern to match. */
export type Before =
  | { readonly kind: 'start' }
  /** Anything: at least `least` characters, and no newline among them where `oneLine`. */
  | { readonly kind: 'anywhere'; readonly least: number; readonly oneLine: boolean }
  /** The same, and then a dot. Where `orStart`, nothing at all will do as well. */
  | { readonly kind: 'dot'; readonly least: number; readonly oneLine: boolean; readonly orStart: boolean }
  /** From the start of the text, `min` to `max` labels of such characters and lengths, each with its dot. */
  | { readonly kind: 'labels'; readonly label: LabelRule; readonly min: number; readonly max: number };

export interface LabelRule {
  /** The dot is none of them. */
  readonly chars: CharSet;
  readonly min: number;
  readonly max: number;
}

/** What must stand behind it: anything; the end (`$`, `\Z`); the rest of a line, then the end (`.*$`, `.*\Z`). */
export type After = 'anywhere' | 'finalEnd' | 'end' | 'lineThenFinalEnd' | 'lineThenEnd';

export interface Context {
  readonly before: Before;
  readonly after: After;
}
