const LONGEST = 255;

/** Byte strings of up to 255 bytes in one typed array: a length byte, then the bytes. Freed space is reused. */
export class StringPool {
  private bytes = new Uint8Array(256);
  private end = 0;
  private readonly free: (number[] | undefined)[] = [];

  get memory(): number {
    return this.bytes.byteLength;
  }

  store(source: Uint8Array, from: number, to: number): number {
    const length = to - from;
    if (length > LONGEST) throw new RangeError(`A string of ${length} bytes does not fit the pool.`);
    const offset = this.free[length]?.pop() ?? this.append(length);
    this.bytes[offset] = length;
    for (let i = 0; i < length; i++) this.bytes[offset + 1 + i] = source[from + i]!;
    return offset;
  }

  release(offset: number): void {
    const length = this.bytes[offset]!;
    const list = this.free[length];
    if (list === undefined) this.free[length] = [offset];
    else list.push(offset);
  }

  equals(offset: number, other: Uint8Array, from: number, to: number): boolean {
    const bytes = this.bytes;
    if (bytes[offset] !== to - from) return false;
    for (let i = from, at = offset + 1; i < to; i++, at++) if (bytes[at] !== other[i]) return false;
    return true;
  }

  private append(length: number): number {
    const offset = this.end;
    this.end += length + 1;
    if (this.end > this.bytes.length) this.bytes = grow(this.bytes, this.end);
    return offset;
  }
}

function grow(bytes: Uint8Array<ArrayBuffer>, needed: number): Uint8Array<ArrayBuffer> {
  const grown = new Uint8Array(Math.max(needed, Math.ceil(bytes.length * 1.5)));
  grown.set(bytes);
  return grown;
}
