import { DomainError, type ErrorKind, type Fault } from '../../model/errors.ts';

/** Maximum number of faults listed for a file; the rest are only counted. */
export const MAX_FAULTS = 100;

const lineOf = ({ path }: Fault): number => Number(path[1]);

/**
 * The refusal of a file with invalid lines.
 * @param faults the first faults, at most `MAX_FAULTS`
 * @param count the number of all faults
 * @param isWhole false if reading stopped early, so that there may be more
 */
export function lineFaults(
  faults: readonly Fault[],
  count: number,
  { kind = 'invalid_object', isWhole = true }: { kind?: ErrorKind | undefined; isWhole?: boolean } = {},
): DomainError {
  const inOrder = [...faults].sort((one, other) => lineOf(one) - lineOf(other));
  const lines = inOrder.map((fault) => `Line ${lineOf(fault)}: ${fault.message}`);
  const more = `${isWhole ? '' : 'at least '}${count - faults.length}`;
  if (count > faults.length) lines.push(`And ${more} more lines are invalid.`);
  const message = lines.join('\n');
  return new DomainError(kind, message, { faults: inOrder, details: { faults: count } });
}

/** Collects the faults of a file. */
export class LineFaults {
  readonly #first: Fault[] = [];
  #count = 0;
  #kind: ErrorKind | undefined;
  #isWhole = true;

  /** @param kind error kind of the refusal if this is the first fault; `invalid_object` overrides any other */
  add(line: number, message: string, kind: ErrorKind = 'invalid_object'): void {
    this.#count += 1;
    if (this.#kind === undefined || kind === 'invalid_object') this.#kind = kind;
    if (this.#first.length < MAX_FAULTS) this.#first.push({ path: ['line', line], message });
  }

  /** Counts faults without listing them. If `isWhole` is false, the count is a lower bound. */
  addUnknown(count: number, isWhole: boolean): void {
    this.#count += count;
    this.#isWhole &&= isWhole;
  }

  /** @throws DomainError with all faults, if there are any */
  requireNone(): void {
    if (this.#count > 0)
      throw lineFaults(this.#first, this.#count, { kind: this.#kind, isWhole: this.#isWhole });
  }
}
