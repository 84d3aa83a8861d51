/** The lines of a zone file that are skipped: those outside the zone, or what a signer has made. */

export interface SkippedLine {
  readonly line: number;
  readonly name: string;
}

/** How many lines are kept; further ones are only counted. */
const MOST_KEPT = 10;

export class SkippedLines {
  readonly #first: SkippedLine[] = [];
  #count = 0;

  /** The first lines in the order in which they were found. */
  get first(): readonly SkippedLine[] {
    return this.#first;
  }

  get count(): number {
    return this.#count;
  }

  /** @param records how many records the line begins */
  add(line: SkippedLine, records = 1): void {
    this.#count += records;
    if (this.#first.length < MOST_KEPT) this.#first.push(line);
  }
}
