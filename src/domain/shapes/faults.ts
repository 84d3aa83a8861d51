import { type DomainError, type Fault, invalidObject } from '../../model/errors.ts';

/** The maximum number of faults listed: an answer must not be many times larger than the body. */
const MOST_FAULTS = 100;

/** The faults of one body, each with its path: the first hundred, and a note about the rest. */
export class Faults {
  readonly #told: Fault[] = [];
  readonly #path: string[] = [];
  #count = 0;

  /** The number found so far. */
  get count(): number {
    return this.#count;
  }

  /** Whether more were found than are listed: then the rest need not be read. */
  get areTooMany(): boolean {
    return this.#count > MOST_FAULTS;
  }

  /** Adds a fault of the current part, and returns undefined. */
  add(message: string): undefined {
    this.#count += 1;
    if (!this.areTooMany) this.#told.push({ path: [...this.#path], message });
  }

  /** Reads a part of the body; the faults found in it get its key. */
  within<T>(key: string | number, read: () => T): T {
    this.#path.push(String(key));
    const value = read();
    this.#path.pop();
    return value;
  }

  /** The refusal of the body with these faults. */
  refusal(): DomainError {
    const rest = { path: [], message: `Faults after the first ${MOST_FAULTS} are not listed.` };
    return invalidObject(this.areTooMany ? [...this.#told, rest] : this.#told);
  }
}
