import type { MatchContext } from '../analysis/context.ts';
import type { StringPlacement } from './tables.ts';

const DOT = 46;

/** How a string in its context is stored. */
export interface Placing {
  readonly kept: StringPlacement;
  /** 1 if the context, not the string, provides the string's first dot. */
  readonly from: 0 | 1;
  readonly context: MatchContext;
}

/**
 * `.zip.` at the end is stored as `zip.` at the end, after a dot: a few lookups then find it among any number of
 * strings.
 */
export function placingOf(context: MatchContext, bytes: Uint8Array, length: number): Placing {
  const { before, after } = context;
  if (after !== 'finalEnd' && after !== 'end') return { kept: 'literal', from: 0, context };
  if (before.kind !== 'anywhere') return { kept: 'tail', from: 0, context };
  if (bytes[0] !== DOT || length < 2) return { kept: 'literal', from: 0, context };
  return { kept: 'tail', from: 1, context: { before: { ...before, kind: 'dot', orStart: false }, after } };
}
