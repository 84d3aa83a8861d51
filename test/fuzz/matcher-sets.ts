import type { Random } from '../support/random.ts';
import { makeCase } from './matcher-cases.ts';

/** Sets of patterns as an index holds them: what operators write beside strange ones, sharing words; and names. */

const WORDS = [
  'a',
  'k',
  'evil',
  'evil-1',
  'bank',
  'pay',
  'paypal',
  'login',
  'xn--mnchen-3ya',
  'münchen',
  'straße',
  'ss',
  'é',
  'www',
  'api_1',
  'i',
  '0',
];
const ENDS = ['com', 'net', 'org', 'co\\.uk', 'zip', 'de', 'xn--p1ai', 'рф'];
const BEGINNINGS = [
  '',
  '^',
  '\\A',
  '(^|\\.)',
  '(?:^|\\.)',
  '(?:\\A|\\.)',
  '^(.*\\.)?',
  '^(?:.+\\.)?',
  '^([A-Za-z0-9_\\-]+\\.)*',
  '^([a-z0-9-]+\\.)+',
  '^([^.]+\\.){1,2}',
  '^[^.]+\\.',
  '^.*',
  '.*',
  '\\b',
  '(?i)^',
  '(?i)',
  '(?s)^.+',
  '(?<!\\.)',
  '^(?!www\\.)',
  '(?=.*pay)',
  '(?<=\\.)',
  '(?m)^',
];
const MIDDLES = [
  '.*',
  '\\.',
  '.',
  '-',
  '[-.]',
  '[0-9]*',
  '\\d{0,3}',
  '\\w+',
  '[a-z0-9-]{1,63}',
  '(?:\\.[a-z]+)?',
  's?',
  '(?>-*)',
  '\\B',
];
const FINISHES = [
  '\\.$',
  '\\.\\Z',
  '$',
  '',
  '\\.',
  '\\.?$',
  '.*$',
  '\\.(?=$)',
  '\\.\\z',
  '\\b',
  '[.]$',
  '(?:\\.|$)',
];

function word(random: Random): string {
  const one = random.pick(WORDS);
  return random.weighted([
    [6, one],
    [1, `(${one}|${random.pick(WORDS)})`],
    [1, `(?:${one}|${random.pick(WORDS)}|${random.pick(WORDS)})`],
    [1, one.replace('a', '[a4@]').replace('i', '[i1l]')],
    [1, one.toUpperCase()],
    [0.5, `${one}{1,2}`],
    [0.5, `(?-i:${one})`],
    [0.5, `(${one})?`],
    [0.3, `(?P<w${random.below(1e6)}>${one})`],
  ]);
}

function ends(random: Random): string {
  const one = random.pick(ENDS);
  return random.chance(0.3) ? `\\.(${one}|${random.pick(ENDS)}|${random.pick(ENDS)})` : `\\.${one}`;
}

/** A pattern as operators write them. */
function written(random: Random): string {
  const words = Array.from({ length: 1 + random.below(3) }, () => word(random));
  const body = words.join(random.chance(0.5) ? '\\.' : random.pick(MIDDLES));
  const one =
    random.pick(BEGINNINGS) + body + (random.chance(0.6) ? ends(random) : '') + random.pick(FINISHES);
  return random.chance(0.08) && !one.startsWith('(?')
    ? `${one}|${random.pick(BEGINNINGS.slice(0, 10))}${word(random)}`
    : one;
}

/** A name as such patterns mean it, in one form or two. */
function realName(random: Random): string[] {
  const labels = Array.from({ length: 1 + random.below(4) }, () => {
    const one = random.pick(WORDS);
    return random.weighted([
      [6, one],
      [1, one + random.pick(WORDS)],
      [1, `${one}-${random.pick(WORDS)}`],
      [1, `${one}${random.below(99)}`],
    ]);
  });
  const ending = random.pick(ENDS).replaceAll('\\', '');
  const text = `${[...labels, ending].join('.')}.`;
  const ascii = text
    .replaceAll('münchen', 'xn--mnchen-3ya')
    .replaceAll('рф', 'xn--p1ai')
    .replace(/[^ -~]/gu, 'x');
  return ascii === text ? [text] : [ascii, text];
}

export interface PatternSet {
  readonly patterns: readonly string[];
  /** Each in all its forms. */
  readonly names: readonly (readonly string[])[];
}

export function makeSet(random: Random, names: number): PatternSet {
  const strange: string[] = [];
  const patterns = Array.from({ length: 50 + random.below(151) }, () => {
    if (random.chance(0.6)) return written(random);
    const { pattern, names: near } = makeCase(random, 1);
    strange.push(...near);
    return pattern;
  });
  const one = (): readonly string[] => {
    if (strange.length === 0 || random.chance(0.5)) return realName(random);
    const text = random.pick(strange);
    return random.chance(0.2) ? [text, random.pick(strange)] : [text];
  };
  return { patterns, names: Array.from({ length: names }, one) };
}
