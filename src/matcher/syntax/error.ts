import { isPrintable } from './unicode.ts';

/** A pattern is invalid. Has CPython's error message, and the position in code points. */
export class PatternError extends Error {
  readonly reason: string;
  readonly position: number;

  constructor(reason: string, position: number) {
    super(`${reason} at position ${position}`);
    this.name = 'PatternError';
    this.reason = reason;
    this.position = position;
  }
}

const NAMED_ESCAPES: Readonly<Record<string, string>> = {
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\\': '\\\\',
};

function quotedCharacter(character: string, quote: string): string {
  if (character === quote) return `\\${character}`;
  const named = NAMED_ESCAPES[character];
  if (named !== undefined) return named;
  const code = character.codePointAt(0) as number;
  if (isPrintable(code)) return character;
  const digits = code.toString(16);
  if (code < 0x100) return `\\x${digits.padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${digits.padStart(4, '0')}` : `\\U${digits.padStart(8, '0')}`;
}

/** Python's `repr` of a string. */
export function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  return quote + Array.from(text, (character) => quotedCharacter(character, quote)).join('') + quote;
}
