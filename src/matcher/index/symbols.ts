/** The characters that names are made of, by small numbers; every other character is OTHER. */
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

/** A text as code points. */
export function codesOf(text: string): readonly number[] {
  const codes: number[] = [];
  for (const character of text) codes.push(character.codePointAt(0)!);
  return codes;
}
