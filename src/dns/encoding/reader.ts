import type { Header } from './header.ts';

/** Octets that are no DNS message, or no rdata of their type: what is answered with FORMERR, where there is whom to answer. */
export class FormError extends Error {
  /** Of the message, where it has one. */
  readonly header: Header | undefined;

  constructor(
    readonly reason: string,
    header?: Header,
  ) {
    super(reason);
    this.name = 'FormError';
    this.header = header;
  }
}

/** A name, or the end of one, that stands at some offset of a message. */
export interface NameTail {
  readonly text: string;
  /** Octets on the wire, uncompressed, with the root. */
  readonly length: number;
}

/** Reads the octets of one message from left to right, and never beyond its end. */
export class WireReader {
  readonly #octets: Buffer;
  #at: number;
  #end: number;
  /**
   * The names read so far, by the offset of each of their labels: a later pointer costs one look, however many pointers
   * lie behind it. Pointers have 14 bits, and so has what is kept.
   */
  readonly tails = new Map<number, NameTail>();

  constructor(octets: Buffer, start = 0) {
    this.#octets = octets;
    this.#at = start;
    this.#end = octets.length;
  }

  get offset(): number {
    return this.#at;
  }

  /** Octets left, of the message or of the part that is being read. */
  get remaining(): number {
    return this.#end - this.#at;
  }

  /** The octet at an offset of the message that was already passed. */
  octetAt(offset: number): number {
    const octet = offset < this.#end ? this.#octets[offset] : undefined;
    if (octet === undefined) throw new FormError('The message ends within a name.');
    return octet;
  }

  /** The octets from one offset to another, not copied. @throws FormError */
  slice(from: number, to: number): Buffer {
    if (to > this.#end) throw new FormError('The message ends within a name.');
    return this.#octets.subarray(from, to);
  }

  /** Passes so many octets; their offset. @throws FormError */
  skip(length: number): number {
    const at = this.#at;
    if (length > this.#end - at)
      throw new FormError('The message ends too early, or a length in it is wrong.');
    this.#at = at + length;
    return at;
  }

  u8(): number {
    return this.#octets[this.skip(1)]!;
  }

  u16(): number {
    const at = this.skip(2);
    return this.#octets[at]! * 256 + this.#octets[at + 1]!;
  }

  u32(): number {
    return this.#octets.readUInt32BE(this.skip(4));
  }

  /** The next octets, not copied. @throws FormError */
  bytes(length: number): Buffer {
    const at = this.skip(length);
    return this.#octets.subarray(at, at + length);
  }

  /** All octets that are left, not copied. */
  rest(): Buffer {
    return this.bytes(this.remaining);
  }

  /** Reads a part of so many octets, all of it and no octet more. @throws FormError */
  within<T>(length: number, read: () => T): T {
    const end = this.#end;
    if (length > this.remaining) throw new FormError('A length reaches beyond the end of the message.');
    this.#end = this.#at + length;
    try {
      const value = read();
      this.requireEnd();
      return value;
    } finally {
      this.#end = end;
    }
  }

  /** @throws FormError if octets are left */
  requireEnd(): void {
    if (this.remaining > 0) throw new FormError('There are octets left over after the last field.');
  }
}
