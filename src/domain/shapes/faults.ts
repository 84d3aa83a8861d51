import { type DomainError, type Fault, invalidObject } from '../../model/errors.ts';

/** Maximum number of faults listed, so that an answer is not many times larger than the body. */
const MAX_FAULTS = 100;

/** The faults of one body, each with its path: the first hundred, and a note about the rest. */
export class Faults {
  readonly #faults: Fault[] = [];
  readonly #path: (string | number)[] = [];
  readonly #keyOf: (key: string | number) => string | number;
  #count = 0;

  /** @param keyOf returns how a key or an index stands in a path */
  constructor(keyOf: (key: string | number) => string | number = String) {
    this.#keyOf = keyOf;
  }

  /** Number of faults found so far. */
  get count(): number {
    return this.#count;
  }

  /** True if there are more faults than are listed. The rest of the body need not be read. */
  get areTooMany(): boolean {
    return this.#count > MAX_FAULTS;
  }

  /** Adds a fault at the current path, and returns undefined. */
  add(message: string): undefined {
    this.#count += 1;
    if (!this.areTooMany) this.#faults.push({ path: [...this.#path], message });
  }

  /** Reads a part of the body; faults in it get the key in their path. */
  within<T>(key: string | number, read: () => T): T {
    this.#path.push(this.#keyOf(key));
    const value = read();
    this.#path.pop();
    return value;
  }

  /** The refusal with all faults. */
  refusal(): DomainError {
    const rest = { path: [], message: `Only the first ${MAX_FAULTS} errors are listed.` };
    return invalidObject(this.areTooMany ? [...this.#faults, rest] : this.#faults);
  }
}
