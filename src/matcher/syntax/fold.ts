import type { CharSet, Node } from '../ast.ts';
import { spend } from '../work.ts';
import {
  charactersOf,
  complement,
  contains,
  intersection,
  normalized,
  pairsOf,
  rangeAt,
  union,
} from './charset.ts';
import type { Category, ClassMember } from './raw.ts';
import * as unicode from './unicode.ts';

/**
 * Letter case in sets, by the rules of sre: a character is converted to lower case, then looked up in the folded set.
 */

export type Folding = 'none' | 'ascii' | 'unicode';

const ASCII_UPPER: CharSet = [65, 90];
const NOT_ASCII_UPPER = complement(ASCII_UPPER);
const LAST_BMP = 0xffff;

let lowers: CharSet | undefined;

/** All characters except those that have a lower case. */
function notUpper(): CharSet {
  lowers ??= complement(unicode.upperCharacters());
  return lowers;
}

function categorySet(category: Category, ascii: boolean): CharSet {
  switch (category) {
    case 'digit':
    case 'notDigit':
      return ascii ? unicode.ASCII_DIGIT : unicode.digitCharacters();
    case 'space':
    case 'notSpace':
      return ascii ? unicode.ASCII_SPACE : unicode.spaceCharacters();
    default:
      return ascii ? unicode.ASCII_WORD : unicode.wordCharacters();
  }
}

export function categoryCharacters(category: Category, ascii: boolean): CharSet {
  const set = categorySet(category, ascii);
  return category.startsWith('not') ? complement(set) : set;
}

/** The characters whose lower case is in `set`. */
function lowersInto(set: CharSet, folding: Folding): CharSet {
  if (folding === 'none') return set;
  const kept = intersection(set, folding === 'ascii' ? NOT_ASCII_UPPER : notUpper());
  if (folding === 'ascii') {
    const letters = pairsOf(intersection(set, [97, 122])).map(([lo, hi]) => [lo - 32, hi - 32] as const);
    return normalized([...pairsOf(kept), ...letters]);
  }
  return union(kept, charactersOf(unicode.loweredInto(set)));
}

const lowered = new WeakMap<CharSet, CharSet>();

/** Like `lowersInto`, with a cache for large sets. */
function knownLowersInto(set: CharSet, folding: Folding): CharSet {
  if (folding !== 'unicode' || set.length < LARGE) return lowersInto(set, folding);
  let known = lowered.get(set);
  if (known === undefined) {
    known = lowersInto(set, folding);
    lowered.set(set, known);
  }
  return known;
}

function literal(code: number, folding: Folding): CharSet {
  if (folding === 'none') return [code, code];
  if (folding === 'ascii')
    return lowersInto(normalized([[unicode.toLowerAscii(code), unicode.toLowerAscii(code)]]), folding);
  if (!unicode.isCased(code)) return [code, code];
  const lower = unicode.toLower(code);
  const folded = [lower, ...unicode.extraCasesOf(lower)];
  const codes = folded.flatMap((one) => [one, ...(unicode.unfolded().get(one) ?? [])]);
  return charactersOf(codes);
}

const LATIN = 0x100;

type LiteralNode = Node & { kind: 'set' };

const literals: Record<Folding, (LiteralNode | undefined)[]> = { none: [], ascii: [], unicode: [] };

/** The set for one character of a pattern; the node is cached for common characters. */
export function literalNode(code: number, folding: Folding): LiteralNode {
  const known = literals[folding][code];
  if (known !== undefined) return known;
  const node: LiteralNode = { kind: 'set', chars: literal(code, folding) };
  if (code < LATIN) literals[folding][code] = node;
  return node;
}

function foldedRange(lo: number, hi: number, folding: Folding): CharSet {
  const range: CharSet = [lo, hi];
  if (folding === 'none') return range;
  if (folding === 'ascii') {
    const letters = pairsOf(intersection(range, ASCII_UPPER)).map(
      ([from, to]) => [from + 32, to + 32] as const,
    );
    return normalized([...pairsOf(intersection(range, complement(ASCII_UPPER))), ...letters]);
  }
  const upper = unicode.upperCharacters();
  const codes: number[] = [];
  for (let at = rangeAt(upper, lo); at < upper.length && (upper[at] as number) <= hi; at += 2) {
    codes.push(unicode.toLower(upper[at] as number));
  }
  return union(intersection(range, notUpper()), charactersOf(codes));
}

function withExtraCases(set: CharSet): CharSet {
  const extra: number[] = [];
  for (const [code, others] of unicode.extraCases()) if (contains(set, code)) extra.push(...others);
  return extra.length === 0 ? set : union(set, charactersOf(extra));
}

/** Lower-case characters that are in a range beyond the first plane, or whose upper case is. */
function astralRange(lo: number, hi: number): CharSet {
  const codes: number[] = [];
  for (const [code, upper] of unicode.upperCases()) if (upper >= lo && upper <= hi) codes.push(code);
  return union([lo, hi], charactersOf(codes));
}

interface Folded {
  readonly set: CharSet;
  readonly cased: boolean;
}

function foldLiteral(code: number, folding: Folding): Folded {
  if (code > LAST_BMP) return { set: [code, code], cased: folding !== 'none' };
  if (folding === 'none') return { set: [code, code], cased: false };
  if (folding === 'ascii') {
    const lower = unicode.toLowerAscii(code);
    return { set: [lower, lower], cased: isCasedRange(code, code, folding) };
  }
  const lower = unicode.toLower(code);
  return { set: withExtraCases([lower, lower]), cased: unicode.isCased(code) };
}

/** True if a character of the range has another case. */
export function isCasedRange(lo: number, hi: number, folding: Folding): boolean {
  if (folding === 'unicode') return unicode.anyCased(lo, hi);
  return folding === 'ascii' && ((lo <= 90 && hi >= 65) || (lo <= 122 && hi >= 97));
}

function foldRange(lo: number, hi: number, folding: Folding): Folded {
  if (folding === 'none') return { set: [lo, hi], cased: false };
  let set: CharSet = lo > LAST_BMP ? [] : foldedRange(lo, Math.min(hi, LAST_BMP), folding);
  if (folding === 'unicode') set = withExtraCases(set);
  if (hi > LAST_BMP) return { set: union(set, astralRange(lo, hi)), cased: true };
  return { set, cased: isCasedRange(lo, hi, folding) };
}

function foldMember(member: ClassMember, folding: Folding, ascii: boolean): Folded {
  if (member.op === 'literal') return foldLiteral(member.code, folding);
  if (member.op === 'range') return foldRange(member.lo, member.hi, folding);
  return { set: categoryCharacters(member.category, ascii), cased: false };
}

function makeSet(
  members: readonly ClassMember[],
  negated: boolean,
  folding: Folding,
  ascii: boolean,
): CharSet {
  const folded = members.map((member) => foldMember(member, folding, ascii));
  const cased = folded.some((member) => member.cased);
  const sets = folded.map((member) => (cased ? knownLowersInto(member.set, folding) : member.set));
  spend(sets.reduce((sum, { length }) => sum + length * RANGE_WORK, SET_WORK));
  const small = normalized(sets.filter(({ length }) => length < LARGE).flatMap(pairsOf));
  const set = sets.filter(({ length }) => length >= LARGE).reduce(union, small);
  return negated ? complement(set) : set;
}

/** In numbers. Larger sets are assembled one by one. */
const LARGE = 40;
/** In units of work: for a set, and for each of its numbers. */
const SET_WORK = 1500;
const RANGE_WORK = 12;

const MAX_KNOWN = 1000;
const known = new Map<string, CharSet>();

/** The characters of a set in a pattern. `ascii` applies to its categories. */
export function setCharacters(
  members: readonly ClassMember[],
  negated: boolean,
  folding: Folding,
  ascii: boolean,
  key: string,
): CharSet {
  const fullKey = `${negated} ${folding} ${ascii} ${key}`;
  const found = known.get(fullKey);
  if (found !== undefined) return found;
  const set = makeSet(members, negated, folding, ascii);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(fullKey, set);
  return set;
}
