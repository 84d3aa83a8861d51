import { type PatternError, quoted } from './error.ts';
import { codePointNamed } from './names.ts';
import type { Category, ClassMember, RawAnchor, RawItem } from './raw.ts';
import type { ParseState } from './state.ts';
import type { Tokens } from './tokens.ts';
import { lengthOf } from './tokens.ts';

const HEX = /[0-9a-fA-F]/;
const OCTAL = /[0-7]/;
const DIGIT = /[0-9]/;

const CATEGORIES: Readonly<Record<string, Category>> = {
  '\\d': 'digit',
  '\\D': 'notDigit',
  '\\s': 'space',
  '\\S': 'notSpace',
  '\\w': 'word',
  '\\W': 'notWord',
};

const ANCHORS: Readonly<Record<string, RawAnchor>> = {
  '\\A': 'beginningString',
  '\\b': 'boundary',
  '\\B': 'notBoundary',
  '\\Z': 'endString',
  // Not in Python: the spelling of other dialects.
  '\\z': 'endString',
};

const CHARACTERS: Readonly<Record<string, number>> = {
  '\\a': 7,
  '\\b': 8,
  '\\f': 12,
  '\\n': 10,
  '\\r': 13,
  '\\t': 9,
  '\\v': 11,
  '\\\\': 92,
};

const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

function badEscape(tokens: Tokens, escaped: string): PatternError {
  return tokens.error(`bad escape ${escaped}`, lengthOf(escaped));
}

function hexadecimal(tokens: Tokens, start: string, digits: number): number {
  const escaped = start + tokens.takeWhile(digits, HEX);
  if (escaped.length !== digits + 2) throw tokens.error(`incomplete escape ${escaped}`, escaped.length);
  const code = Number.parseInt(escaped.slice(2), 16);
  if (code > 0x10ffff) throw badEscape(tokens, escaped);
  return code;
}

function named(tokens: Tokens): number {
  if (!tokens.accept('{')) throw tokens.error('missing {');
  const name = tokens.takeUntil('}', 'character name');
  const code = codePointNamed(name);
  if (code === undefined) throw tokens.error(`undefined character name ${quoted(name)}`, lengthOf(name) + 4);
  return code;
}

function octal(tokens: Tokens, escaped: string): number {
  const code = Number.parseInt(escaped.slice(1), 8);
  if (code > 0o377) {
    throw tokens.error(`octal escape value ${escaped} outside of range 0-0o377`, escaped.length);
  }
  return code;
}

/** The character of an escape that is valid both inside and outside of sets; undefined for other escapes. */
function character(tokens: Tokens, escaped: string): number | undefined {
  const kind = escaped.slice(1);
  const digits = HEX_DIGITS[kind];
  if (digits !== undefined) return hexadecimal(tokens, escaped, digits);
  if (kind === 'N') return named(tokens);
  if (DIGIT.test(kind)) return undefined;
  if (/[A-Za-z]/.test(kind)) throw badEscape(tokens, escaped);
  return kind.codePointAt(0);
}

function groupReference(tokens: Tokens, state: ParseState, escaped: string): RawItem {
  const group = Number(escaped.slice(1));
  if (group >= state.groups) throw tokens.error(`invalid group reference ${group}`, escaped.length - 1);
  if (!state.isClosed(group)) throw tokens.error('cannot refer to an open group', escaped.length);
  state.requireUsableInLookBehind(tokens, group);
  return { op: 'groupref', group };
}

/** Three octal digits are a character. Anything else that begins with 1 to 9 is a group. */
function numbered(tokens: Tokens, state: ParseState, start: string): RawItem {
  let escaped = start;
  if (DIGIT.test(tokens.next) && tokens.next.length === 1) {
    escaped += tokens.take();
    const threeOctals = /^\\[0-7]{2}$/.test(escaped) && tokens.next.length === 1 && OCTAL.test(tokens.next);
    if (threeOctals) return { op: 'literal', code: octal(tokens, escaped + tokens.take()) };
  }
  return groupReference(tokens, state, escaped);
}

/** An escape outside of sets. */
export function parseEscape(tokens: Tokens, state: ParseState, escaped: string): RawItem {
  const category = CATEGORIES[escaped];
  if (category !== undefined) return { op: 'in', negated: false, members: [{ op: 'category', category }] };
  const at = ANCHORS[escaped];
  if (at !== undefined) return { op: 'at', at };
  const code = CHARACTERS[escaped] ?? character(tokens, escaped);
  if (code !== undefined) return { op: 'literal', code };
  if (escaped !== '\\0') return numbered(tokens, state, escaped);
  return { op: 'literal', code: octal(tokens, escaped + tokens.takeWhile(2, OCTAL)) };
}

/** An escape inside of a set. */
export function parseSetEscape(tokens: Tokens, escaped: string): ClassMember {
  const category = CATEGORIES[escaped];
  if (category !== undefined) return { op: 'category', category };
  const code = CHARACTERS[escaped] ?? character(tokens, escaped);
  if (code !== undefined) return { op: 'literal', code };
  if (!OCTAL.test(escaped.slice(1))) throw badEscape(tokens, escaped);
  return { op: 'literal', code: octal(tokens, escaped + tokens.takeWhile(2, OCTAL)) };
}
