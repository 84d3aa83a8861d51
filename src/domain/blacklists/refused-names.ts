import { DomainError, type Fault } from '../../model/errors.ts';
import { MAX_FAULTS } from '../files/line-faults.ts';

/** Maximum number of lines counted. */
const MAX_COUNTED = 10_000;
/** Maximum time to look for more lines after the first refusal, in milliseconds. */
const LONGEST = 10_000;

/** The lines of a file with blacklisted names, and the refusal of the first name. */
export class RefusedNames {
  readonly #refusal: DomainError;
  readonly #startedAt = performance.now();
  readonly #faults: Fault[] = [];
  #count = 0;

  constructor(refusal: DomainError, lines: readonly number[]) {
    this.#refusal = refusal;
    this.add(lines);
  }

  add(lines: readonly number[]): void {
    const { message } = this.#refusal;
    this.#count += lines.length;
    const some = lines.slice(0, MAX_FAULTS - this.#faults.length);
    this.#faults.push(...some.map((line) => ({ path: ['line', line], message })));
  }

  /** True if the search for more lines can stop. */
  get isFull(): boolean {
    return this.#count >= MAX_COUNTED || performance.now() - this.#startedAt > LONGEST;
  }

  /** @param isWhole true if all names were checked */
  toError(isWhole: boolean): DomainError {
    const { kind, message, details } = this.#refusal;
    const more = this.#count - this.#faults.length;
    const rest = `And ${isWhole ? '' : 'at least '}${more} more lines are invalid.`;
    return new DomainError(kind, more === 0 ? message : `${message}\n${rest}`, {
      faults: this.#faults.toSorted((one, other) => Number(one.path[1]) - Number(other.path[1])),
      details: { ...details, faults: this.#count },
      cause: this.#refusal,
    });
  }
}
