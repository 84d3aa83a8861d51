import type { PatternKind } from '../index/traits.ts';
import { NO_LAYOUT } from './layout-arena.ts';

/** A pattern of the roster, and its compiled parts. */
export class CompiledPattern {
  readonly key: number;
  /** Place of its source, if that is kept. */
  readonly source: number;
  /** True if it is run for every name. */
  readonly everywhere: boolean;
  readonly kind: PatternKind;
  ready = false;
  /** An invalid pattern matches nothing. */
  broken = false;
  /** True if hits of the layout have to be confirmed by the program, or if there is no layout. */
  prefilters = false;
  hasLayout = false;
  /** True if its sets are kept. Without them, the layout works only for names of letters, digits and hyphens. */
  hasSets = false;
  /** Place of its layout, its length, and the number of set numbers at its end. */
  layout = NO_LAYOUT;
  length = 0;
  sets = 0;
  /** The check that met it last. */
  met = 0;

  constructor(key: number, source: number, everywhere: boolean, kind: PatternKind) {
    this.key = key;
    this.source = source;
    this.everywhere = everywhere;
    this.kind = kind;
  }
}
