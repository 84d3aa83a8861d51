/** Sets of patterns that an enemy may choose, and the names that cost most with them. */
export interface Family {
  readonly title: string;
  readonly patterns: () => Iterable<string>;
  readonly names: readonly string[];
}

/** No `x`, which some patterns wait for in vain. */
const LETTERS = 'abcdefghijklmnopqrstuvwyz';

function* times(count: number, make: (i: number) => string): Iterable<string> {
  for (let i = 0; i < count; i++) yield make(i);
}

/** A name in which every run of three letters is another one: `length` characters, labels of 50. */
function variedName(length: number, seed: number): string {
  let state = seed;
  let name = '';
  while (name.length < length - 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    name += name.length % 51 === 50 ? '.' : LETTERS[(state >>> 16) % LETTERS.length];
  }
  return `${name}.`;
}

const VARIED = variedName(250, 7);
const OTHERS = [1, 2, 3, 4, 5, 6].map((seed) => variedName(245, seed));
const LABEL = `${'abcdefgh12'.repeat(6)}.`;
const LONG = `${LABEL.repeat(4)}x.`;

/** Strings of `size` letters that all stand in one name. */
function gramsOf(name: string, size: number): string[] {
  const grams = new Set<string>();
  for (let at = 0; at + size <= name.length; at++) {
    const gram = name.slice(at, at + size);
    if (!gram.includes('.')) grams.add(gram);
  }
  return [...grams];
}

const GRAMS = [4, 5, 6].flatMap((size) => gramsOf(VARIED, size));
/** 270 optional letters, no two neighbours alike: each may be followed by any later one. */
const OPTIONAL = Array.from({ length: 270 }, (_, i) => (i % 2 === 0 ? '[a-z]?' : '[b-z]?')).join('');

/** Characters that no name has. */
const MARKS = '!@#%&=,;~/';

const letter = (i: number): string => String.fromCharCode(98 + (i % 24));

/** The sets of the first review, at their full size. */
const REVIEWED: readonly Family[] = [
  {
    title: 'seven of 1.6 kB behind each literal, 100',
    patterns: () => times(100, (i) => `${GRAMS[Math.floor(i / 7)]}${OPTIONAL}!${i}`),
    names: [VARIED],
  },
  {
    title: 'seven of 1.6 kB behind each literal, 400',
    patterns: () => times(400, (i) => `${GRAMS[Math.floor(i / 7)]}${OPTIONAL}!${i}`),
    names: [VARIED],
  },
  {
    title: 'seven of 1.6 kB behind each literal, 1,400',
    patterns: () => times(1400, (i) => `${GRAMS[Math.floor(i / 7)]}${OPTIONAL}!${i}`),
    names: [VARIED],
  },
  {
    title: 'seven trivial ones behind each of 600 literals of one name',
    patterns: () => times(4200, (i) => `${GRAMS[Math.floor(i / 7)]}[a-z]{${(i % 7) + 1}}[0-9]`),
    names: [VARIED],
  },
  {
    title: 'many jumps, 30',
    patterns: () => times(30, (i) => `^(?:[a-z0-9._-]?){${200 - i}}[!X]`),
    names: OTHERS,
  },
  {
    title: 'many jumps, 100',
    patterns: () => times(100, (i) => `^(?:[a-z0-9._-]?){${250 - i}}[!X]`),
    names: OTHERS,
  },
  {
    title: 'many jumps, 1,000',
    patterns: () => times(1000, (i) => `^(?:[a-z0-9._${MARKS[i % 10]}-]?){${250 - Math.floor(i / 10)}}[!X]`),
    names: OTHERS,
  },
  {
    title: 'many jumps that differ, 1,000',
    patterns: () =>
      times(1000, (i) => `^(?:[a-z0-9.]?[a-y0-9.${MARKS[i % 10]}-]?){${125 - Math.floor(i / 10)}}[!X]`),
    names: OTHERS,
  },
  {
    title: 'no literal, 8,000',
    patterns: () =>
      times(8000, (i) => `[a-m][a-z0-9.]{${(i % 40) + 5}}[q-z][0-9]{${Math.floor(i / 40) + 3}}`),
    names: OTHERS,
  },
  {
    title: 'eight behind each of 8,000 literals',
    patterns: () => times(64_000, (i) => `q${Math.floor(i / 8).toString(36)}zz[a-z]{${(i % 8) + 1}}[0-9]+x`),
    names: OTHERS,
  },
  {
    title: 'bounded repeats, 2,000',
    patterns: () =>
      times(2000, (i) => `q${Math.floor(i / 8).toString(36)}zz(?:[a-z0-9]{1,60}\\.){1,30}${i}x`),
    names: OTHERS,
  },
  {
    title: 'many jumps behind 250 literals, 2,000',
    patterns: () => times(2000, (i) => `q${Math.floor(i / 8).toString(36)}zz${OPTIONAL}!${i}`),
    names: OTHERS,
  },
];

const SMALL: readonly Family[] = [
  {
    title: '`(.{2,})(?:.*\\1){3}`',
    patterns: () => ['(.{2,})(?:.*\\1){3}'],
    names: [79, 100, 120].map((length) => variedName(length, 3)),
  },
  {
    title: '`(.a*?(?:.*)+?)\\1\\.$`',
    patterns: () => ['(.a*?(?:.*)+?)\\1\\.$'],
    names: [60, 79, 100].map((length) => variedName(length, 5)),
  },
  {
    title: '`(?!!)(?:.?.?.?.?){255}!`',
    patterns: () => ['(?!!)(?:.?.?.?.?){255}!'],
    names: [LONG, 'a.b.'],
  },
  {
    title: 'nested counts, 200',
    patterns: () => times(200, (i) => `(?:[a-z.]{1,${150 - (i % 20)}}){1,${150 - Math.floor(i / 20)}}!`),
    names: [LONG],
  },
  {
    title: 'the eighth behind a literal',
    patterns: () => times(8, (i) => `needle${OPTIONAL}${OPTIONAL.slice(0, 1800)}!${i}`),
    names: [`needle.${LABEL.repeat(3)}`],
  },
  {
    title: 'finite patterns of 1,024 strings, 300',
    patterns: () => times(300, (i) => `^(?:[a-d]{5})${i}\\.x\\.$`),
    names: OTHERS,
  },
  {
    title: 'sets of Unicode ranges, 50 of 4,000 characters',
    patterns: () =>
      times(50, (i) =>
        Array.from({ length: 330 }, (_, j) => {
          const from = 0x400 + ((i * 331 + j * 7) % 0x2000);
          return `[\\w${String.fromCharCode(from)}-${String.fromCharCode(from + 40 + (j % 13))}]+`;
        }).join('!'),
      ),
    names: OTHERS,
  },
  {
    title: 'nested counted repeats of 4,096 characters, 50',
    patterns: () => times(50, (i) => `${'(?:a?b{1,3}|[cd]e?){1,9}'.repeat(165)}${i}`),
    names: OTHERS,
  },
  {
    title: 'nested finite sets of 4,096 characters, 50',
    patterns: () => times(50, (i) => `${'(?:[ab]c?){2}'.repeat(300)}[^.]${i}`),
    names: OTHERS,
  },
];

const CLASSES = Array.from({ length: 230 }, (_, i) => {
  const [lo, hi] = [97 + (i % 15), 112 + (Math.floor(i / 15) % 11)];
  return `[${String.fromCharCode(lo)}-${String.fromCharCode(hi)}0-${i % 10}a-z]`;
});
const TWO_LETTER = `${'a.'.repeat(120)}`;

const LARGE: readonly Family[] = [
  {
    title: 'no literal, 100,000',
    patterns: () =>
      times(
        100_000,
        (i) =>
          `[a-m][a-z0-9.]{${(i % 60) + 5}}[q-z][0-9]{${Math.floor(i / 60) % 40}}[${letter(i)}-z]${i % 9}`,
      ),
    names: OTHERS,
  },
  {
    title: 'no literal, anchored and wide, 20,000',
    patterns: () =>
      times(20_000, (i) => `^[^${letter(i)}.]{1,60}\\.(?:[a-z]{1,${20 + (i % 40)}}[.]){1,3}[0-9]{${i % 60}}`),
    names: OTHERS,
  },
  {
    title: 'back-references, 10,000',
    patterns: () =>
      times(10_000, (i) => `([a-z]{${(i % 9) + 2}})[a-z.]{${Math.floor(i / 9) % 100}}\\1[0-9]{${i % 50}}`),
    names: OTHERS,
  },
  {
    title: 'look-ahead of nothing, 30,000',
    patterns: () => times(30_000, (i) => `(?![a-z]{${i}}[0-9]${letter(i)})x*!`),
    names: OTHERS,
  },
  {
    title: '230 contexts for each of 120 endings of one name',
    patterns: () =>
      times(
        27_600,
        (i) =>
          `^(?:${CLASSES[i % 230]}{1,${1 + (i % 230)}}\\.)*${TWO_LETTER.slice(Math.floor(i / 230) * 2).replaceAll('.', '\\.')}b\\.$`,
      ),
    names: [`${TWO_LETTER}b.`, TWO_LETTER],
  },
  {
    title: 'every run of a name as a literal, 30,000',
    patterns: () =>
      times(30_000, (i) => {
        const from = i % 240;
        return `${VARIED.slice(from, from + 3 + (Math.floor(i / 240) % 125)).replaceAll('.', '\\.')}[0-9]{${(i % 3) + 1}}`;
      }),
    names: [VARIED],
  },
  {
    title: '4 kB each behind a literal of its own, 20,000',
    patterns: () => times(20_000, (i) => `q${i.toString(36)}zz${'(?:[a-z0-9]+[.-]|x)'.repeat(212)}!`),
    names: [...OTHERS, 'q7zz.x.'],
  },
  {
    title: '1,024 strings each, 5,000',
    patterns: () => times(5000, (i) => `^(?:[a-d]{5})${i}\\.x\\.$`),
    names: OTHERS,
  },
];

export const FAMILIES: readonly Family[] = [...REVIEWED, ...SMALL, ...LARGE];
