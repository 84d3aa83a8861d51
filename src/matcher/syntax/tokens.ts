import { spend } from '../work.ts';
import { PatternError } from './error.ts';

/** In units of work, for reading a token and everything that results from it. */
const TOKEN_WORK = 120;

/** Reads a pattern as CPython does: by code point, with a backslash and its successor as one token. */
export class Tokens {
  /** The next token; '' at the end. */
  next = '';
  private readonly characters: string | readonly string[];
  private index = 0;
  private nextLength = 0;

  constructor(source: string) {
    this.characters = /[\ud800-\udfff]/.test(source) ? Array.from(source) : source;
    this.advance();
  }

  private advance(): void {
    spend(TOKEN_WORK);
    const character = this.characters[this.index];
    if (character === undefined) {
      this.next = '';
      this.nextLength = 0;
      return;
    }
    this.next = character;
    this.nextLength = 1;
    if (character === '\\') {
      const escaped = this.characters[this.index + 1];
      if (escaped === undefined)
        throw new PatternError('bad escape (end of pattern)', this.characters.length - 1);
      this.next += escaped;
      this.nextLength = 2;
    }
    this.index += this.nextLength;
  }

  /** Consumes and returns the next token; '' at the end. */
  take(): string {
    const token = this.next;
    this.advance();
    return token;
  }

  accept(token: string): boolean {
    if (token !== this.next) return false;
    this.advance();
    return true;
  }

  /** Consumes at most `count` single-character tokens that match `wanted`. */
  takeWhile(count: number, wanted: RegExp): string {
    let out = '';
    for (let i = 0; i < count && this.next.length === 1 && wanted.test(this.next); i++) out += this.take();
    return out;
  }

  /** Consumes everything up to and including `terminator`, which is not returned. `what` names the text in errors. */
  takeUntil(terminator: string, what: string): string {
    let out = '';
    while (this.next !== '' && this.next !== terminator) out += this.take();
    const ended = this.take() === terminator;
    if (out === '') throw this.error(`missing ${what}`, ended ? 1 : 0);
    if (!ended) throw this.error(`missing ${terminator}, unterminated name`, lengthOf(out));
    return out;
  }

  /** Position of the next token. */
  get position(): number {
    return this.index - this.nextLength;
  }

  seek(position: number): void {
    this.index = position;
    this.advance();
  }

  /** Creates an error `back` code points before the next token. */
  error(reason: string, back = 0): PatternError {
    return new PatternError(reason, this.position - back);
  }
}

/** Length in code points, as in Python. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}
