/**
 * The syntax tree of a pattern, free of flags: letter case, verbose mode, `(?s)`, `(?m)` and `(?a)` are already
 * worked into the nodes, so that whoever reads the tree needs to know nothing of Python's flags.
 */

/** Sorted, disjoint, inclusive ranges of code points, flat: [lo, hi, lo, hi, …]. Letter case is folded in. */
export type CharSet = readonly number[];

export type AnchorKind =
  | 'textStart' // \A, and ^ without (?m)
  | 'textEnd' // \Z and \z
  | 'textEndOrFinalNewline' // $ without (?m)
  | 'lineStart' // ^ with (?m)
  | 'lineEnd' // $ with (?m)
  | 'wordBoundary' // \b
  | 'notWordBoundary'; // \B

export type RepeatMode = 'greedy' | 'lazy' | 'possessive';

export type Node =
  | { readonly kind: 'empty' }
  /** Exactly one code point out of `chars`. An empty set never matches. */
  | { readonly kind: 'set'; readonly chars: CharSet }
  | { readonly kind: 'sequence'; readonly items: readonly Node[] }
  | { readonly kind: 'alternatives'; readonly options: readonly Node[] }
  /** A capturing group; numbered from 1. */
  | { readonly kind: 'group'; readonly index: number; readonly body: Node }
  /** `max` is Infinity where the pattern sets no upper bound. */
  | {
      readonly kind: 'repeat';
      readonly body: Node;
      readonly min: number;
      readonly max: number;
      readonly mode: RepeatMode;
    }
  | { readonly kind: 'atomic'; readonly body: Node }
  /** `width` is the fixed width, in code points, of a look-behind; 0 for a look-ahead. */
  | {
      readonly kind: 'look';
      readonly behind: boolean;
      readonly negative: boolean;
      readonly width: number;
      readonly body: Node;
    }
  /** `ascii` says what letters are one when `ignoreCase` is set: (?a). */
  | {
      readonly kind: 'backreference';
      readonly group: number;
      readonly ignoreCase: boolean;
      readonly ascii: boolean;
    }
  | { readonly kind: 'conditional'; readonly group: number; readonly yes: Node; readonly no: Node }
  /** `ascii` says what a word character is for the two word boundaries: (?a). */
  | { readonly kind: 'anchor'; readonly at: AnchorKind; readonly ascii: boolean };

/** A parsed pattern. Groups are numbered from 1 to `groupCount`. */
export interface Pattern {
  readonly root: Node;
  readonly groupCount: number;
}
