/**
 * Beginnings of the shapes of nearly all patterns, read directly from the text: a beginning, then only letters, digits,
 * `-`, `_` and escaped dots, then `$`; or only such characters. The meaning of a beginning comes from one full
 * analysis, so that both paths always agree.
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

/** The parts of a quick pattern. `bytes` holds the folded literal from 0 to `length`. */
export interface Quick {
  readonly beginning: number;
  readonly anchored: boolean;
  readonly length: number;
}

const LONGEST = 255;

export class QuickReader {
  readonly bytes = new Uint8Array(LONGEST + 1);

  /** Undefined if the pattern has another shape. */
  read(source: string): Quick | undefined {
    const beginning = beginningOf(source);
    const anchored = source.charCodeAt(source.length - 1) === DOLLAR;
    const end = anchored ? source.length - 1 : source.length;
    const length = this.literal(source, BEGINNINGS[beginning]!.length, end);
    return length > 1 ? { beginning, anchored, length } : undefined;
  }

  /** Returns the number of bytes, or 0 if there is anything but a literal. */
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

/** The dot or hyphen after a backslash; 0 for anything else. */
function escapedByte(source: string, at: number, to: number): number {
  const code = at < to ? source.charCodeAt(at) : 0;
  return code === DOT || code === HYPHEN ? code : 0;
}

/** The folded byte of a literal character; 0 for anything else. */
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
