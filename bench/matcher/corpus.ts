import type { PatternTraits } from '../../src/matcher/index/traits.ts';
import { randomNumbers } from './random.ts';

/** One stored pattern of a mix. */
export interface Entry {
  readonly source: string;
  /** The name it is about, where it is about one name or its subtree: for hits, and for the `Map`. */
  readonly name: string | undefined;
  readonly subtree: boolean;
}

export type Mix = 'plain' | 'mixed';

/** How the pattern with a number takes part where not all of them refuse: half are noted, a tenth is conditional. */
export function traitsAt(i: number): PatternTraits {
  const random = randomNumbers(i * 104_729);
  return { enforced: random(2) === 0, conditional: random(10) === 0 };
}

const TLDS = [
  'com',
  'com',
  'com',
  'com',
  'net',
  'org',
  'de',
  'ru',
  'xyz',
  'info',
  'top',
  'online',
  'shop',
  'co.uk',
  'com.br',
];
const HEADS = 'b c d f g h k l m n p r s t v w z br cl cr dr fl gr kr pl pr sh sl st tr'.split(' ');
const VOWELS = ['a', 'e', 'i', 'o', 'u', 'ai', 'ea', 'oo'];

/** A word of two to four syllables. */
export function word(random: (below: number) => number): string {
  let made = '';
  for (let left = 2 + random(3); left > 0; left--)
    made += HEADS[random(HEADS.length)]! + VOWELS[random(VOWELS.length)]!;
  return made;
}

function escaped(name: string): string {
  return name.replaceAll('.', '\\.').replaceAll('-', '\\-');
}

const MESSY: readonly ((word: string) => string)[] = [
  (w) => `^([a-z0-9]+\\.?)+${w}\\.com\\.$`,
  (w) => `^(([a-z0-9])+.)+${w}[0-9]\\.$`,
  (w) => `.*.*.*.*.*=${w}`,
  (w) => `(a|a|aa)*(b|bb)*${w}$`,
  (w) => `^(?:[a-z0-9-]{1,63}\\.){1,20}${w}\\.$`,
  (w) => `${w}.*(login|secure|verify)`,
  (w) => `^[a-z0-9-]*${w}[0-9]{2,4}\\.(com|net|org)\\.$`,
  (w) => `(secure|account|login)[-.]?${w}`,
];

/** Patterns without any literal: each stands in the mix once. */
const BARE = [
  '(([a-z])+.)+[A-Z]([a-z])+$',
  '^[0-9]{6,}\\.',
  '^[a-z]{1,2}[0-9]{5,}\\.',
  '^[b-df-hj-np-tv-xz]{12,}\\.',
];

const IRREGULAR: readonly ((word: string) => string)[] = [
  (w) => `^(\\w+)\\.\\1\\.${w}\\.com\\.$`,
  (w) => `(?<!my)${w}(?!-official)`,
  (w) => `^(?!www\\.)[a-z]+\\.${w}\\.net\\.$`,
  (w) => `([a-z])\\1\\1${w}`,
];

/** The pattern with a number, out of a mix: always the same one. */
export function entryAt(mix: Mix, i: number): Entry {
  const random = randomNumbers(i * 7919 + (mix === 'plain' ? 1 : 2));
  const unique = `${word(random)}${i.toString(36)}`;
  const kind = mix === 'plain' ? 0 : (i * 7) % 1000;
  if (kind < 900) return exactOrSubtree(random, unique, i);
  const source = otherThanName(random, kind, unique, i);
  return { source, name: undefined, subtree: false };
}

function exactOrSubtree(random: (below: number) => number, unique: string, i: number): Entry {
  const name = `${unique}.${TLDS[random(TLDS.length)]!}.`;
  const subtree = i % 2 === 1;
  return { source: `^${subtree ? '([A-Za-z0-9_\\-]+\\.)*' : ''}${escaped(name)}$`, name, subtree };
}

/** 6.5 % substrings, 1.5 % rules about the end of a name, 1.9 % messy, 0.1 % not regular. */
function otherThanName(random: (below: number) => number, kind: number, unique: string, i: number): string {
  if (kind < 965) return unique;
  if (kind < 980)
    return [`\\.${unique}\\.$`, `^[^.]+\\.${unique}\\.$`, `\\.(${unique}|x${unique})\\.$`][i % 3]!;
  if (kind < 999) return BARE[Math.floor(i / 1000) * 19 + kind - 980] ?? MESSY[random(MESSY.length)]!(unique);
  return IRREGULAR[random(IRREGULAR.length)]!(unique);
}

/** Names that no pattern is about, none of them twice. */
export function missingNames(count: number, seed: number): string[] {
  const random = randomNumbers(seed);
  return Array.from({ length: count }, (_, i) => {
    const host = random(2) === 0 ? `${['www', 'mail', 'ns1', word(random)][random(4)]!}.` : '';
    return flat(`${host}${word(random)}-${(i + 7).toString(36)}.${TLDS[random(TLDS.length)]!}.`);
  });
}

/** Names that are stored, or below one that is. */
export function hittingNames(mix: Mix, size: number, count: number, seed: number): string[] {
  const random = randomNumbers(seed);
  const names: string[] = [];
  while (names.length < count) {
    const { name, subtree } = entryAt(mix, 1 + random(size));
    if (name !== undefined) names.push(flat(subtree ? `${word(random)}${random(1000)}.${name}` : name));
  }
  return names;
}

/** A string in one piece, as one that was read from a request is. */
export function flat(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}
