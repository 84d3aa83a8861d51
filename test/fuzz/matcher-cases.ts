import type { Random } from '../support/random.ts';

/** Patterns over all of the dialect, weighted towards its corners, and names that are near to them. */

const PLAIN = 'abababababkKsSiI01-_.';
const UNICODE = [
  'İ',
  'ı',
  'ſ',
  'K',
  'ß',
  'ẞ',
  'Å',
  'å',
  'µ',
  'μ',
  'ς',
  'σ',
  'Σ',
  'é',
  'ǅ',
  '\u0345',
  'ι',
  'ﬅ',
  'ﬆ',
  '𐐀',
  '𐐨',
  '٣',
  '中',
  'ᲀ',
  'в',
];
const NAMES = ['a', 'n', 'b_1', 'é', '_', 'x'];

const ANCHORS = ['^', '$', '\\b', '\\B', '\\A', '\\Z', '\\b', '(?#x)'];

/** A piece of a pattern, and a text that it may match. */
interface Piece {
  readonly text: string;
  readonly sample: (random: Random) => string;
}

const nothing = (): string => '';

/** How often to repeat what is repeated when sampling. */
function roundsOf(sign: string, low: number, high: number): [number, number] {
  if (sign === '?') return [0, 1];
  if (sign === '*') return [0, 3];
  return sign === '+' ? [1, 3] : [low, Math.max(low, high)];
}

export class PatternMaker {
  private readonly random: Random;
  private groups = 0;
  private names: string[] = [];
  private open: number[] = [];
  private closed: number[] = [];
  private readonly samples: string[] = [''];
  private unicode = false;
  private spaced = false;
  private regular = false;
  private grouping = false;

  constructor(random: Random) {
    this.random = random;
  }

  make(): Piece {
    const { random } = this;
    this.unicode = random.chance(0.25);
    this.spaced = random.chance(0.08);
    this.regular = random.chance(0.3);
    this.grouping = !this.regular && random.chance(0.6);
    const start = random.weighted([
      [10, ''],
      [3, '^'],
      [1, '\\A'],
      [1, '(?:^|\\.)'],
      [1, '(^|\\.)'],
      [1, '.*'],
    ]);
    if (start === '(^|\\.)') this.closed.push(++this.groups);
    const body = this.options(
      random.weighted([
        [2, 1],
        [4, 2],
        [4, 3],
        [2, 4],
      ]),
    );
    const flags = this.spaced
      ? '(?x)'
      : random.weighted([
          [20, ''],
          [1, '(?i)'],
          [2, '(?a)'],
          [1, '(?s)'],
          [1, '(?m)'],
          [1, '(?u)'],
          [0.2, '(?L)'],
          [0.2, '(?t)'],
          [0.3, '(?am)'],
        ]);
    const end = random.weighted([
      [10, ''],
      [3, '$'],
      [2, '\\.$'],
      [1, '\\Z'],
      [1, '\\.'],
      [1, '.*'],
    ]);
    return {
      text: flags + start + body.text + end,
      sample: (r) => body.sample(r) + (end.includes('\\.') ? '.' : ''),
    };
  }

  private character(): string {
    return this.unicode && this.random.chance(0.4)
      ? this.random.pick(UNICODE)
      : this.random.pick<string>(PLAIN);
  }

  private options(depth: number): Piece {
    const count = this.random.weighted([
      [6, 1],
      [2, 2],
      [1, 3],
    ]);
    const pieces = Array.from({ length: count }, () => this.sequence(depth));
    return { text: pieces.map((p) => p.text).join('|'), sample: (r) => r.pick(pieces).sample(r) };
  }

  private sequence(depth: number): Piece {
    const count = this.random.weighted([
      [0.7, 0],
      [4, 1],
      [4, 2],
      [3, 3],
      [1, 5],
    ]);
    const pieces = Array.from({ length: count }, () => this.repeated(depth));
    const glue = (): string =>
      this.spaced && this.random.chance(0.4) ? this.random.pick([' ', '\n', ' #x\n', '\t']) : '';
    return {
      text: pieces.map((p) => p.text + glue()).join(''),
      sample: (r) =>
        pieces
          .map((p) => p.sample(r))
          .join('')
          .slice(0, 80),
    };
  }

  private repeated(depth: number): Piece {
    const atom = this.atom(depth);
    if (this.random.chance(ANCHORS.includes(atom.text) ? 0.98 : 0.6)) return atom;
    const { random } = this;
    const low = random.below(4);
    const high = low + random.below(3);
    const sign = random.weighted([
      [4, '*'],
      [4, '+'],
      [4, '?'],
      [1, `{${low}}`],
      [2, `{${low},${high}}`],
      [1, `{,${high}}`],
      [1, `{${low},}`],
      [0.06, `{${high + 1},${low}}`],
      [0.2, '{'],
      [0.2, '{}'],
      [0.1, '{a}'],
      [0.1, '{,}'],
      [0.1, '{1,2'],
      [0.05, '{4294967295}'],
      [0.05, '{4294967294}'],
      [0.1, '{0,300}'],
      [0.1, '{0}'],
    ]);
    const mode = random.weighted([
      [5, ''],
      [2, '?'],
      [this.regular ? 0 : 2, '+'],
    ]);
    const [least, most] = roundsOf(sign, low, high);
    const sample = (r: Random): string => {
      const rounds = Array.from({ length: least + r.below(most - least + 1) }, () => atom.sample(r));
      return rounds.join('').slice(0, 80);
    };
    return { text: atom.text + sign + mode, sample };
  }

  private atom(depth: number): Piece {
    const { random } = this;
    const inner = depth > 0 ? 1 : 0;
    const odd = this.regular ? 0 : 1;
    const group = this.grouping ? 1 : 0;
    const kind = random.weighted([
      [10, 'character'],
      [1.5, 'dot'],
      [3, 'set'],
      [1.5, 'class'],
      [1, 'anchor'],
      [1, 'escape'],
      [0.2, 'comment'],
      [(4 + 5 * group) * inner, 'group'],
      [2 * inner, 'plain'],
      [0.6 * inner, 'flags'],
      [1.2 * inner * odd, 'atomic'],
      [2 * inner * odd, 'look'],
      [this.closed.length > 0 ? 2 * odd + 4 * group : 0.05, 'reference'],
      [this.groups > 0 ? (1.2 * odd + 2 * group) * inner : 0.02, 'conditional'],
    ]);
    switch (kind) {
      case 'dot':
        return { text: '.', sample: (r) => r.pick<string>(PLAIN) };
      case 'set':
        return this.set();
      case 'class':
        return { text: `\\${random.pick<string>('dDwWsSdw')}`, sample: (r) => r.pick<string>('a0-. _b') };
      case 'anchor':
        return { text: random.pick(ANCHORS), sample: nothing };
      case 'escape':
        return this.escape();
      case 'comment':
        return { text: '(?#x)', sample: nothing };
      case 'group':
        return this.group(depth);
      case 'plain':
        return this.wrapped('(?:', depth);
      case 'flags':
        return this.wrapped(
          `(?${random.pick(['i', 'a', 'u', 's', 'm', 'x', '-i', 's-i', 'i', 'a', 's', 'm', '-i', 'a-i', 'a-i', '-m', 'ax', 'im', '-x', 'L', 't', 'au', 'i-i', 'q', 'a-u'])}:`,
          depth,
        );
      case 'atomic':
        return this.wrapped('(?>', depth);
      case 'look':
        return this.look(depth);
      case 'reference':
        return this.reference();
      case 'conditional':
        return this.conditional(depth);
      default: {
        const character = this.character();
        const text = '.*+?()[{|^$\\'.includes(character) ? `\\${character}` : character;
        return { text, sample: () => character };
      }
    }
  }

  private wrapped(start: string, depth: number): Piece {
    const body = this.options(depth - 1);
    return { text: `${start}${body.text})`, sample: body.sample };
  }

  private group(depth: number): Piece {
    const { random } = this;
    const index = ++this.groups;
    const name = random.chance(0.2) ? random.pick(NAMES) : undefined;
    if (name !== undefined) this.names.push(name);
    this.open.push(index);
    const body = this.options(depth - 1);
    this.open.pop();
    this.closed.push(index);
    const sample = (r: Random): string => {
      this.samples[index] = body.sample(r);
      return this.samples[index] as string;
    };
    return { text: `(${name === undefined ? '' : `?P<${name}>`}${body.text})`, sample };
  }

  private look(depth: number): Piece {
    const { random } = this;
    const start = random.pick(['(?=', '(?!', '(?<=', '(?<!']);
    const fixed = start.includes('<') && random.chance(0.8);
    const body = fixed ? this.fixed(random.below(3) + 1) : this.options(depth - 1);
    return {
      text: `${start}${body.text})`,
      sample: (r) => (start === '(?=' && r.chance(0.3) ? body.sample(r) : ''),
    };
  }

  private fixed(length: number): Piece {
    const pieces = Array.from({ length }, () => (this.random.chance(0.2) ? this.set() : this.atom(0)));
    return { text: pieces.map((p) => p.text).join(''), sample: nothing };
  }

  private reference(): Piece {
    const { random } = this;
    if (this.names.length > 0 && random.chance(0.3)) {
      return { text: `(?P=${random.pick(random.chance(0.9) ? this.names : NAMES)})`, sample: nothing };
    }
    const odd = [this.groups + 1, 0, 99, ...this.open];
    const group =
      this.closed.length === 0 || random.chance(0.04) ? random.pick(odd) : random.pick(this.closed);
    return { text: `\\${group}`, sample: () => this.samples[group] ?? '' };
  }

  private conditional(depth: number): Piece {
    const { random } = this;
    const group = random.chance(0.04)
      ? random.pick(['0', '99', ' 1', '+1', '-1', '1_0', '٣', 'a', 'é', '01', 'zz', '1 '])
      : String(1 + random.below(Math.max(this.groups, 1)));
    const yes = this.sequence(depth - 1);
    const no = random.chance(0.7) ? this.sequence(depth - 1) : undefined;
    const more = random.chance(0.03) ? '|x' : '';
    const sample = (r: Random): string => (no === undefined || r.chance(0.5) ? yes.sample(r) : no.sample(r));
    return { text: `(?(${group})${yes.text}${no === undefined ? '' : `|${no.text}`}${more})`, sample };
  }

  private set(): Piece {
    const { random } = this;
    const members: string[] = [];
    const samples: string[] = [];
    for (let i = random.below(3); i >= 0; i--) {
      const character = this.character();
      samples.push(character);
      members.push(this.member(character));
    }
    const start = random.weighted([
      [8, '['],
      [3, '[^'],
      [0.3, '[]'],
      [0.3, '[^]'],
      [0.2, '[['],
    ]);
    const end = random.weighted([
      [20, ']'],
      [0.5, '-]'],
      [0.1, ''],
    ]);
    return { text: start + members.join('') + end, sample: (r) => r.pick(samples) };
  }

  private member(character: string): string {
    const { random } = this;
    const other = this.character();
    const [low, high] = character < other || random.chance(0.05) ? [character, other] : [other, character];
    const bare = (c: string): string => (c === '-' || c === ']' || c === '\\' ? `\\${c}` : c);
    return random.weighted([
      [6, bare(character)],
      [4, `${bare(low)}-${bare(high)}`],
      [1, 'a-z'],
      [0.7, '0-9'],
      [1.5, `\\${random.pick<string>('dDwWsS')}`],
      [0.3, '-'],
      [0.04, '\\d-z'],
      [0.03, 'a-\\d'],
      [0.2, '\\b'],
      [0.2, '\\x61'],
      [0.1, '\\1'],
      [0.03, '\\8'],
      [0.03, '\\400'],
      [0.03, '\\q'],
      [0.1, '--a'],
      [0.1, '&&'],
      [0.1, '~~'],
      [0.2, '\\U00010400-\\U00010427'],
      [0.2, '\\U00010428'],
      [0.1, 'A-\\U00010428'],
    ]);
  }

  private escape(): Piece {
    const text = this.random.weighted([
      [2, '\\x61'],
      [1, '\\u0131'],
      [1, '\\u017F'],
      [1, '\\U0001D400'],
      [0.5, '\\141'],
      [0.5, '\\101'],
      [0.5, '\\0'],
      [0.3, '\\012'],
      [0.3, '\\08'],
      [0.1, '\\400'],
      [0.3, '\\377'],
      [0.1, '\\x6'],
      [0.1, '\\u12'],
      [0.1, '\\U00110000'],
      [0.1, '\\q'],
      [0.2, '\\N{EM DASH}'],
      [0.4, '\\N{latin small letter a}'],
      [0.3, '\\N{LATIN SMALL LETTER DOTLESS I}'],
      [0.2, '\\N{NOPE}'],
      [0.1, '\\N'],
      [0.1, '\\N{'],
      [0.2, '\\N{}'],
      [1, '\\-'],
      [2, '\\.'],
      [0.5, '\\é'],
      [0.5, '\\n'],
      [0.5, '\\t'],
      [0.3, '\\a'],
      [0.2, '\\N{HANGUL SYLLABLE GAGG}'],
      [0.2, '\\N{CJK UNIFIED IDEOGRAPH-4E2D}'],
      [0.2, '\\N{NBSP}'],
    ]);
    return { text, sample: (r) => r.pick(['a', '.', 'ı', '-', 'A', 's']) };
  }
}

const BREAKERS = [
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '*',
  '+',
  '?',
  '|',
  '\\',
  '^',
  '$',
  '-',
  '?:',
  '(?',
  '(?P',
  '(?P<',
  '(?P=',
  '(?<=',
  '(?#',
  ',',
  '0',
  '1',
  '9',
  '<',
  '>',
  '=',
  '!',
  'i',
  ' ',
  '\n',
  ':',
  '(?i)',
  '(?(',
  '&&',
  '#',
  'é',
  '𐐀',
  "'",
];

/** A broken, or only another, pattern: a few random edits. */
export function mutated(random: Random, pattern: string): string {
  const characters = Array.from(pattern);
  for (let i = random.below(3); i >= 0; i--) {
    const at = random.below(characters.length + 1);
    const kind = random.below(4);
    if (kind === 0) characters.splice(at, 1);
    else if (kind === 1) characters.splice(at, 0, random.pick(BREAKERS));
    else if (kind === 2) characters.splice(at, 1, random.pick(BREAKERS));
    else characters.splice(at, 0, ...characters.slice(at, at + 1 + random.below(4)));
  }
  return characters.join('');
}

function noise(random: Random, unicode: boolean, length: number): string {
  const one = (): string =>
    unicode && random.chance(0.3) ? random.pick(UNICODE) : random.pick<string>('aaabbbk01s-.i');
  return Array.from({ length }, one).join('');
}

function edited(random: Random, text: string, unicode: boolean): string {
  const characters = Array.from(text);
  for (let i = random.below(2); i >= 0; i--)
    characters.splice(
      random.below(characters.length + 1),
      random.below(2),
      noise(random, unicode, random.below(2)),
    );
  return characters.join('');
}

function name(random: Random, piece: Piece): string {
  const unicode = random.chance(0.3);
  const sample = piece.sample(random).slice(0, 60);
  const near = random.chance(0.4) ? edited(random, sample, unicode) : sample;
  const text = random.weighted([
    [5, near],
    [4, `${near}.`],
    [3, noise(random, unicode, random.below(5)) + near + noise(random, unicode, random.below(5))],
    [2, `${noise(random, unicode, random.below(14))}.`],
    [1, noise(random, unicode, random.below(6))],
    [0.4, `${near}\n`],
    [0.3, `a\n${near}`],
    [0.2, ` ${near}`],
    [0.6, near + near],
  ]);
  const cased = random.chance(0.8) ? text.toLowerCase() : text;
  return cased
    .replaceAll('\0', '')
    .replace(/[\ud800-\udfff]/gu, '')
    .slice(0, 250)
    .replace(/[\ud800-\udbff]$/u, '');
}

export interface Case {
  readonly pattern: string;
  readonly names: readonly string[];
}

/** Pieces of syntax in any order. */
function soup(random: Random): string {
  const piece = (): string =>
    random.pick(
      random.chance(0.7)
        ? BREAKERS
        : ['a', 'b', 'k', '.', '\\1', '\\w', '[a]', '(a)', ')', 'ı', '𐐨', 'x*', '{2}', '\\'],
    );
  return Array.from({ length: 1 + random.below(12) }, piece).join('');
}

export function makeCase(random: Random, names: number): Case {
  const piece = new PatternMaker(random).make();
  const kind = random.weighted([
    [16, 'made'],
    [3, 'mutated'],
    [1, 'soup'],
  ]);
  const pattern =
    kind === 'soup' ? soup(random) : kind === 'mutated' ? mutated(random, piece.text) : piece.text;
  const count = kind === 'soup' ? Math.min(names, 8) : names;
  return {
    pattern: pattern.replaceAll('\0', ''),
    names: Array.from({ length: count }, () => name(random, piece)),
  };
}
