import { formatQuoted, MAX_CHARACTER_STRING, unescapeText } from './character-string.ts';
import { type DomainName, readDomainName } from './domain-name.ts';
import { readDuration } from './duration.ts';
import { upperAscii } from './letter-case.ts';
import { RdataError, shown } from './rdata-error.ts';
import type { RdataToken } from './tokens.ts';

/**
 * In bytes. The wire format allows 65,535, but a whole message with its header, question, owner name and TSIG has the
 * same limit: longer rdata could never be sent, and would stop the transfer of its zone.
 */
const MAX_RDATA = 64_000;

const NUMBER = /^[0-9]{1,10}$/;
const MAX_U32 = 2 ** 32 - 1;

interface WrittenName {
  readonly offset: number;
  readonly name: DomainName;
}

/**
 * Reads the fields of one rdata in order, and writes each immediately as canonical text and wire bytes. The `read…`
 * methods read, check and write one field; `take…` only reads, `write` only writes.
 */
export class RdataFields {
  readonly #tokens: readonly RdataToken[];
  readonly #texts: string[] = [];
  readonly #wire: number[] = [];
  readonly #names: WrittenName[] = [];
  #next = 0;

  /** @param origin the origin of relative names in a zone file; null in the API */
  constructor(
    tokens: readonly RdataToken[],
    readonly origin: string | null,
  ) {
    this.#tokens = tokens;
  }

  get text(): string {
    return this.#texts.join(' ');
  }

  get wire(): readonly number[] {
    return this.#wire;
  }

  /** The names, with their offsets in the wire form. */
  get names(): readonly WrittenName[] {
    return this.#names;
  }

  /** The line of the last token read. */
  get line(): number {
    return this.#tokens[Math.max(0, this.#next - 1)]?.line ?? 1;
  }

  get hasMore(): boolean {
    return this.#next < this.#tokens.length;
  }

  peek(): RdataToken | undefined {
    return this.#tokens[this.#next];
  }

  takeToken(what: string): RdataToken {
    const token = this.#tokens[this.#next];
    if (token === undefined) throw new RdataError(`The ${what} is missing. Add it.`);
    this.#next += 1;
    return token;
  }

  /** Takes an unquoted word. */
  takeWord(what: string): string {
    const token = this.takeToken(what);
    if (token.quoted || token.value !== undefined) {
      throw new RdataError(`The ${what} is in quotes. Remove the quotes.`);
    }
    return token.text;
  }

  /** Takes the remaining words, joined: long binary fields may contain spaces. */
  takeRest(what: string): string {
    const words = [this.takeWord(what)];
    while (this.hasMore) words.push(this.takeWord(what));
    return words.join('');
  }

  /** Takes the bytes of a quoted or unquoted string. */
  takeString(what: string): number[] {
    const token = this.takeToken(what);
    if (token.value === undefined) return unescapeText(token.text);
    throw new RdataError(
      `There is a " inside the ${what}. Put the whole string in quotes, and write \\" for each " in it.`,
    );
  }

  takeNumber(what: string, max: number): number {
    const word = this.takeWord(what);
    const value = NUMBER.test(word) ? Number(word) : -1;
    if (value < 0 || value > max) {
      throw new RdataError(`The ${what} must be a whole number from 0 to ${max}, not ${shown(word)}.`);
    }
    return value;
  }

  write(text: string, wire: readonly number[]): void {
    this.#texts.push(text);
    this.append(wire);
  }

  append(wire: readonly number[]): void {
    if (this.#wire.length + wire.length > MAX_RDATA) {
      throw new RdataError(`The rdata of a record has at most ${MAX_RDATA} bytes. Shorten it.`);
    }
    for (const byte of wire) this.#wire.push(byte);
  }

  writeNumber(value: number, bytes: 1 | 2 | 4): void {
    this.write(String(value), bigEndian(value, bytes));
  }

  readNumber(what: string, bytes: 1 | 2 | 4): number {
    const value = this.takeNumber(what, 2 ** (8 * bytes) - 1);
    this.writeNumber(value, bytes);
    return value;
  }

  /** Reads a number or one of the mnemonics; canonical text is the number. */
  readMnemonic(what: string, bytes: 1 | 2, mnemonics: ReadonlyMap<string, number>): number {
    const named = mnemonics.get(upperAscii(this.peek()?.text ?? ''));
    if (named === undefined) return this.readNumber(what, bytes);
    this.takeWord(what);
    this.writeNumber(named, bytes);
    return named;
  }

  readSeconds(what: string): void {
    this.writeNumber(readDuration(this.takeWord(what), what, MAX_U32), 4);
  }

  readName(what: string): DomainName {
    const name = readDomainName(this.takeWord(what), this.origin);
    this.#names.push({ offset: this.#wire.length, name });
    this.write(name.text, name.wire);
    return name;
  }

  /** A character string (RFC 1035 section 3.3): a length and up to 255 bytes. */
  readCharacterString(what: string): number[] {
    const bytes = this.takeString(what);
    if (bytes.length > MAX_CHARACTER_STRING) {
      throw new RdataError(
        `The ${what} has ${bytes.length} bytes; one string has at most ${MAX_CHARACTER_STRING}. ` +
          'Split it into several quoted strings, if the type allows: "first part" "second part".',
      );
    }
    this.write(formatQuoted(bytes), [bytes.length, ...bytes]);
    return bytes;
  }

  requireEnd(): void {
    const token = this.peek();
    if (token === undefined) return;
    this.#next += 1;
    throw new RdataError(
      `There are more fields than the type allows. Remove ${shown(token.text)} and everything after it.`,
    );
  }
}

export function bigEndian(value: number, bytes: 1 | 2 | 4): number[] {
  const wire: number[] = [];
  for (let shift = 8 * (bytes - 1); shift >= 0; shift -= 8) wire.push((value >>> shift) & 0xff);
  return wire;
}
