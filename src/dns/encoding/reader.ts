import type { Header } from './header.ts';

/** Octets that are not a DNS message, or not rdata of their type. The answer, if one can be sent, is FORMERR. */
export class FormError extends Error {
  /** The message's header, if it has one. */
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

/** A name, or the tail of one, at some offset of a message. */
export interface NameTail {
  readonly text: string;
  /** Octets on the wire, uncompressed, including the root label. */
  readonly length: number;
}

/** Reads the octets of one message from left to right, and never past its end. */
export class WireReader {
  readonly #octets: Buffer;
  #at: number;
  #end: number;
  /**
   * The names read so far, by the offset of each label. A later pointer needs one lookup, however many pointers follow
   * it. Pointers have 14 bits, so only offsets in that range are kept.
   */
  readonly tails = new Map<number, NameTail>();
  /** False for octets that are not a message: a pointer in them leads nowhere. */
  readonly mayPoint: boolean;

  constructor(octets: Buffer, start = 0, mayPoint = true) {
    this.#octets = octets;
    this.#at = start;
    this.#end = octets.length;
    this.mayPoint = mayPoint;
  }

  get offset(): number {
    return this.#at;
  }

  /** Octets left in the message, or in the part being read. */
  get remaining(): number {
    return this.#end - this.#at;
  }

  /** The octet at an offset of the message. Does not move the reader. @throws FormError */
  octetAt(offset: number): number {
    const octet = offset < this.#end ? this.#octets[offset] : undefined;
    if (octet === undefined) throw new FormError('The message ends within a name.');
    return octet;
  }

  /** The octets from one offset to another, without copying. @throws FormError */
  slice(from: number, to: number): Buffer {
    if (to > this.#end) throw new FormError('The message ends within a name.');
    return this.#octets.subarray(from, to);
  }

  /** Skips `length` octets and returns the offset of the first. @throws FormError */
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

  /** The next `length` octets, without copying. @throws FormError */
  bytes(length: number): Buffer {
    const at = this.skip(length);
    return this.#octets.subarray(at, at + length);
  }

  /** All remaining octets, without copying. */
  rest(): Buffer {
    return this.bytes(this.remaining);
  }

  /** Reads a part of exactly `length` octets. @throws FormError if `read` consumes fewer or more */
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
    if (this.remaining > 0) throw new FormError('There are extra octets after the last field.');
  }
}
