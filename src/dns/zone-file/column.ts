/** Numbers per page. */
const PAGE = 4096;

/** A growing list of integers from 0 to 2^32 - 1, outside the heap. Growing never copies existing numbers. */
export class IntegerColumn {
  readonly #pages: Uint32Array[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(value: number): void {
    if (this.#size % PAGE === 0) this.#pages.push(new Uint32Array(PAGE));
    this.#size += 1;
    this.set(this.#size - 1, value);
  }

  at(index: number): number {
    return this.#pages[Math.floor(index / PAGE)]![index % PAGE]!;
  }

  set(index: number, value: number): void {
    this.#pages[Math.floor(index / PAGE)]![index % PAGE] = value;
  }
}
