import { isWord } from '../syntax/unicode.ts';
import type { Text } from './text.ts';

const NEWLINE = 10;

function isWordAt(text: Text, at: number, ascii: boolean): boolean {
  const code = text[at];
  return code !== undefined && (!ascii || code < 0x80) && isWord(code);
}

function isBoundary(text: Text, at: number, ascii: boolean): boolean {
  return isWordAt(text, at - 1, ascii) !== isWordAt(text, at, ascii);
}

/** True if the anchor with this number in `ANCHOR_KINDS` holds before the code point at `at`. */
export function anchorHolds(kind: number, ascii: boolean, text: Text, at: number): boolean {
  switch (kind) {
    case 0:
      return at === 0;
    case 1:
      return at === text.length;
    case 2:
      return at === text.length || (at === text.length - 1 && text[at] === NEWLINE);
    case 3:
      return at === 0 || text[at - 1] === NEWLINE;
    case 4:
      return at === text.length || text[at] === NEWLINE;
    case 5:
      return text.length > 0 && isBoundary(text, at, ascii);
    default:
      return text.length > 0 && !isBoundary(text, at, ascii);
  }
}
