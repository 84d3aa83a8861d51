import { contains, rangeAt } from './charset.ts';
import { digitCharacters, spaceCharacters } from './unicode.ts';

/** Maps non-ASCII decimal digits and spaces to ASCII, and all other non-ASCII characters to `?`. */
function inAscii(character: string): string {
  const code = character.codePointAt(0) as number;
  if (code < 0x80) return character;
  if (contains(spaceCharacters(), code)) return ' ';
  const digits = digitCharacters();
  if (!contains(digits, code)) return '?';
  return String((code - (digits[rangeAt(digits, code)] as number)) % 10);
}

/** Python's `int` of a string if it is not negative; otherwise undefined. */
export function nonNegativeInteger(text: string): bigint | undefined {
  const plain = Array.from(text, inAscii).join('').trim();
  const digits = /^([+-]?)(\d+(?:_\d+)*)$/.exec(plain);
  if (digits === null) return undefined;
  const value = BigInt((digits[2] as string).replaceAll('_', ''));
  return digits[1] === '-' && value > 0n ? undefined : value;
}
