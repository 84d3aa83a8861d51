/** Why a line of a zone file is invalid. */
export interface ZoneFileFault {
  readonly line: number;
  readonly reason: string;
}

/** Maximum number of faults kept; more are only counted. */
const MAX_KEPT = 100;
/** Reading stops after this many faults: a fault costs more than a record, and a large file may contain millions. */
const MAX_COUNTED = 10_000;

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

  /** True if there are too many faults to read on. */
  get isFull(): boolean {
    return this.#count >= MAX_COUNTED;
  }

  add(line: number, reason: string): void {
    this.#count += 1;
    if (this.#first.length < MAX_KEPT) this.#first.push({ line, reason });
  }
}
