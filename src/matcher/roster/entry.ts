import type { Kind } from '../index/traits.ts';
import { NO_LAYOUT } from './layout-arena.ts';

/** A pattern of the roster, and what has been made ready of it. */
export class Entry {
  readonly key: number;
  /** Where its source is, if it is kept. */
  readonly source: number;
  /** Whether it is run for every name. */
  readonly everywhere: boolean;
  readonly kind: Kind;
  ready = false;
  /** What is no pattern matches nothing. */
  broken = false;
  /** What its layout finds has still to be run; so has everything where it has no layout. */
  sieves = false;
  hasLayout = false;
  /** Whether its sets are kept: without them a layout does only for names of letters, digits and hyphens. */
  hasSets = false;
  /** The place of its layout, its length, and the numbers of its sets behind it. */
  layout = NO_LAYOUT;
  length = 0;
  sets = 0;
  /** The check that has met it last. */
  met = 0;

  constructor(key: number, source: number, everywhere: boolean, kind: Kind) {
    this.key = key;
    this.source = source;
    this.everywhere = everywhere;
    this.kind = kind;
  }
}
