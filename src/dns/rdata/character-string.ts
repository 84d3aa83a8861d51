/**
 * Bytes and their presentation text (RFC 1035 section 5.1: `\X` and `\DDD`). Non-ASCII text becomes its UTF-8 bytes.
 */
import { RdataError, shown } from './rdata-error.ts';

export const MAX_CHARACTER_STRING = 255;

const BACKSLASH = 0x5c;

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

/** The byte written as three digits after the backslash at `at`. */
function decimalEscape(text: string, at: number): number {
  const digits = text.slice(at + 1, at + 4);
  const byte = /^[0-9]{3}$/.test(digits) ? Number(digits) : 256;
  if (byte > 255) {
    throw new RdataError(
      `The escape ${shown(`\\${digits}`)} is invalid. Write \\DDD with three digits from 000 to 255, or \\\\ for a backslash.`,
    );
  }
  return byte;
}

function pushUtf8(bytes: number[], point: number): void {
  if (point >= 0xd800 && point <= 0xdfff) {
    throw new RdataError('The text contains an unpaired surrogate, which is not a character. Remove it.');
  }
  if (point < 0x800) {
    bytes.push(0xc0 | (point >> 6), 0x80 | (point & 0x3f));
  } else if (point < 0x10000) {
    bytes.push(0xe0 | (point >> 12), 0x80 | ((point >> 6) & 0x3f), 0x80 | (point & 0x3f));
  } else {
    bytes.push(0xf0 | (point >> 18), 0x80 | ((point >> 12) & 0x3f));
    bytes.push(0x80 | ((point >> 6) & 0x3f), 0x80 | (point & 0x3f));
  }
}

/** Adds the character at `at`, unescaped or after its backslash, and returns the index after it. */
function pushCharacter(bytes: number[], text: string, at: number): number {
  const point = text.codePointAt(at);
  if (point === undefined)
    throw new RdataError('The text ends with a backslash that escapes nothing. Write \\\\ for a backslash.');
  if (point < 0x80) bytes.push(point);
  else pushUtf8(bytes, point);
  return at + (point > 0xffff ? 2 : 1);
}

/** Adds what the backslash at `at` escapes, and returns the index after it. */
function pushEscaped(bytes: number[], text: string, at: number): number {
  if (!isDigit(text.charCodeAt(at + 1))) return pushCharacter(bytes, text, at + 1);
  bytes.push(decimalEscape(text, at));
  return at + 4;
}

/**
 * The bytes of escaped text. Calls `onEscaped` with the index of each escaped byte.
 * @throws RdataError
 */
export function unescapeText(text: string, onEscaped?: (index: number) => void): number[] {
  const bytes: number[] = [];
  let at = 0;
  while (at < text.length) {
    if (text.charCodeAt(at) !== BACKSLASH) {
      at = pushCharacter(bytes, text, at);
      continue;
    }
    onEscaped?.(bytes.length);
    at = pushEscaped(bytes, text, at);
  }
  return bytes;
}

/** A byte as the escape `\DDD`. */
export const decimal = (byte: number): string => `\\${String(byte).padStart(3, '0')}`;

/** A table from byte to text. `special` are the visible characters that need a backslash. */
export function escapeTable(special: string, firstVisible: number): readonly string[] {
  return Array.from({ length: 256 }, (_, byte) => {
    if (byte < firstVisible || byte > 0x7e) return decimal(byte);
    const character = String.fromCharCode(byte);
    return special.includes(character) ? `\\${character}` : character;
  });
}

const QUOTED = escapeTable('"\\', 0x20);

/** Encodes bytes with an escapeTable and joins once: appending to a string costs a node per byte. */
export function escapeBytes(bytes: readonly number[], table: readonly string[]): string {
  return bytes.map((byte) => table[byte]).join('');
}

/** The canonical text of a character string: always quoted; visible ASCII as itself, the rest as \DDD. */
export function formatQuoted(bytes: readonly number[]): string {
  return `"${escapeBytes(bytes, QUOTED)}"`;
}
