/** A message would become longer than its limit. */
export class MessageFull extends Error {
  constructor(limit: number) {
    super(`The message would be longer than ${limit} octets.`);
    this.name = 'MessageFull';
  }
}

/** RFC 1035 section 4.2.2: the length before a message on TCP has two octets. */
export const MAX_MESSAGE = 65_535;
const FIRST_SIZE = 512;
/** RFC 1035 section 4.1.4: a pointer has 14 bits. */
const MAX_TARGET = 0x3fff;

/** A place to go back to. */
export interface Mark {
  readonly length: number;
  readonly names: number;
}

/** The octets of one message, and where names stand in it. What would pass the limit throws MessageFull. */
export class WireWriter {
  #octets: Buffer;
  #length = 0;
  readonly #offsets = new Map<string, number>();
  /** The names in `#offsets` as they were added. */
  readonly #names: string[] = [];

  /** @param limit in octets */
  constructor(public limit: number = MAX_MESSAGE) {
    this.#octets = Buffer.allocUnsafe(Math.min(limit, FIRST_SIZE));
  }

  get length(): number {
    return this.#length;
  }

  mark(): Mark {
    return { length: this.#length, names: this.#names.length };
  }

  /** Forgets what was written after the mark, the names too. */
  rollback(mark: Mark): void {
    this.#length = mark.length;
    while (this.#names.length > mark.names) this.#offsets.delete(this.#names.pop()!);
  }

  /** Where the name, or the end of one, stands, in canonical text. */
  offsetOf(name: string): number | undefined {
    return this.#offsets.get(name);
  }

  /** The name will begin at the octet that is written next, and no pointer to it is known. */
  noteName(name: string): void {
    if (this.#length > MAX_TARGET) return;
    this.#offsets.set(name, this.#length);
    this.#names.push(name);
  }

  u8(value: number): void {
    // The room first: taking it may replace the octets.
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

  /** Visible ASCII from one index of a text to another. */
  ascii(text: string, from: number, to: number): void {
    const at = this.#take(to - from) - from;
    for (let index = from; index < to; index += 1) this.#octets[at + index] = text.charCodeAt(index);
  }

  /** Overwrites two octets that were written before. */
  setU16(at: number, value: number): void {
    this.#octets.writeUInt16BE(value, at);
  }

  /** A length of two octets, and what it is the length of. */
  withLength(write: () => void): void {
    const at = this.#length;
    this.u16(0);
    write();
    this.setU16(at, this.#length - at - 2);
  }

  /** A copy of what was written. */
  toBuffer(): Buffer {
    return Buffer.from(this.#octets.subarray(0, this.#length));
  }

  /** Room for so many octets; the offset of the first. */
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
