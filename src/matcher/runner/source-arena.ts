/** In bytes. A pattern of 4,096 code points takes at most 16 KiB. */
const CHUNK = 1 << 18;
const HEADER = 4;
const ALIGN = 16;
const WIDE = 0x8000_0000;

/** Returned instead of a place if a source is not kept. */
export const NOWHERE = -1;

/**
 * Stores the sources of patterns in memory shared between threads, up to a limit in bytes. One thread stores and frees;
 * any thread that has the chunks can read.
 */
export class SourceArena {
  readonly chunks: SharedArrayBuffer[] = [];
  private readonly max: number;
  private readonly free = new Map<number, number[]>();
  private end = 0;
  private readonly grown: (chunk: SharedArrayBuffer) => void;

  /**
   * @param max maximum size of all chunks, in bytes
   * @param grown called with each new chunk
   */
  constructor(max: number, grown: (chunk: SharedArrayBuffer) => void = () => {}) {
    this.max = max;
    this.grown = grown;
  }

  /** Returns the place of the stored source, or NOWHERE if there is no room. */
  keep(source: string): number {
    const wide = isWide(source);
    const size = roundUp(HEADER + source.length * (wide ? 2 : 1));
    const place = this.free.get(size)?.pop() ?? this.append(size);
    if (place === NOWHERE) return NOWHERE;
    const [chunk, at] = this.locate(place);
    new Uint32Array(chunk, at, 1)[0] = (source.length | (wide ? WIDE : 0)) >>> 0;
    const units = wide
      ? new Uint16Array(chunk, at + HEADER, source.length)
      : new Uint8Array(chunk, at + HEADER, source.length);
    for (let i = 0; i < source.length; i++) units[i] = source.charCodeAt(i);
    return place;
  }

  read(place: number): string {
    const [chunk, at] = this.locate(place);
    const head = new Uint32Array(chunk, at, 1)[0]!;
    const length = head & ~WIDE;
    const units =
      head >= WIDE ? new Uint16Array(chunk, at + HEADER, length) : new Uint8Array(chunk, at + HEADER, length);
    return String.fromCharCode.apply(null, units as unknown as number[]);
  }

  release(place: number): void {
    const [chunk, at] = this.locate(place);
    const head = new Uint32Array(chunk, at, 1)[0]!;
    const size = roundUp(HEADER + (head & ~WIDE) * (head >= WIDE ? 2 : 1));
    const list = this.free.get(size);
    if (list === undefined) this.free.set(size, [place]);
    else list.push(place);
  }

  private locate(place: number): [chunk: SharedArrayBuffer, at: number] {
    const number = Math.floor(place / CHUNK);
    return [this.chunks[number]!, place - number * CHUNK];
  }

  private append(size: number): number {
    if (size > CHUNK) return NOWHERE;
    const chunks = this.chunks.length;
    if (this.end + size > chunks * CHUNK) {
      if ((chunks + 1) * CHUNK > this.max) return NOWHERE;
      const chunk = new SharedArrayBuffer(CHUNK);
      this.chunks.push(chunk);
      this.grown(chunk);
      this.end = chunks * CHUNK;
    }
    const place = this.end;
    this.end += size;
    return place;
  }
}

function isWide(source: string): boolean {
  for (let i = 0; i < source.length; i++) if (source.charCodeAt(i) > 0xff) return true;
  return false;
}

function roundUp(size: number): number {
  return Math.ceil(size / ALIGN) * ALIGN;
}
