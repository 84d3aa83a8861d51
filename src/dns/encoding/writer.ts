/** The message would exceed its limit. */
export class MessageFull extends Error {
  constructor(limit: number) {
    super(`The message would be longer than ${limit} octets.`);
    this.name = 'MessageFull';
  }
}

/** In octets. The length prefix on TCP has two octets (RFC 1035 section 4.2.2). */
export const MAX_MESSAGE = 65_535;
const FIRST_SIZE = 512;
/** A pointer has 14 bits (RFC 1035 section 4.1.4). */
const MAX_TARGET = 0x3fff;

/** A position to roll back to. */
export interface WriterMark {
  readonly length: number;
  readonly names: number;
}

/** The octets of one message, and the offsets of the names in it. Writing beyond the limit throws MessageFull. */
export class WireWriter {
  #octets: Buffer;
  #length = 0;
  readonly #offsets = new Map<string, number>();
  /** The names in `#offsets`, in the order they were added. */
  readonly #names: string[] = [];

  /** @param limit in octets */
  constructor(public limit: number = MAX_MESSAGE) {
    this.#octets = Buffer.allocUnsafe(Math.min(limit, FIRST_SIZE));
  }

  get length(): number {
    return this.#length;
  }

  mark(): WriterMark {
    return { length: this.#length, names: this.#names.length };
  }

  /** Discards everything written after the mark, including names. */
  rollback(mark: WriterMark): void {
    this.#length = mark.length;
    while (this.#names.length > mark.names) this.#offsets.delete(this.#names.pop()!);
  }

  /** The offset of a name, or of the tail of one, given as canonical text. */
  offsetOf(name: string): number | undefined {
    return this.#offsets.get(name);
  }

  /** Notes that a name starts at the next octet. Offsets too large for a pointer are ignored. */
  noteName(name: string): void {
    if (this.#length > MAX_TARGET) return;
    this.#offsets.set(name, this.#length);
    this.#names.push(name);
  }

  u8(value: number): void {
    // Reserve first: this may replace the buffer.
    const at = this.#take(1);
    this.#octets[at] = value;
  }

  u16(value: number): void {
    const at = this.#take(2);
    this.#octets[at] = value >>> 8;
    this.#octets[at + 1] = value;
  }

  u32(value: number): void {
    const at = this.#take(4);
    this.#octets.writeUInt32BE(value, at);
  }

  bytes(octets: ArrayLike<number>): void {
    const at = this.#take(octets.length);
    this.#octets.set(octets, at);
  }

  /** Writes the visible ASCII characters of `text` from one index to another. */
  ascii(text: string, from: number, to: number): void {
    const at = this.#take(to - from) - from;
    for (let index = from; index < to; index += 1) this.#octets[at + index] = text.charCodeAt(index);
  }

  /** Overwrites two octets written earlier. */
  setU16(at: number, value: number): void {
    this.#octets.writeUInt16BE(value, at);
  }

  /** Writes a two-octet length, followed by the data it counts. */
  withLength(write: () => void): void {
    const at = this.#length;
    this.u16(0);
    write();
    this.setU16(at, this.#length - at - 2);
  }

  /** A copy of the octets written so far. */
  toBuffer(): Buffer {
    return Buffer.from(this.#octets.subarray(0, this.#length));
  }

  /** Reserves `count` octets and returns the offset of the first. */
  #take(count: number): number {
    const at = this.#length;
    const length = at + count;
    if (length > this.limit) throw new MessageFull(this.limit);
    if (length > this.#octets.length) this.#grow(length);
    this.#length = length;
    return at;
  }

  #grow(length: number): void {
    const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#octets.length));
    larger.set(this.#octets.subarray(0, this.#length));
    this.#octets = larger;
  }
}
