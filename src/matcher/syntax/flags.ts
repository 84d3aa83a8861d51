import { FLAG, TYPE_FLAGS } from './raw.ts';
import type { ParseState } from './state.ts';
import type { Tokens } from './tokens.ts';
import { lengthOf } from './tokens.ts';
import { isAlphabetic } from './unicode.ts';

const LETTERS: Readonly<Record<string, number>> = {
  i: FLAG.ignoreCase,
  L: FLAG.locale,
  m: FLAG.multiline,
  s: FLAG.dotAll,
  x: FLAG.verbose,
  a: FLAG.ascii,
  t: FLAG.template,
  u: FLAG.unicode,
};

export interface ScopedFlags {
  readonly add: number;
  readonly remove: number;
}

export function isFlagStart(token: string): boolean {
  return token === '-' || Object.hasOwn(LETTERS, token);
}

/** Reads the next flag letter, or one of the characters that may `end` the list. */
function takeFlagOr(tokens: Tokens, end: readonly string[], missing: string): string {
  const token = tokens.take();
  if (token === '') throw tokens.error(missing);
  if (end.includes(token) || Object.hasOwn(LETTERS, token)) return token;
  throw tokens.error(isAlphabetic(token) ? 'unknown flag' : missing, lengthOf(token));
}

function checkAdded(tokens: Tokens, flag: number, added: number): void {
  if (flag === FLAG.locale) {
    throw tokens.error("bad inline flags: cannot use 'L' flag with a str pattern");
  }
  if ((flag & TYPE_FLAGS) !== 0 && (added & TYPE_FLAGS) !== flag) {
    throw tokens.error("bad inline flags: flags 'a', 'u' and 'L' are incompatible");
  }
}

function parseRemoved(tokens: Tokens): number {
  let removed = 0;
  let token = takeFlagOr(tokens, [], 'missing flag');
  while (token !== ':') {
    const flag = LETTERS[token] as number;
    if ((flag & TYPE_FLAGS) !== 0) {
      throw tokens.error("bad inline flags: cannot turn off flags 'a', 'u' and 'L'");
    }
    removed |= flag;
    token = takeFlagOr(tokens, [':'], 'missing :');
  }
  return removed;
}

/**
 * Reads flags after the first letter or `-`. Returns those of a group, or undefined after adding global ones to
 * `state`.
 */
export function parseFlags(tokens: Tokens, state: ParseState, first: string): ScopedFlags | undefined {
  let add = 0;
  let token = first;
  while (Object.hasOwn(LETTERS, token)) {
    const flag = LETTERS[token] as number;
    add |= flag;
    checkAdded(tokens, flag, add);
    token = takeFlagOr(tokens, [')', '-', ':'], 'missing -, : or )');
  }
  if (token === ')') {
    state.flags |= add;
    return undefined;
  }
  if ((add & FLAG.template) !== 0) throw tokens.error('bad inline flags: cannot turn on global flag', 1);
  const remove = token === '-' ? parseRemoved(tokens) : 0;
  if ((remove & FLAG.template) !== 0) throw tokens.error('bad inline flags: cannot turn off global flag', 1);
  if ((add & remove) !== 0) throw tokens.error('bad inline flags: flag turned on and off', 1);
  return { add, remove };
}
