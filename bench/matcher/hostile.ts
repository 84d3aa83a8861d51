import { PatternIndex } from '../../src/matcher/pattern-index.ts';
import { LocalRunners } from '../../src/matcher/runner/local.ts';
import { quantile, table } from '../../test/support/figures.ts';
import { micros, now } from './clock.ts';
import { flat } from './corpus.ts';
import { randomNumbers } from './random.ts';

const RUNS = 200;

export type Random = (below: number) => number;
export type Make = (random: Random, length: number) => string;

function letters(random: Random, length: number, from = 'abcdefghijklmnopqrstuvwxyz0123456789'): string {
  return Array.from({ length }, () => from[random(from.length)]!).join('');
}

/** Labels of up to 60 characters, `length` characters in all, a dot at the end. */
function labels(random: Random, length: number, from?: string): string {
  let name = '';
  while (name.length < length) {
    const left = length - name.length;
    name += `${letters(random, left > 62 ? 60 : left - 1, from)}.`;
  }
  return name;
}

const ends =
  (end: string): Make =>
  (random, length) =>
    labels(random, length - end.length) + end;

/** A pattern, a name that it matches, and one that it nearly matches. */
export const CATASTROPHIC: readonly (readonly [string, Make, Make])[] = [
  ['^([a-z0-9]+\\.?)+evil\\.com\\.$', ends('evil.com.'), ends('evil.com.x.')],
  ['^(([a-z0-9])+.)+evil[0-9]\\.$', ends('evil7.'), ends('evilx.')],
  ['.*.*.*.*.*=evil', (r, n) => `${labels(r, n - 5)}=evil`, (r, n) => `${labels(r, n - 6)}=evi.`],
  [
    '(a|a|aa)*(b|bb)*evil$',
    (r, n) => `${labels(r, n - 4, 'a')}evil`,
    (r, n) => `${labels(r, n - 5, 'a')}evil.`,
  ],
  ['(([a-z])+.)+[A-Z]([a-z])+$', (r, n) => labels(r, n, 'abc').slice(0, -1), (r, n) => labels(r, n, 'abc')],
  ['^(?:[a-z0-9-]{1,63}\\.){1,20}evil\\.$', ends('evil.'), ends('evil.x.')],
];

export function catastrophic(): void {
  warmUp();
  console.log('## Catastrophic patterns, one at a time, µs a check over names of their own: p50 / p99\n');
  const rows = CATASTROPHIC.map(([source, match, miss]) => {
    const cells = [60, 250].flatMap((length) =>
      [match, miss].map((make) => {
        const indexed = indexOf([source]);
        const { samples, kinds } = run(indexed, make, length);
        return `${micros(quantile(samples, 0.5))} / ${micros(quantile(samples, 0.99))} ${kinds}`;
      }),
    );
    return [`\`${source.replaceAll('|', '\\|')}\``, ...cells];
  });
  table(['pattern', '60, match', '60, near miss', '250, match', '250, near miss'], rows);
}

interface Indexed {
  readonly index: PatternIndex;
  readonly runners: LocalRunners;
}

function indexOf(sources: readonly string[]): Indexed {
  const runners = new LocalRunners();
  const index = new PatternIndex(runners);
  sources.forEach((source, i) => {
    index.add(i + 1, source);
  });
  return { index, runners };
}

function run(
  { index, runners }: Indexed,
  make: Make,
  length: number,
): { samples: number[]; held: number[]; kinds: string } {
  const random = randomNumbers(length);
  const samples: number[] = [];
  const held: number[] = [];
  const kinds = new Set<string>();
  for (let i = 0; i < RUNS; i++) {
    const name = flat(make(random, length));
    const begin = now();
    const found = index.check([name]);
    const end = now();
    held.push(end - begin);
    const long = found.kind === 'long' ? runners.candidates.finish(found.rest, new Map()) : undefined;
    samples.push(now() - begin);
    const verdict = long?.kind === 'done' ? long.result : found;
    kinds.add(long === undefined ? verdict.kind : `${verdict.kind} (long)`);
  }
  return { samples, held, kinds: [...kinds].join(', ') };
}

const LETTERS = 'bcdefghijklmnopqrstuvwxyz';

/** 1,000 different patterns of a kind, and names for them. */
export const KINDS: readonly (readonly [string, (i: number) => string, Make])[] = [
  ['no literal', (i) => `^[a-z]{${(i % 25) + 1}}[0-9]{${Math.floor(i / 25) + 1},}[g-p]+\\.`, labels],
  ['no literal, no anchor', (i) => `[a-f][0-9]{${(i % 10) + 2}}[g-p]{${Math.floor(i / 10) + 2}}`, labels],
  [
    'one literal shared',
    (i) => `^(([a-z0-9])+.)+evil[0-9]{${(i % 40) + 1}}[a-${LETTERS[Math.floor(i / 40)]}]*\\.$`,
    ends('evil123.'),
  ],
  [
    'exploding automaton',
    (i) =>
      `[a-m][a-z0-9.]{${(i % 40) + 5}}[q-z][0-${Math.floor(i / 40) % 10}]{${(i % 3) + 1}}[.]x${'y'.repeat(Math.floor(i / 400))}`,
    labels,
  ],
  [
    'exploding, no literal',
    (i) => `[a-m][a-z0-9.]{${(i % 40) + 5}}[q-z][0-9]{${Math.floor(i / 40) + 3}}`,
    labels,
  ],
  ['back-reference', (i) => `([a-z]{${(i % 9) + 4}})[0-9]{${Math.floor(i / 9)}}\\1`, labels],
  ['look-ahead', (i) => `(?=.*[0-9]{${(i % 20) + 4}})(?=[a-z]{${Math.floor(i / 20) + 8}})`, labels],
];

/** Lets the compiler of the runtime see all that is to be measured, on other patterns. */
function warmUp(): void {
  for (const [, source, make] of KINDS) {
    const indexed = indexOf(Array.from({ length: 40 }, (_, i) => source(i * 25)));
    for (const length of [30, 100]) run(indexed, make, length);
  }
}

export function badKinds(): void {
  warmUp();
  console.log('## 1,000 patterns of a bad kind, µs a check\n');
  const rows = KINDS.map(([title, source, make]) => {
    const indexed = indexOf(Array.from({ length: 1000 }, (_, i) => source(i)));
    const cells = [25, 60, 250].flatMap((length) => {
      const { samples, held, kinds } = run(indexed, make, length);
      return [
        `${micros(quantile(samples, 0.5))} / ${micros(quantile(samples, 0.99))}`,
        `${micros(quantile(held, 0.5))} / ${micros(quantile(held, 0.99))}`,
        kinds,
      ];
    });
    return [title, ...cells];
  });
  const head = [25, 60, 250].flatMap((length) => [
    `${length} characters, p50 / p99`,
    'held, p50 / p99',
    'verdicts',
  ]);
  table(['kind', ...head], rows);
}
