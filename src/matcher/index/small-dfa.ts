import { type BitLayout, kindOf } from './bit-layout.ts';
import { type DfaState, LazyDfa } from './lazy-dfa.ts';
import { SYMBOL_CODES, SYMBOLS } from './symbols.ts';
import { Union } from './union.ts';

const MAX_STATES = 48;

/** True if a pattern has few states over the characters of names. All others are kept separate. */
export function isSmallDfa(layout: BitLayout): boolean {
  const union = new Union();
  union.add(1, layout);
  const dfa = new LazyDfa(union, Infinity);
  const symbols = distinctSymbols(layout);
  const seen = new Set<DfaState>([dfa.origin]);
  for (const state of seen) {
    for (const symbol of symbols) seen.add(dfa.after(state, symbol, SYMBOL_CODES[symbol]!));
    if (seen.size > MAX_STATES) return false;
  }
  return true;
}

/** One symbol of each kind that the pattern distinguishes. */
function distinctSymbols({ data }: BitLayout): number[] {
  const kinds = new Map<number, number>();
  for (let symbol = 0; symbol < SYMBOLS; symbol++) kinds.set(kindOf(data, 0, symbol), symbol);
  return [...kinds.values()];
}
