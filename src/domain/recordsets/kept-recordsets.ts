/** A page ends when it reaches either. Parsing one takes about a millisecond. */
const PAGE_BYTES = 65_536;
const PAGE_RECORDSETS = 500;

/** Recordsets of a zone in compact form, for a response that is written while its client reads: each page is kept as JSON. */
export class KeptRecordsets<Kept extends object> {
  readonly #pages: Buffer[] = [];
  #last: Kept[] = [];
  #lastBytes = 0;

  /** @param bytes approximate size of its records */
  add(recordset: Kept, bytes: number): void {
    this.#last.push(recordset);
    this.#lastBytes += bytes;
    if (this.#lastBytes < PAGE_BYTES && this.#last.length < PAGE_RECORDSETS) return;
    this.#pages.push(Buffer.from(JSON.stringify(this.#last)));
    this.#last = [];
    this.#lastBytes = 0;
  }

  /** Parses the pages one by one, each time it is called. */
  *pages(): Generator<readonly Kept[], void> {
    for (const page of this.#pages) yield JSON.parse(page.toString());
    if (this.#last.length > 0) yield this.#last;
  }
}
