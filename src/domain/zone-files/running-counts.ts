import type { StoredType } from '../../dns/rdata.ts';
import type { RecordsetTable } from '../../dns/zone-file/recordset-table.ts';
import { hasRoom, type Limits, requireRoom } from '../quotas/quota.ts';
import { recordsetBytes } from '../recordsets/size.ts';
import { type Contents, NOTHING, type Totals } from '../zones/zone-change.ts';

/** What is counted as a zone file is read, by the limit that it is compared with. */
const COUNTED = ['recordset_records', 'zone_recordsets', 'zone_records', 'max_zone_size'] as const;
type Counts = Readonly<Record<(typeof COUNTED)[number], number>>;

/** The limits that end the reading of a zone file. */
export type ZoneFileLimits = Pick<Limits, Exclude<(typeof COUNTED)[number], 'max_zone_size'>> & {
  /** Bytes. */
  readonly max_zone_size: number;
};

type Table = RecordsetTable<StoredType>;

function totalsOf(table: Table, recordset: number): Totals {
  const bytes = recordsetBytes(table.name(recordset), table.sizeOf(recordset));
  return { recordsets: 1, records: table.count(recordset), bytes };
}

/**
 * What the zone of a file comes to at least, as its lines are read, so that reading can stop at the first line that passes
 * a limit. The NS at the apex are not counted, since the service keeps its own: while the apex is not known, any name may
 * be it.
 */
export class RunningCounts {
  readonly #limits: ZoneFileLimits;
  /** The records of the largest recordset. */
  #largest = 0;
  /** The most that the NS of one name come to. */
  #mostNs: Totals = NOTHING;
  #isApexKnown = false;
  #apexNs: number | undefined;
  #totals: Totals = NOTHING;

  /** @param limits of the owner */
  constructor(limits: ZoneFileLimits) {
    this.#limits = limits;
  }

  /** What has come, as the head of the change that it would be. */
  get head(): Pick<Contents, 'growth' | 'largest'> {
    return { growth: this.#totals, largest: { now: this.#largest, before: 0 } };
  }

  get #counts(): Counts {
    const { recordsets, records, bytes } = this.#totals;
    return {
      recordset_records: this.#largest,
      zone_recordsets: recordsets,
      zone_records: records,
      max_zone_size: bytes,
    };
  }

  /** Refuses what has come by the first limit that does not allow it. @throws DomainError `over_quota` */
  refuse(): void {
    const counts = this.#counts;
    for (const key of COUNTED) requireRoom(key, this.#limits[key], counts[key], counts[key]);
  }

  /** Counts a new record of the recordset. Returns whether every limit still allows what was counted. */
  add(table: Table, recordset: number, apex: string | undefined): boolean {
    const isNs = table.type(recordset) === 'NS';
    if (isNs) this.#addNs(table, recordset, apex);
    const mayBeAtApex = isNs && (apex === undefined || recordset === this.#apexNs);
    if (!mayBeAtApex) this.#largest = Math.max(this.#largest, table.count(recordset));
    const left = this.#leftOut(table, apex);
    this.#totals = {
      recordsets: table.size - left.recordsets,
      records: table.records - left.records,
      bytes: table.bytes - left.bytes,
    };
    const counts = this.#counts;
    return COUNTED.every((key) => hasRoom(this.#limits[key], counts[key]));
  }

  #addNs(table: Table, recordset: number, apex: string | undefined): void {
    this.#findApexNs(table, apex);
    const { records, bytes } = totalsOf(table, recordset);
    this.#mostNs = {
      recordsets: 1,
      records: Math.max(this.#mostNs.records, records),
      bytes: Math.max(this.#mostNs.bytes, bytes),
    };
  }

  #findApexNs(table: Table, apex: string | undefined): void {
    if (apex !== undefined) this.#apexNs ??= table.find(apex, 'NS');
  }

  #leftOut(table: Table, apex: string | undefined): Totals {
    if (apex === undefined) return this.#mostNs;
    if (!this.#isApexKnown) this.#findApexNs(table, apex);
    this.#isApexKnown = true;
    return this.#apexNs === undefined ? NOTHING : totalsOf(table, this.#apexNs);
  }
}
