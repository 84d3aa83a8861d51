import type { OwnerName } from '../names.ts';
import type { RecordType } from '../rdata.ts';
import { NO_RECORDS, type Rdata, type RecordsSize, withRecord } from '../records-size.ts';
import type { ReadZoneFileRecordset } from './zone.ts';

interface Draft extends ReadZoneFileRecordset {
  ttl: number;
  size: RecordsSize;
  readonly records: string[];
}

/** From this many records on, duplicates are found with a Set, so that the work stays linear. */
const MANY = 16;

/**
 * Collects records into recordsets. Duplicate records are dropped, and a recordset whose records differ
 * in TTL gets the lowest of them (RFC 2181 sections 5 and 5.2).
 */
export class RecordsetCollector {
  readonly #all: Draft[] = [];
  readonly #lines: number[] = [];
  readonly #byName = new Map<string, Draft[]>();
  readonly #large = new Map<Draft, Set<string>>();
  #name: string | undefined;
  /** The recordsets of `#name`: at most one of each type. */
  #atName: Draft[] = [];

  /** In the order of their first record. */
  get recordsets(): readonly ReadZoneFileRecordset[] {
    return this.#all;
  }

  /** The line of the first record of each. */
  get lines(): readonly number[] {
    return this.#lines;
  }

  add(name: OwnerName, type: RecordType, ttl: number, rdata: Rdata, line: number): void {
    if (name !== this.#name) this.#moveTo(name);
    const draft = this.#atName.find((one) => one.type === type);
    if (draft === undefined) {
      const begun = { name, type, ttl, records: [rdata.text], size: withRecord(NO_RECORDS, rdata) };
      this.#all.push(begun);
      this.#lines.push(line);
      this.#atName.push(begun);
      return;
    }
    if (ttl < draft.ttl) draft.ttl = ttl;
    if (this.#has(draft, rdata.text)) return;
    draft.records.push(rdata.text);
    draft.size = withRecord(draft.size, rdata);
  }

  #moveTo(name: string): void {
    this.#name = name;
    const known = this.#byName.get(name);
    this.#atName = known ?? [];
    if (known === undefined) this.#byName.set(name, this.#atName);
  }

  #has(draft: Draft, rdata: string): boolean {
    if (draft.records.length < MANY) return draft.records.includes(rdata);
    let known = this.#large.get(draft);
    if (known === undefined) {
      known = new Set(draft.records);
      this.#large.set(draft, known);
    }
    if (known.has(rdata)) return true;
    known.add(rdata);
    return false;
  }
}
