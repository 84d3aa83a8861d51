import { canonicalName, type OwnerName } from '../names.ts';
import type { StoredType } from '../record-types.ts';
import { NO_RECORDS, type Rdata, type RecordsSize, withRecord } from '../records-size.ts';
import { IntegerColumn } from './column.ts';
import { TextPool } from './text-pool.ts';
import type { ReadZoneFileRecordset } from './zone.ts';

/** The TTL of one record. */
export interface RecordTtl {
  readonly seconds: number;
  /** True if the record's own line sets it. */
  readonly isOwn: boolean;
}

/** Numbers of recordsets and records, and the bytes of their names and records. */
export interface TableTotals {
  readonly recordsets: number;
  readonly records: number;
  readonly bytes: number;
}

const NOTHING: TableTotals = { recordsets: 0, records: 0, bytes: 0 };

function sum(one: TableTotals, other: TableTotals, sign: 1 | -1): TableTotals {
  return {
    recordsets: one.recordsets + sign * other.recordsets,
    records: one.records + sign * other.records,
    bytes: one.bytes + sign * other.bytes,
  };
}

/** No reference. Other values in a column of references are a row number plus 1. */
const NONE = 0;

/**
 * The records of a zone file or a transfer, grouped into recordsets: rows of numbers, and one text per record, outside
 * the heap. Duplicate records are dropped, and a recordset whose records differ in TTL gets the lowest TTL (RFC 2181
 * sections 5 and 5.2). Recordsets are numbered by their first record. Those found not to belong to the zone are left
 * out of the totals but keep their numbers.
 */
export class RecordsetTable {
  readonly #names = new TextPool();
  /** Each text starts with the number of its recordset, so that equal records of two recordsets differ. */
  readonly #records = new TextPool();
  readonly #nextRecord = new IntegerColumn();
  /** The first recordset of each name, by name. */
  readonly #firstAtName = new IntegerColumn();
  readonly #name = new IntegerColumn();
  readonly #type = new IntegerColumn();
  /** The types seen. A type's index here is its number in the column. */
  readonly #types: StoredType[] = [];
  readonly #typeNumbers = new Map<StoredType, number>();
  readonly #ttl = new IntegerColumn();
  /** 1 if a line of the recordset sets this TTL. */
  readonly #hasOwnTtl = new IntegerColumn();
  readonly #line = new IntegerColumn();
  readonly #count = new IntegerColumn();
  readonly #wire = new IntegerColumn();
  readonly #counted = new IntegerColumn();
  readonly #firstRecord = new IntegerColumn();
  readonly #lastRecord = new IntegerColumn();
  readonly #nextAtName = new IntegerColumn();
  readonly #leftOut = new Set<number>();
  #all = NOTHING;
  #leftOutTotals = NOTHING;

  /** Number of recordsets, including those left out. */
  get size(): number {
    return this.#name.size;
  }

  /** Totals including the recordsets left out. */
  get all(): TableTotals {
    return this.#all;
  }

  /** Totals without the recordsets left out. */
  get totals(): TableTotals {
    return sum(this.#all, this.#leftOutTotals, -1);
  }

  isLeftOut(recordset: number): boolean {
    return this.#leftOut.has(recordset);
  }

  /** Leaves a recordset out of the totals, including records added to it later. */
  leaveOut(recordset: number): void {
    if (this.#leftOut.has(recordset)) return;
    this.#leftOut.add(recordset);
    this.#leftOutTotals = sum(this.#leftOutTotals, this.totalsOf(recordset), 1);
  }

  /** Includes a recordset in the totals again. */
  takeIn(recordset: number): void {
    if (!this.#leftOut.delete(recordset)) return;
    this.#leftOutTotals = sum(this.#leftOutTotals, this.totalsOf(recordset), -1);
  }

  /** The contribution of one recordset to the totals. */
  totalsOf(recordset: number): TableTotals {
    const bytes = this.name(recordset).length + this.#counted.at(recordset);
    return { recordsets: 1, records: this.count(recordset), bytes };
  }

  name(recordset: number): OwnerName {
    return canonicalName(this.#names.text(this.#name.at(recordset)));
  }

  type(recordset: number): StoredType {
    return this.#types[this.#type.at(recordset)]!;
  }

  ttl(recordset: number): number {
    return this.#ttl.at(recordset);
  }

  /** Whether a line of the recordset sets its TTL. */
  hasOwnTtl(recordset: number): boolean {
    return this.#hasOwnTtl.at(recordset) === 1;
  }

  /** The line of its first record. */
  line(recordset: number): number {
    return this.#line.at(recordset);
  }

  /** Number of its records. */
  count(recordset: number): number {
    return this.#count.at(recordset);
  }

  /** The size of its records. */
  sizeOf(recordset: number): RecordsSize {
    return { wire: this.#wire.at(recordset), counted: this.#counted.at(recordset) };
  }

  /** The records in file order. */
  recordsOf(recordset: number): string[] {
    const records: string[] = [];
    const start = prefixOf(recordset).length;
    for (let next = this.#firstRecord.at(recordset); next !== NONE; next = this.#nextRecord.at(next - 1)) {
      records.push(this.#records.text(next - 1).slice(start));
    }
    return records;
  }

  /** Whether the recordset has the record. */
  hasRecord(recordset: number, text: string): boolean {
    return this.#records.find(prefixOf(recordset) + text) !== undefined;
  }

  recordset(recordset: number): ReadZoneFileRecordset {
    return {
      name: this.name(recordset),
      type: this.type(recordset),
      ttl: this.ttl(recordset),
      hasOwnTtl: this.hasOwnTtl(recordset),
      records: this.recordsOf(recordset),
      size: this.sizeOf(recordset),
    };
  }

  /** The recordsets at a name, at most one per type, newest first. */
  at(name: string): number[] {
    const id = this.#names.find(name);
    return id === undefined ? [] : [...this.#atId(id)];
  }

  find(name: string, type: StoredType): number | undefined {
    return this.at(name).find((one) => this.type(one) === type);
  }

  /** Adds a record. Returns its recordset, or undefined for a duplicate. */
  add(name: OwnerName, type: StoredType, ttl: RecordTtl, rdata: Rdata, line: number): number | undefined {
    const recordset = this.#recordsetOf(name, this.#numberOf(type), ttl, line);
    this.#lowerTtl(recordset, ttl);
    const before = this.#records.size;
    if (this.#records.idOf(prefixOf(recordset) + rdata.text) < before) return undefined;
    this.#nextRecord.push(NONE);
    const last = this.#lastRecord.at(recordset);
    if (last === NONE) this.#firstRecord.set(recordset, before + 1);
    else this.#nextRecord.set(last - 1, before + 1);
    this.#lastRecord.set(recordset, before + 1);
    this.#count.set(recordset, this.#count.at(recordset) + 1);
    this.#grow(recordset, rdata);
    return recordset;
  }

  #addTotals(recordset: number, added: TableTotals): void {
    this.#all = sum(this.#all, added, 1);
    if (this.#leftOut.has(recordset)) this.#leftOutTotals = sum(this.#leftOutTotals, added, 1);
  }

  #lowerTtl(recordset: number, { seconds, isOwn }: RecordTtl): void {
    const lowest = this.#ttl.at(recordset);
    if (seconds > lowest) return;
    const hadOwn = seconds === lowest && this.hasOwnTtl(recordset);
    this.#ttl.set(recordset, seconds);
    this.#hasOwnTtl.set(recordset, isOwn || hadOwn ? 1 : 0);
  }

  #grow(recordset: number, rdata: Rdata): void {
    const { wire, counted } = withRecord(this.sizeOf(recordset), rdata);
    this.#addTotals(recordset, { recordsets: 0, records: 1, bytes: counted - this.#counted.at(recordset) });
    this.#wire.set(recordset, wire);
    this.#counted.set(recordset, counted);
  }

  *#atId(name: number): Generator<number, void> {
    for (let next = this.#firstAtName.at(name); next !== NONE; next = this.#nextAtName.at(next - 1)) {
      yield next - 1;
    }
  }

  #numberOf(type: StoredType): number {
    const known = this.#typeNumbers.get(type);
    if (known !== undefined) return known;
    this.#typeNumbers.set(type, this.#types.length);
    return this.#types.push(type) - 1;
  }

  #idOfName(name: string): number {
    const id = this.#names.idOf(name);
    if (id === this.#firstAtName.size) this.#firstAtName.push(NONE);
    return id;
  }

  #recordsetOf(owner: OwnerName, type: number, ttl: RecordTtl, line: number): number {
    const name = this.#idOfName(owner);
    for (const one of this.#atId(name)) if (this.#type.at(one) === type) return one;
    const recordset = this.size;
    this.#name.push(name);
    this.#type.push(type);
    this.#ttl.push(ttl.seconds);
    this.#hasOwnTtl.push(ttl.isOwn ? 1 : 0);
    this.#line.push(line);
    this.#count.push(0);
    this.#wire.push(NO_RECORDS.wire);
    this.#counted.push(NO_RECORDS.counted);
    this.#firstRecord.push(NONE);
    this.#lastRecord.push(NONE);
    this.#nextAtName.push(this.#firstAtName.at(name));
    this.#firstAtName.set(name, recordset + 1);
    this.#addTotals(recordset, { recordsets: 1, records: 0, bytes: owner.length });
    return recordset;
  }
}

function prefixOf(recordset: number): string {
  return `${recordset.toString(36)} `;
}
