import { quoted } from './error.ts';
import { isFlagStart, parseFlags } from './flags.ts';
import { nonNegativeInteger } from './integers.ts';
import type { RawItem } from './raw.ts';
import { FLAG, MAX_GROUPS } from './raw.ts';
import type { PatternReader as Reader } from './state.ts';
import type { Tokens } from './tokens.ts';
import { lengthOf } from './tokens.ts';
import { isIdentifier, startsIdentifier } from './unicode.ts';

/** A conditional takes less of CPython's stack than other groups do. */
const GROUP_DEPTH = 3;
const CONDITIONAL_DEPTH = 2;

/** Context of a group: the position of its `(`, and its surroundings. */
export interface GroupPlace {
  readonly start: number;
  readonly verbose: boolean;
  readonly depth: number;
  /** True if global flags may still be set here. */
  readonly first: boolean;
}

interface Inside {
  readonly name?: string;
  readonly captures: boolean;
  readonly atomic?: boolean;
  readonly add?: number;
  readonly remove?: number;
}

function parseName(tokens: Tokens, terminator: string): string {
  const name = tokens.takeUntil(terminator, 'group name');
  if (!isIdentifier(name))
    throw tokens.error(`bad character in group name ${quoted(name)}`, lengthOf(name) + 1);
  return name;
}

function requireClose(tokens: Tokens, start: number): void {
  if (tokens.accept(')')) return;
  throw tokens.error('missing ), unterminated subpattern', tokens.position - start);
}

function parseInside(reader: Reader, place: GroupPlace, inside: Inside): RawItem {
  const { tokens, state } = reader;
  const { add = 0, remove = 0 } = inside;
  const group = inside.captures ? state.openGroup(tokens, inside.name) : undefined;
  const verbose = (place.verbose || (add & FLAG.verbose) !== 0) && (remove & FLAG.verbose) === 0;
  const body = reader.parseOptions(verbose, place.depth + GROUP_DEPTH);
  requireClose(tokens, place.start);
  if (group !== undefined) state.closeGroup(group, body);
  return inside.atomic ? { op: 'atomic', body } : { op: 'subpattern', group, add, remove, body };
}

function parseNamedReference(reader: Reader): RawItem {
  const { tokens, state } = reader;
  const name = parseName(tokens, ')');
  const group = state.groupNamed(name);
  const back = lengthOf(name) + 1;
  if (group === undefined) throw tokens.error(`unknown group name ${quoted(name)}`, back);
  if (!state.isClosed(group)) throw tokens.error('cannot refer to an open group', back);
  state.requireUsableInLookBehind(tokens, group);
  return { op: 'groupref', group };
}

function parseExtension(reader: Reader, place: GroupPlace): RawItem {
  const { tokens } = reader;
  if (tokens.accept('<')) return parseInside(reader, place, { captures: true, name: parseName(tokens, '>') });
  if (tokens.accept('=')) return parseNamedReference(reader);
  const token = tokens.take();
  if (token === '') throw tokens.error('unexpected end of pattern');
  throw tokens.error(`unknown extension ?P${token}`, lengthOf(token) + 2);
}

function skipComment(tokens: Tokens, start: number): void {
  for (;;) {
    if (tokens.next === '') throw tokens.error('missing ), unterminated comment', tokens.position - start);
    if (tokens.take() === ')') return;
  }
}

function parseLookAhead(reader: Reader, place: GroupPlace, negative: boolean): RawItem {
  const body = reader.parseOptions(place.verbose, place.depth + GROUP_DEPTH);
  requireClose(reader.tokens, place.start);
  return { op: 'assert', behind: false, negative, body, position: place.start };
}

function parseLookBehind(reader: Reader, place: GroupPlace, negative: boolean): RawItem {
  const { state } = reader;
  const outer = state.lookBehindGroups;
  state.lookBehindGroups ??= state.groups;
  const body = reader.parseOptions(place.verbose, place.depth + GROUP_DEPTH);
  state.lookBehindGroups = outer;
  requireClose(reader.tokens, place.start);
  return { op: 'assert', behind: true, negative, body, position: place.start };
}

function parseLess(reader: Reader, place: GroupPlace): RawItem {
  const { tokens } = reader;
  const code = tokens.next.codePointAt(0);
  // Not in Python: the spelling of named groups in other dialects.
  if (code !== undefined && startsIdentifier(code)) {
    return parseInside(reader, place, { captures: true, name: parseName(tokens, '>') });
  }
  const token = tokens.take();
  if (token === '') throw tokens.error('unexpected end of pattern');
  if (token !== '=' && token !== '!') throw tokens.error(`unknown extension ?<${token}`, lengthOf(token) + 2);
  return parseLookBehind(reader, place, token === '!');
}

function numberedCondition(reader: Reader, text: string): number {
  const { tokens, state } = reader;
  const back = lengthOf(text) + 1;
  const group = nonNegativeInteger(text);
  if (group === undefined) throw tokens.error(`bad character in group name ${quoted(text)}`, back);
  if (group === 0n) throw tokens.error('bad group number', back);
  if (group >= BigInt(MAX_GROUPS)) throw tokens.error(`invalid group reference ${group}`, back);
  const index = Number(group);
  if (!state.conditions.has(index)) state.conditions.set(index, tokens.position - back);
  return index;
}

function parseCondition(reader: Reader): number {
  const { tokens, state } = reader;
  const text = tokens.takeUntil(')', 'group name');
  if (!isIdentifier(text)) return numberedCondition(reader, text);
  const group = state.groupNamed(text);
  if (group === undefined) throw tokens.error(`unknown group name ${quoted(text)}`, lengthOf(text) + 1);
  return group;
}

function parseConditional(reader: Reader, place: GroupPlace): RawItem {
  const { tokens, state } = reader;
  const group = parseCondition(reader);
  state.requireUsableInLookBehind(tokens, group);
  const yes = reader.parseItems(place.verbose, place.depth + CONDITIONAL_DEPTH, false);
  const no = tokens.accept('|')
    ? reader.parseItems(place.verbose, place.depth + CONDITIONAL_DEPTH, false)
    : undefined;
  if (no !== undefined && tokens.next === '|') {
    throw tokens.error('conditional backref with more than two branches');
  }
  requireClose(tokens, place.start);
  return { op: 'conditional', group, yes, no };
}

function parseFlagged(reader: Reader, place: GroupPlace, first: string): RawItem | undefined {
  const { tokens, state } = reader;
  const flags = parseFlags(tokens, state, first);
  if (flags !== undefined) return parseInside(reader, place, { captures: false, ...flags });
  if (place.first) return undefined;
  throw tokens.error('global flags not at the start of the expression', tokens.position - place.start);
}

type Special = (reader: Reader, place: GroupPlace) => RawItem | undefined;

const SPECIALS: Readonly<Record<string, Special>> = {
  P: parseExtension,
  ':': (reader, place) => parseInside(reader, place, { captures: false }),
  '>': (reader, place) => parseInside(reader, place, { captures: false, atomic: true }),
  '#': (reader, place) => {
    skipComment(reader.tokens, place.start);
    return undefined;
  },
  '=': (reader, place) => parseLookAhead(reader, place, false),
  '!': (reader, place) => parseLookAhead(reader, place, true),
  '<': parseLess,
  '(': parseConditional,
};

/** Reads a group after its `(`. Returns undefined for a comment and for global flags. */
export function parseGroup(reader: Reader, place: GroupPlace): RawItem | undefined {
  const { tokens } = reader;
  if (!tokens.accept('?')) return parseInside(reader, place, { captures: true });
  const token = tokens.take();
  if (token === '') throw tokens.error('unexpected end of pattern');
  const special = Object.hasOwn(SPECIALS, token) ? SPECIALS[token] : undefined;
  if (special !== undefined) return special(reader, place);
  if (isFlagStart(token)) return parseFlagged(reader, place, token);
  throw tokens.error(`unknown extension ?${token}`, lengthOf(token) + 1);
}
