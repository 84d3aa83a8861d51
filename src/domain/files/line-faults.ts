import { DomainError, type ErrorKind, type Fault } from '../../model/errors.ts';

/** The most faults of a file that are listed; the others are only counted. */
export const MOST_FAULTS = 100;

const lineOf = ({ path }: Fault): number => Number(path[1]);

/**
 * The refusal of a file because of some of its lines.
 * @param faults the first ones, at most `MOST_FAULTS`
 * @param count of all
 * @param isWhole whether there can be no more, since the whole file was read
 */
export function lineFaults(
  faults: readonly Fault[],
  count: number,
  { kind = 'invalid_object', isWhole = true }: { kind?: ErrorKind | undefined; isWhole?: boolean } = {},
): DomainError {
  const inOrder = [...faults].sort((one, other) => lineOf(one) - lineOf(other));
  const lines = inOrder.map((fault) => `Line ${lineOf(fault)}: ${fault.message}`);
  const more = `${isWhole ? '' : 'at least '}${count - faults.length}`;
  if (count > faults.length) lines.push(`And ${more} more lines cannot be used.`);
  const message = lines.join('\n');
  return new DomainError(kind, message, { faults: inOrder, details: { faults: count } });
}

/** The faults of a file, as they are found. */
export class LineFaults {
  readonly #first: Fault[] = [];
  #count = 0;
  #kind: ErrorKind | undefined;
  #isWhole = true;

  /** @param kind of the refusal if this is the first fault, or its most general one */
  add(line: number, message: string, kind: ErrorKind = 'invalid_object'): void {
    this.#count += 1;
    if (this.#kind === undefined || kind === 'invalid_object') this.#kind = kind;
    if (this.#first.length < MOST_FAULTS) this.#first.push({ path: ['line', line], message });
  }

  /** Counts faults of which only the number is known; if not even that, the least number. */
  addUnknown(count: number, isWhole: boolean): void {
    this.#count += count;
    this.#isWhole &&= isWhole;
  }

  /** @throws DomainError with every fault, if there are any */
  requireNone(): void {
    if (this.#count > 0)
      throw lineFaults(this.#first, this.#count, { kind: this.#kind, isWhole: this.#isWhole });
  }
}
