import { readDuration } from '../rdata/duration.ts';
import type { Fields } from '../rdata/fields.ts';

/** The TTL of records whose lines give none. RFC 2308 section 4: the $TTL wins over the last TTL given, which RFC 1035 section 5.1 would take. */
export class TtlsInForce {
  #default: number | undefined;
  #last: number | undefined;

  /** Takes that of a $TTL. @throws RdataError */
  readDefault(fields: Fields): void {
    this.assume();
    this.#default = readDuration(fields.takeWord('TTL'), 'TTL');
  }

  /** The TTL of a record; undefined if neither its line nor an earlier one gives one. */
  of({ ttl }: { readonly ttl: number | undefined }): number | undefined {
    if (ttl !== undefined) this.#last = ttl;
    return ttl ?? this.#default ?? this.#last;
  }

  /** If nothing gives the SOA a TTL, its minimum is used, and is the default from there on, as in BIND. */
  takeMinimum(minimum: number): number {
    this.#default = minimum;
    return minimum;
  }

  /** A line that may give the TTL has a fault: the records after it have none for want of a TTL. */
  assume(): void {
    this.#last ??= 0;
  }

  /** Like `assume`, if reading the line fails. */
  whileReading<T>(read: () => T): T {
    const before = this.#last;
    this.assume();
    const result = read();
    this.#last = before;
    return result;
  }
}
