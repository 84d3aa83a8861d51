import { RdataError, shown } from './rdata-error.ts';

/**
 * One word of presentation text (RFC 1035 section 5.1), with its escapes not yet decoded. `value` is the quoted part of
 * a word such as `alpn="h2,h3"` (RFC 9460 section 2.1); `text` then ends with the `=`.
 */
export interface RdataToken {
  readonly text: string;
  readonly quoted: boolean;
  readonly value?: string;
  readonly line: number;
}

/** In characters. Longer than the canonical text of 65,535 bytes of rdata with every byte written as \DDD. */
export const MAX_TEXT_LENGTH = 300_000;

export const TOO_LONG = 'The record is too long. Look for a missing closing parenthesis.';

/** The text ends inside a word. */
export class UnfinishedError extends RdataError {}

const TAB = 0x09;
const SPACE = 0x20;
const QUOTE = 0x22;
const EQUALS = 0x3d;
const BACKSLASH = 0x5c;
const DELETE = 0x7f;

const isControl = (code: number): boolean => code < SPACE || code === DELETE;

export const isBlank = (code: number): boolean => code === SPACE || code === TAB;

/** Whether the character ends a word: blank, newline, `"`, `(`, `)`, `;`, or NaN at the end of the text. */
function endsWord(code: number): boolean {
  return !(code > 0x3b || (code > QUOTE && code !== 0x28 && code !== 0x29 && code !== 0x3b) || code === 0x21);
}

function refuseControl(code: number): never {
  const written = `\\${String(code).padStart(3, '0')}`;
  throw new RdataError(
    code === 0x0a || code === 0x0d
      ? `The text contains a line break. Write the record on one line, with ${written} for a line break in a string.`
      : `The text contains the control character ${code}. Write ${written} for it.`,
  );
}

/** The index after the escape that starts with the backslash at `at`. */
function afterEscape(text: string, at: number): number {
  const next = text.charCodeAt(at + 1);
  if (Number.isNaN(next)) {
    throw new UnfinishedError(
      'The text ends with a backslash that escapes nothing. Write \\\\ for a backslash.',
    );
  }
  if (isControl(next)) refuseControl(next);
  return at + 2;
}

/** Checked while reading a word: when text arrives in pieces, an endless word must not be read again and again. */
function requireLength(length: number): void {
  if (length > MAX_TEXT_LENGTH) throw new RdataError(TOO_LONG);
}

/** The index of the closing quotation mark of a string. `start` is the index after its opening one. */
function endOfQuoted(text: string, start: number): number {
  let at = start;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    requireLength(at - start);
    if (Number.isNaN(code)) throw new UnfinishedError('A quoted string is not closed. Add the closing ".');
    if (isControl(code) && code !== TAB) refuseControl(code);
    at = code === BACKSLASH ? afterEscape(text, at) : at + 1;
  }
}

function endOfWord(text: string, start: number): number {
  let at = start;
  for (;;) {
    const code = text.charCodeAt(at);
    requireLength(at - start);
    if (endsWord(code)) return at;
    if (code === DELETE) refuseControl(code);
    at = code === BACKSLASH ? afterEscape(text, at) : at + 1;
  }
}

function requireEndAfterQuote(text: string, at: number): void {
  if (endsWord(text.charCodeAt(at))) return;
  throw new RdataError(
    'A closing " is followed by more text. Put a space after it, or write \\" for a " in a string.',
  );
}

/**
 * The token at `start`, which is not a blank, newline, parenthesis or semicolon, and the index after the token.
 * @throws RdataError
 */
export function readToken(text: string, start: number, line: number): { token: RdataToken; end: number } {
  if (text.charCodeAt(start) === QUOTE) {
    const close = endOfQuoted(text, start + 1);
    requireEndAfterQuote(text, close + 1);
    return { token: { text: text.slice(start + 1, close), quoted: true, line }, end: close + 1 };
  }
  const end = endOfWord(text, start);
  const word = text.slice(start, end);
  const stop = text.charCodeAt(end);
  if (isControl(stop) && !isBlank(stop) && stop !== 0x0a && stop !== 0x0d) refuseControl(stop);
  if (stop !== QUOTE) return { token: { text: word, quoted: false, line }, end };
  if (text.charCodeAt(end - 1) !== EQUALS) {
    throw new RdataError(
      `There is a " inside the word ${shown(word)}. Put the whole string in quotes, and write \\" for each " in it.`,
    );
  }
  const close = endOfQuoted(text, end + 1);
  requireEndAfterQuote(text, close + 1);
  return { token: { text: word, quoted: false, value: text.slice(end + 1, close), line }, end: close + 1 };
}

const MISPLACED: Readonly<Record<string, string>> = {
  ';': 'A ; outside quotes starts a comment. Put the string that contains it in quotes.',
  '(': 'A ( outside quotes joins lines, but only in zone files. Remove it, or put the string that contains it in quotes.',
  ')': 'A ) outside quotes joins lines, but only in zone files. Remove it, or put the string that contains it in quotes.',
};

/**
 * The tokens of one record's rdata: a single line, without comments or parentheses.
 * @throws RdataError
 */
export function tokenizeLine(text: string): RdataToken[] {
  if (text.length > MAX_TEXT_LENGTH) {
    throw new RdataError(
      `The text has ${text.length} characters; rdata has at most ${MAX_TEXT_LENGTH}. Shorten it.`,
    );
  }
  const tokens: RdataToken[] = [];
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (isBlank(code)) {
      at += 1;
      continue;
    }
    if (isControl(code)) refuseControl(code);
    const misplaced = MISPLACED[text.charAt(at)];
    if (misplaced !== undefined) throw new RdataError(misplaced);
    const { token, end } = readToken(text, at, 1);
    tokens.push(token);
    at = end;
  }
  return tokens;
}
