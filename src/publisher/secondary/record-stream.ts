import type { WireRecord } from '../../dns/wire/message.ts';
import { BrokenTransfer } from './broken-transfer.ts';

/** The records of a response, first one by one, then the rest in pages. */
export class RecordStream {
  readonly #pages: AsyncGenerator<readonly WireRecord[]>;
  readonly #maxRecords: number;
  #page: readonly WireRecord[] = [];
  #at = 0;
  #passed = 0;

  constructor(pages: AsyncGenerator<readonly WireRecord[]>, maxRecords: number) {
    this.#pages = pages;
    this.#maxRecords = maxRecords;
  }

  /** @throws BrokenTransfer if the response ends early or has too many records */
  async next(): Promise<WireRecord> {
    const record = await this.peek();
    this.#at += 1;
    return record;
  }

  /** Returns the next record without consuming it. @throws BrokenTransfer */
  async peek(): Promise<WireRecord> {
    if (this.#at >= this.#page.length) await this.#turn();
    return this.#page[this.#at]!;
  }

  /** Yields everything not read yet; closing the generator ends the reading. @throws BrokenTransfer */
  async *rest(): AsyncGenerator<readonly WireRecord[]> {
    try {
      if (this.#at < this.#page.length) yield this.#page.slice(this.#at);
      for (;;) {
        await this.#turn();
        yield this.#page;
      }
    } finally {
      await this.close();
    }
  }

  async close(): Promise<void> {
    await this.#pages.return(undefined);
  }

  /** Fetches the next page. An empty page is an error, because a server could send them forever. */
  async #turn(): Promise<void> {
    const { value, done } = await this.#pages.next();
    if (done || value.length === 0) {
      throw new BrokenTransfer('The server answers without records: does it have the zone?');
    }
    this.#passed += value.length;
    if (this.#passed > this.#maxRecords) {
      throw new BrokenTransfer(
        `The server sends more than ${this.#maxRecords} records: the zone is too large.`,
        { mayComeWhole: false },
      );
    }
    this.#page = value;
    this.#at = 0;
  }
}
