/** The characters of names, as small numbers; any other character is OTHER. */
const NAMED = 'abcdefghijklmnopqrstuvwxyz0123456789-_.';

export const SYMBOLS = NAMED.length;
export const OTHER = NAMED.length;

export const SYMBOL_CODES: readonly number[] = Array.from(NAMED, (character) => character.charCodeAt(0));

const BY_CODE = new Uint8Array(128).fill(OTHER);
SYMBOL_CODES.forEach((code, symbol) => {
  BY_CODE[code] = symbol;
});

export function symbolOf(code: number): number {
  return code < 128 ? BY_CODE[code]! : OTHER;
}

/** A text as code points and as symbols. */
export interface Symbols {
  readonly length: number;
  readonly codes: Uint32Array;
  readonly symbols: Uint8Array;
  /** True if the text consists of symbols only. */
  readonly plain: boolean;
}

export function symbolsOf(text: string): Symbols {
  const codes = new Uint32Array(text.length);
  const symbols = new Uint8Array(text.length);
  let length = 0;
  let plain = true;
  for (let i = 0; i < text.length; i++) {
    const code = text.codePointAt(i)!;
    if (code > 0xffff) i++;
    const symbol = symbolOf(code);
    plain &&= symbol !== OTHER;
    codes[length] = code;
    symbols[length++] = symbol;
  }
  return { length, codes: codes.subarray(0, length), symbols, plain };
}
