import { DomainError, type Fault } from '../../model/errors.ts';
import { MOST_FAULTS } from '../files/line-faults.ts';

/** How many lines are counted at most. */
const MOST_COUNTED = 10_000;
/** How long more lines are looked for after the first refusal, in milliseconds. */
const LONGEST = 10_000;

/** The lines of a file whose names a blacklist refuses, with the refusal of the first name. */
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
    const some = lines.slice(0, MOST_FAULTS - this.#faults.length);
    this.#faults.push(...some.map((line) => ({ path: ['line', line], message })));
  }

  /** Whether no more lines have to be looked for. */
  get isFull(): boolean {
    return this.#count >= MOST_COUNTED || performance.now() - this.#startedAt > LONGEST;
  }

  /** @param isWhole whether all names were looked at */
  toError(isWhole: boolean): DomainError {
    const { kind, message, details } = this.#refusal;
    const more = this.#count - this.#faults.length;
    const rest = `And ${isWhole ? '' : 'at least '}${more} more lines cannot be used.`;
    return new DomainError(kind, more === 0 ? message : `${message}\n${rest}`, {
      faults: this.#faults.toSorted((one, other) => Number(one.path[1]) - Number(other.path[1])),
      details: { ...details, faults: this.#count },
      cause: this.#refusal,
    });
  }
}
