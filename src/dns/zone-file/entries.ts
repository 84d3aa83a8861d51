/** The entries of a zone file, RFC 1035 section 5.1: words, with comments and parentheses taken out. */
import { RdataError } from '../rdata/rdata-error.ts';
import { isBlank, MAX_TEXT_LENGTH, readToken, type Token } from '../rdata/tokens.ts';
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

/** Reads one entry after another; memory grows with one entry, never with the file. */
export class EntryReader {
  readonly #text: string;
  #at = 0;
  #line = 1;
  #depth = 0;
  #openedAt = 0;

  constructor(text: string) {
    this.#text = text;
    if (text.charCodeAt(0) === 0xfeff) this.#at = 1;
  }

  /** How many characters were read. */
  get position(): number {
    return this.#at;
  }

  /** The line that was read last. */
  get line(): number {
    return this.#line;
  }

  /** The next entry that has words, or undefined at the end of the file. @throws ZoneFileError */
  next(): Entry | undefined {
    while (this.#at < this.#text.length) {
      const inheritsOwner = isBlank(this.#text.charCodeAt(this.#at));
      const tokens = this.#readTokens();
      const first = tokens[0];
      if (first !== undefined) return { tokens, inheritsOwner, line: first.line };
    }
    return undefined;
  }

  /** The words up to the newline that ends the entry. */
  #readTokens(): Token[] {
    const tokens: Token[] = [];
    let size = 0;
    while (this.#at < this.#text.length) {
      const code = this.#text.charCodeAt(this.#at);
      if (this.#skipsNewline(code)) {
        if (this.#depth === 0) return tokens;
      } else if (!this.#skipsOther(code)) {
        const token = this.#readWord();
        tokens.push(token);
        size += token.text.length + (token.value?.length ?? 0) + 1;
        this.#requireSize(size);
      }
    }
    if (this.#depth === 0) return tokens;
    throw new ZoneFileError(this.#openedAt, 'The parenthesis is never closed. Add the closing ).');
  }

  #requireSize(size: number): void {
    if (size <= MAX_TEXT_LENGTH) return;
    throw new ZoneFileError(
      this.#line,
      'The record is longer than any record can be. Check its parentheses.',
    );
  }

  #skipsNewline(code: number): boolean {
    if (code !== NEWLINE && code !== RETURN) return false;
    if (code === RETURN) {
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

  /** Blanks, comments and parentheses. */
  #skipsOther(code: number): boolean {
    if (code === SEMICOLON) {
      const end = this.#text.indexOf('\n', this.#at);
      this.#at = end < 0 ? this.#text.length : end;
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

  #readWord(): Token {
    try {
      const { token, end } = readToken(this.#text, this.#at, this.#line);
      this.#at = end;
      return token;
    } catch (error) {
      if (error instanceof RdataError) throw new ZoneFileError(this.#line, error.reason);
      throw error;
    }
  }
}
