/** Splits a zone file into entries (RFC 1035 section 5.1): words, without comments and parentheses. */
import { RdataError } from '../rdata/rdata-error.ts';
import {
  isBlank,
  MAX_TEXT_LENGTH,
  type RdataToken,
  readToken,
  TOO_LONG,
  UnfinishedError,
} from '../rdata/tokens.ts';

/** A fault in a zone file, with its line. Never leaves this layer. */
export class ZoneFileError extends Error {
  constructor(
    readonly line: number,
    readonly reason: string,
  ) {
    super(`line ${line}: ${reason}`);
    this.name = 'ZoneFileError';
  }
}

export interface ZoneFileEntry {
  /** Never empty. */
  readonly tokens: readonly RdataToken[];
  /** True if the entry begins with a blank and so has the owner of the previous one. */
  readonly inheritsOwner: boolean;
  /** The line of the first word. */
  readonly line: number;
}

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const OPEN = 0x28;
const CLOSE = 0x29;
const SEMICOLON = 0x3b;
const BYTE_ORDER_MARK = 0xfeff;

/** Replaces octets that are not UTF-8. Allowed only in comments. */
const UNREADABLE = '\ufffd';

/** Number of characters read before yielding to other work. */
const CHARACTERS_OF_A_STEP = 16_384;

/** Why reading pauses: it needs more text, or yields to other work. */
export type ReadingPause = 'text' | 'turn';

/**
 * Reads entries from text that arrives in pieces of any size. Memory grows with one entry, never with the file. Each
 * piece is read once, except for its last word, which may continue in the next piece.
 */
export class EntryReader {
  /** Text received but not yet read. */
  #text = '';
  #at = 0;
  #isWhole = false;
  #isFirst = true;
  #line = 1;
  #depth = 0;
  #openedAt = 0;
  #isInComment = false;
  /** The entry being read. */
  #tokens: RdataToken[] = [];
  #size = 0;
  #isAtStart = true;
  #inheritsOwner = false;

  /** The line read last. */
  get line(): number {
    return this.#line;
  }

  add(text: string): void {
    this.#text = this.#text.slice(this.#at) + text;
    this.#at = this.#isFirst && text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
    if (text !== '') this.#isFirst = false;
    if (this.#isInComment) this.#skipComment();
  }

  /** Marks the end of the text. */
  end(): void {
    this.#isWhole = true;
  }

  /**
   * Skips the rest of an unreadable line. Returns false if reading cannot continue: inside parentheses, whose end is
   * unknown.
   */
  skipLine(): boolean {
    if (this.#depth > 0) return false;
    this.#tokens = [];
    this.#size = 0;
    this.#skipComment();
    return true;
  }

  /** The next entry with words, the reason to pause, or undefined at the end of the file. @throws ZoneFileError */
  next(): ZoneFileEntry | ReadingPause | undefined {
    const pauseAt = this.#at + CHARACTERS_OF_A_STEP;
    while (this.#at < this.#text.length) {
      if (this.#at >= pauseAt) return 'turn';
      const before = this.#at;
      const entry = this.#readsEnd() ? this.#takeEntry() : undefined;
      if (entry !== undefined) return entry;
      if (this.#at === before) return 'text';
    }
    return this.#isWhole ? this.#takeLastEntry() : 'text';
  }

  #takeLastEntry(): ZoneFileEntry | undefined {
    if (this.#depth === 0) return this.#takeEntry();
    throw new ZoneFileError(this.#openedAt, 'The parenthesis is never closed. Add the closing ).');
  }

  #takeEntry(): ZoneFileEntry | undefined {
    const tokens = this.#tokens;
    this.#isAtStart = true;
    const first = tokens[0];
    if (first === undefined) return undefined;
    this.#tokens = [];
    this.#size = 0;
    return { tokens, inheritsOwner: this.#inheritsOwner, line: first.line };
  }

  /** Reads one element, or nothing if that needs more text. Returns true at the end of an entry. */
  #readsEnd(): boolean {
    const code = this.#text.charCodeAt(this.#at);
    if (this.#isAtStart) {
      this.#inheritsOwner = isBlank(code);
      this.#isAtStart = false;
    }
    if (code === NEWLINE || code === RETURN) return this.#skipsNewline(code) && this.#depth === 0;
    if (!this.#skipsOther(code)) this.#readWord();
    return false;
  }

  #add(token: RdataToken): void {
    if (token.text.includes(UNREADABLE) || token.value?.includes(UNREADABLE)) {
      throw new ZoneFileError(
        this.#line,
        'The line is not UTF-8. Convert the file, or write escapes such as \\228.',
      );
    }
    this.#tokens.push(token);
    this.#size += token.text.length + (token.value?.length ?? 0) + 1;
    if (this.#size > MAX_TEXT_LENGTH) throw new ZoneFileError(this.#line, TOO_LONG);
  }

  #skipsNewline(code: number): boolean {
    if (code === RETURN) {
      if (this.#at + 1 === this.#text.length && !this.#isWhole) return false;
      if (this.#text.charCodeAt(this.#at + 1) !== NEWLINE) {
        throw new ZoneFileError(
          this.#line,
          'A carriage return has no line feed after it. End lines with \\n or \\r\\n.',
        );
      }
      this.#at += 1;
    }
    this.#at += 1;
    this.#line += 1;
    return true;
  }

  #skipComment(): void {
    const end = this.#text.indexOf('\n', this.#at);
    this.#isInComment = end < 0;
    this.#at = end < 0 ? this.#text.length : end;
  }

  /** Skips blanks, comments and parentheses. */
  #skipsOther(code: number): boolean {
    if (code === SEMICOLON) {
      this.#skipComment();
      return true;
    }
    if (code === OPEN) this.#open();
    else if (code === CLOSE) this.#close();
    else if (!isBlank(code)) return false;
    this.#at += 1;
    return true;
  }

  #open(): void {
    if (this.#depth === 0) this.#openedAt = this.#line;
    this.#depth += 1;
  }

  #close(): void {
    if (this.#depth === 0) {
      throw new ZoneFileError(
        this.#line,
        'A ) has no opening (. Remove it, or put the string that contains it in quotes.',
      );
    }
    this.#depth -= 1;
  }

  /** Reads a word, unless it may continue in the next piece of text. */
  #readWord(): void {
    try {
      const { token, end } = readToken(this.#text, this.#at, this.#line);
      if (end === this.#text.length && !this.#isWhole) return;
      this.#at = end;
      this.#add(token);
    } catch (error) {
      if (error instanceof UnfinishedError && !this.#isWhole) return;
      if (error instanceof RdataError) throw new ZoneFileError(this.#line, error.reason);
      throw error;
    }
  }
}
