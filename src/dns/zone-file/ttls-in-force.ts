import { readDuration } from '../rdata/duration.ts';
import type { RdataFields } from '../rdata/fields.ts';

/**
 * The TTL of records whose line sets none. RFC 2308 section 4: $TTL takes precedence over the last explicit TTL, which
 * RFC 1035 section 5.1 would use.
 */
export class TtlsInForce {
  #default: number | undefined;
  #last: number | undefined;
  readonly #zoneTtl: number | undefined;

  /** @param zoneTtl TTL of records for which the file gives none, if there is one */
  constructor(zoneTtl?: number) {
    this.#zoneTtl = zoneTtl;
  }

  /** Reads the default TTL of a $TTL. @throws RdataError */
  readDefault(fields: RdataFields): void {
    this.assume();
    this.#default = readDuration(fields.takeWord('TTL'), 'TTL');
  }

  /** The TTL of a record, or undefined if nothing sets one. */
  of({ ttl }: { readonly ttl: number | undefined }): number | undefined {
    if (ttl !== undefined) this.#last = ttl;
    return ttl ?? this.#default ?? this.#last ?? this.#zoneTtl;
  }

  /** Called if nothing sets the TTL of the SOA: uses its minimum, which becomes the default, as in BIND. */
  takeMinimum(minimum: number): number {
    this.#default = minimum;
    return minimum;
  }

  /** Called when a line that may set the TTL has a fault, so that later records are not reported for a missing TTL. */
  assume(): void {
    this.#last ??= 0;
  }

  /** Runs `read`. If it throws, `assume` applies. */
  whileReading<T>(read: () => T): T {
    const before = this.#last;
    this.assume();
    const result = read();
    this.#last = before;
    return result;
  }
}
