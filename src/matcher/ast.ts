/**
 * The syntax tree of a pattern. Letter case, verbose mode, `(?s)`, `(?m)` and `(?a)` are already resolved into the
 * nodes, so readers of the tree need not know Python's flags.
 */

/** Sorted, disjoint, inclusive ranges of code points, flattened: [lo, hi, lo, hi, …]. Includes all letter cases. */
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
  /** Exactly one code point from `chars`. An empty set never matches. */
  | { readonly kind: 'set'; readonly chars: CharSet }
  | { readonly kind: 'sequence'; readonly items: readonly Node[] }
  | { readonly kind: 'alternatives'; readonly options: readonly Node[] }
  /** A capturing group; numbers start at 1. */
  | { readonly kind: 'group'; readonly index: number; readonly body: Node }
  /** `max` is Infinity if the pattern sets no upper bound. */
  | {
      readonly kind: 'repeat';
      readonly body: Node;
      readonly min: number;
      readonly max: number;
      readonly mode: RepeatMode;
    }
  | { readonly kind: 'atomic'; readonly body: Node }
  /** `width` is the fixed width of a look-behind, in code points; 0 for a look-ahead. */
  | {
      readonly kind: 'look';
      readonly behind: boolean;
      readonly negative: boolean;
      readonly width: number;
      readonly body: Node;
    }
  /** With `ignoreCase`, `ascii` limits case folding to ASCII letters: (?a). */
  | {
      readonly kind: 'backreference';
      readonly group: number;
      readonly ignoreCase: boolean;
      readonly ascii: boolean;
    }
  | { readonly kind: 'conditional'; readonly group: number; readonly yes: Node; readonly no: Node }
  /** For word boundaries, `ascii` limits word characters to ASCII: (?a). */
  | { readonly kind: 'anchor'; readonly at: AnchorKind; readonly ascii: boolean };

/** A parsed pattern. Groups are numbered from 1 to `groupCount`. */
export interface ParsedPattern {
  readonly root: Node;
  readonly groupCount: number;
}
