import type { ParsedPattern } from '../ast.ts';
import { PatternError } from './error.ts';
import { lower } from './lower.ts';
import { FLAG } from './raw.ts';
import { Reader } from './reader.ts';
import { ParseState } from './state.ts';
import { Tokens } from './tokens.ts';

/** The flags of the whole pattern, after it has been read. */
function finalFlags(flags: number): number {
  if ((flags & FLAG.ascii) === 0) return flags | FLAG.unicode;
  if ((flags & FLAG.unicode) !== 0) throw new PatternError('ASCII and UNICODE flags are incompatible', 0);
  return flags;
}

/**
 * Parses a pattern in the dialect of Python 3.11's `re`, as if compiled with `re.IGNORECASE`. Two spellings of other
 * dialects are also accepted: `(?<name>…)` and `\z`.
 * @throws PatternError if CPython would reject the pattern, with its reason and position
 */
export function parsePattern(source: string): ParsedPattern {
  const tokens = new Tokens(source);
  const state = new ParseState(FLAG.ignoreCase);
  const root = new Reader(tokens, state).parseOptions(false, 0);
  const flags = finalFlags(state.flags);
  if (tokens.next !== '') throw tokens.error('unbalanced parenthesis');
  for (const [group, position] of state.conditions) {
    if (group >= state.groups) throw new PatternError(`invalid group reference ${group}`, position);
  }
  return { root: lower(root, flags, state.groupWidths), groupCount: state.groups - 1 };
}
