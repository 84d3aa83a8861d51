import type { Context } from '../analysis/context.ts';
import type { Kept } from './tables.ts';

const DOT = 46;

/** How a string in its context is kept. */
export interface Placing {
  readonly kept: Kept;
  /** 1 when the string's first dot is said by the context instead. */
  readonly from: 0 | 1;
  readonly context: Context;
}

/** `.zip.` at the end is `zip.` at the end, behind a dot: then a few lookups find it, however many there are. */
export function placingOf(context: Context, bytes: Uint8Array, length: number): Placing {
  const { before, after } = context;
  if (after !== 'finalEnd' && after !== 'end') return { kept: 'literal', from: 0, context };
  if (before.kind !== 'anywhere') return { kept: 'tail', from: 0, context };
  if (bytes[0] !== DOT || length < 2) return { kept: 'literal', from: 0, context };
  return { kept: 'tail', from: 1, context: { before: { ...before, kind: 'dot', orStart: false }, after } };
}
