/** Numbers per 32-bit word, and per page of 1024 words. */
const WORD = 32;
const PAGE = 32_768;

/** A set of non-negative integers; a dense set takes about one bit per number. */
export class NumberSet {
  readonly #pages = new Map<number, Uint32Array>();

  has(number: number): boolean {
    const page = this.#pages.get(Math.floor(number / PAGE));
    return page !== undefined && (page[wordOf(number)]! & bitOf(number)) !== 0;
  }

  add(number: number): void {
    const at = Math.floor(number / PAGE);
    let page = this.#pages.get(at);
    if (page === undefined) {
      page = new Uint32Array(PAGE / WORD);
      this.#pages.set(at, page);
    }
    page[wordOf(number)]! |= bitOf(number);
  }

  delete(number: number): void {
    const page = this.#pages.get(Math.floor(number / PAGE));
    if (page !== undefined) page[wordOf(number)]! &= ~bitOf(number);
  }
}

function wordOf(number: number): number {
  return Math.floor((number % PAGE) / WORD);
}

function bitOf(number: number): number {
  return 1 << (number % WORD);
}
