/** Computes the difference that a change makes to the records of a zone, as needed for IXFR (RFC 1995). */

import type { ContentChange } from '../../model/changes/contents.ts';
import type { AppliedChange } from '../../model/changes/zone-change.ts';
import type { JournalEntry, JournalRecord } from '../../model/publication/publication.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';

/** Approximate bytes of a record besides its name and rdata. */
const BYTES_BESIDE = 16;

function recordsOf({ name, type, ttl, records }: Recordset, zoneTtl: number): readonly JournalRecord[] {
  return records.map((rdata) => [name, type, ttl ?? zoneTtl, rdata]);
}

function without(records: readonly JournalRecord[], others: readonly JournalRecord[]) {
  const known = new Set(others.map(([, , ttl, rdata]) => `${ttl} ${rdata}`));
  return records.filter(([, , ttl, rdata]) => !known.has(`${ttl} ${rdata}`));
}

/** Collects the parts of one change, until they exceed the size limit of a journal entry. */
export class Difference {
  readonly #removed: JournalRecord[] = [];
  readonly #added: JournalRecord[] = [];
  readonly #ttl: number;
  readonly #change: AppliedChange;
  #left: number;

  /** @param most maximum size of an entry, in bytes */
  constructor(change: AppliedChange, maxBytes: number) {
    const { before, after } = change;
    this.#change = change;
    this.#ttl = after?.ttl ?? 0;
    // A change of the default TTL also changes records that are not among the parts.
    const isKnown = before !== undefined && after !== undefined && before.ttl === after.ttl;
    this.#left = isKnown ? Math.min(maxBytes, 1024 + after.bytes) : -1;
  }

  add(part: ContentChange): void {
    if (this.#left < 0) return;
    const own = recordsOf(part.recordset, this.#ttl);
    if (part.kind === 'added') this.#keep([], own);
    else if (part.kind === 'removed') this.#keep(own, []);
    else {
      const before = recordsOf(part.before, this.#ttl);
      this.#keep(without(before, own), without(own, before));
    }
  }

  #keep(removed: readonly JournalRecord[], added: readonly JournalRecord[]): void {
    for (const [name, , , rdata] of [...removed, ...added]) {
      this.#left -= name.length + rdata.length + BYTES_BESIDE;
    }
    if (this.#left < 0) return;
    this.#removed.push(...removed);
    this.#added.push(...added);
  }

  /** The entry; undefined if a full transfer is smaller, or the only option. */
  entry(soa: JournalEntry['soa']): JournalEntry | undefined {
    const { before, after } = this.#change;
    if (this.#left < 0 || before === undefined || after === undefined) return undefined;
    return {
      fromSerial: before.serial,
      toSerial: after.serial,
      soa,
      removed: this.#removed,
      added: this.#added,
    };
  }
}
