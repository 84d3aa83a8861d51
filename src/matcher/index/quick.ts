/**
 * The shapes that nearly all patterns have, read straight from the text: one of a few beginnings, then nothing but
 * letters, digits, `-`, `_` and escaped dots, then `$`; or such characters alone. What a beginning means is found
 * out by analysing it once, so that this can only agree with the long way.
 */
export const BEGINNINGS: readonly string[] = [
  '^([A-Za-z0-9_\\-]+\\.)*',
  '^([a-z0-9_-]+\\.)*',
  '^([a-zA-Z0-9-]+\\.)*',
  '^(.*\\.)?',
  '^(?:.*\\.)?',
  '^(.+\\.)?',
  '(^|\\.)',
  '(?:^|\\.)',
  '^',
  '',
];

const DOT = 46;
const HYPHEN = 45;
const UNDERSCORE = 95;
const BACKSLASH = 92;
const DOLLAR = 36;

/** What a quick pattern consists of. `bytes` holds the folded literal from 0 to `length`. */
export interface Quick {
  readonly beginning: number;
  readonly anchored: boolean;
  readonly length: number;
}

const LONGEST = 255;

export class QuickReader {
  readonly bytes = new Uint8Array(LONGEST + 1);

  /** Undefined when the pattern is of another shape. */
  read(source: string): Quick | undefined {
    const beginning = beginningOf(source);
    const anchored = source.charCodeAt(source.length - 1) === DOLLAR;
    const end = anchored ? source.length - 1 : source.length;
    const length = this.literal(source, BEGINNINGS[beginning]!.length, end);
    return length > 1 ? { beginning, anchored, length } : undefined;
  }

  /** The number of bytes; 0 when there is anything but a literal. */
  private literal(source: string, from: number, to: number): number {
    if (to - from > LONGEST) return 0;
    let length = 0;
    for (let i = from; i < to; i++) {
      const code = source.charCodeAt(i);
      const byte = code === BACKSLASH ? escapedByte(source, ++i, to) : plainByte(code);
      if (byte === 0) return 0;
      this.bytes[length++] = byte;
    }
    return length;
  }
}

/** The dot or hyphen behind a backslash; 0 for all else. */
function escapedByte(source: string, at: number, to: number): number {
  const code = at < to ? source.charCodeAt(at) : 0;
  return code === DOT || code === HYPHEN ? code : 0;
}

/** The folded byte of a character that stands for itself; 0 for all others. */
function plainByte(code: number): number {
  if (code >= 97 && code <= 122) return code;
  if (code >= 65 && code <= 90) return code + 32;
  if (code >= 48 && code <= 57) return code;
  return code === HYPHEN || code === UNDERSCORE ? code : 0;
}

function beginningOf(source: string): number {
  for (let i = 0; i < BEGINNINGS.length - 1; i++) if (source.startsWith(BEGINNINGS[i]!)) return i;
  return BEGINNINGS.length - 1;
}
