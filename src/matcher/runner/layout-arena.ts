/** In 32-bit numbers. */
const CHUNK = 1 << 18;
/** Larger layouts are not kept. */
const LARGEST = 16 << 10;

/** Returned instead of a place if a layout is not kept. */
export const NO_LAYOUT = -1;

/** Stores layouts side by side in a few large arrays, up to a limit. Freed places are reused. */
export class LayoutArena {
  private readonly chunks: Int32Array[] = [];
  private readonly maxBytes: number;
  private readonly free = new Map<number, number[]>();
  private end = 0;

  /** @param maxBytes in bytes */
  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /** Returns the place of the stored layout, or NO_LAYOUT if there is no room. */
  keep(data: Int32Array): number {
    const size = classOf(data.length);
    const place = this.free.get(size)?.pop() ?? this.append(size);
    if (place === NO_LAYOUT) return NO_LAYOUT;
    this.chunkOf(place).set(data, this.offsetOf(place));
    return place;
  }

  chunkOf(place: number): Int32Array {
    return this.chunks[Math.floor(place / CHUNK)]!;
  }

  offsetOf(place: number): number {
    return place % CHUNK;
  }

  /** @param length size of the stored layout, in numbers */
  release(place: number, length: number): void {
    const size = classOf(length);
    const list = this.free.get(size);
    if (list === undefined) this.free.set(size, [place]);
    else list.push(place);
  }

  private append(size: number): number {
    if (size > LARGEST) return NO_LAYOUT;
    if (this.end + size > this.chunks.length * CHUNK) {
      if ((this.chunks.length + 1) * CHUNK * 4 > this.maxBytes) return NO_LAYOUT;
      this.end = this.chunks.length * CHUNK;
      this.chunks.push(new Int32Array(CHUNK));
    }
    const place = this.end;
    this.end += size;
    return place;
  }
}

/** Rounds up in steps of an eighth, so that most freed places fit other layouts. */
function classOf(length: number): number {
  const step = Math.max(8, 2 ** (28 - Math.clz32(length)));
  return Math.ceil(length / step) * step;
}
