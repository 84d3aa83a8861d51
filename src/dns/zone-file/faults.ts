/** Why a line of a zone file cannot be used. */
export interface ZoneFileFault {
  readonly line: number;
  readonly reason: string;
}

/** So many faults are kept; beyond them they are only counted. */
const MOST_KEPT = 100;
/** After so many the file is read no further: a fault costs more than a record, and a large file has room for millions. */
const MOST_COUNTED = 10_000;

/** The faults of a zone file. */
export class ZoneFileFaults {
  readonly #first: ZoneFileFault[] = [];
  #count = 0;

  get first(): readonly ZoneFileFault[] {
    return this.#first;
  }

  get count(): number {
    return this.#count;
  }

  /** Whether there are so many that reading ends. */
  get isFull(): boolean {
    return this.#count >= MOST_COUNTED;
  }

  add(line: number, reason: string): void {
    this.#count += 1;
    if (this.#first.length < MOST_KEPT) this.#first.push({ line, reason });
  }
}
