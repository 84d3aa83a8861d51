/** The entries of a zone file, RFC 1035 section 5.1: words, with comments and parentheses taken out. */
import { RdataError } from '../rdata/rdata-error.ts';
import {
  isBlank,
  MAX_TEXT_LENGTH,
  readToken,
  TOO_LONG,
  type Token,
  UnfinishedError,
} from '../rdata/tokens.ts';
import { ZoneFileError } from './zone-file-error.ts';

export interface Entry {
  /** At least one. */
  readonly tokens: readonly Token[];
  /** The entry begins with a blank, so that the owner of the one before it is its owner too. */
  readonly inheritsOwner: boolean;
  /** Of the first word. */
  readonly line: number;
}

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const OPEN = 0x28;
const CLOSE = 0x29;
const SEMICOLON = 0x3b;
const BYTE_ORDER_MARK = 0xfeff;

/** Stands for octets that are not UTF-8. Only comments may hold it. */
const UNREADABLE = '\ufffd';

/** How many characters are read before others have a turn. */
const CHARACTERS_OF_A_STEP = 16_384;

/** What the reader needs before it can go on: more text, or only a turn for others. */
export type Pause = 'text' | 'turn';

/**
 * Reads one entry after another out of text that comes in pieces of any size. Memory grows with one entry, never with the
 * file. Each piece is read once, but for its last word, which may go on in the next piece.
 */
export class EntryReader {
  /** What has come and was not read. */
  #text = '';
  #at = 0;
  #isWhole = false;
  #isFirst = true;
  #line = 1;
  #depth = 0;
  #openedAt = 0;
  #isInComment = false;
  /** The entry that is being read. */
  #tokens: Token[] = [];
  #size = 0;
  #isAtStart = true;
  #inheritsOwner = false;

  /** The line that was read last. */
  get line(): number {
    return this.#line;
  }

  add(text: string): void {
    this.#text = this.#text.slice(this.#at) + text;
    this.#at = this.#isFirst && text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
    if (text !== '') this.#isFirst = false;
    if (this.#isInComment) this.#skipComment();
  }

  /** There is no more text. */
  end(): void {
    this.#isWhole = true;
  }

  /**
   * Passes over the rest of a line that cannot be read. Returns whether reading can go on after it: not within
   * parentheses, whose end nobody knows.
   */
  skipLine(): boolean {
    if (this.#depth > 0) return false;
    this.#tokens = [];
    this.#size = 0;
    this.#skipComment();
    return true;
  }

  /** The next entry that has words, what is needed first, or undefined at the end of the file. @throws ZoneFileError */
  next(): Entry | Pause | undefined {
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

  #takeLastEntry(): Entry | undefined {
    if (this.#depth === 0) return this.#takeEntry();
    throw new ZoneFileError(this.#openedAt, 'The parenthesis is never closed. Add the closing ).');
  }

  #takeEntry(): Entry | undefined {
    const tokens = this.#tokens;
    this.#isAtStart = true;
    const first = tokens[0];
    if (first === undefined) return undefined;
    this.#tokens = [];
    this.#size = 0;
    return { tokens, inheritsOwner: this.#inheritsOwner, line: first.line };
  }

  /** Reads on by one thing, or by nothing if that needs more text. Returns whether it was the end of an entry. */
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

  #add(token: Token): void {
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

  /** Blanks, comments and parentheses. */
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

  /** Reads a word, unless it may go on in text that is still to come. */
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
