import { type DomainError, type Fault, invalidObject } from '../domain/errors.ts';

/** How many faults of one body are told, at most: an answer shall not be many times as large as the body. */
const MOST_FAULTS = 100;

/** What is wrong with one body, each fault where it is: the first hundred, and a word on the rest. */
export class Faults {
  readonly #told: Fault[] = [];
  readonly #path: string[] = [];
  #count = 0;

  /** How many were found so far. */
  get count(): number {
    return this.#count;
  }

  /** Whether more were found than are told: then nothing more needs to be read. */
  get areTooMany(): boolean {
    return this.#count > MOST_FAULTS;
  }

  /** A fault of the part that is being read, which is undefined for it. */
  add(message: string): undefined {
    this.#count += 1;
    if (!this.areTooMany) this.#told.push({ path: [...this.#path], message });
  }

  /** Reads a part of the body; the faults found meanwhile stand at its key. */
  within<T>(key: string | number, read: () => T): T {
    this.#path.push(String(key));
    const value = read();
    this.#path.pop();
    return value;
  }

  /** The refusal of the body that has them. */
  refusal(): DomainError {
    const rest = { path: [], message: `Faults after the first ${MOST_FAULTS} are not listed.` };
    return invalidObject(this.areTooMany ? [...this.#told, rest] : this.#told);
  }
}
