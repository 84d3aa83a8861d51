import type { RecordsetTable } from '../../dns/zone-file/recordset-table.ts';
import type { Contents } from '../../model/changes/zone-change.ts';
import { hasRoom, type Limits, requireRoom } from '../../model/quotas/quota.ts';
import { NOTHING, type Totals } from '../../model/zones/totals.ts';

/** What is counted as a zone file is read, by the limit that it is compared with. */
const COUNTED = ['recordset_records', 'zone_recordsets', 'zone_records', 'max_zone_size'] as const;
type Counts = Readonly<Record<(typeof COUNTED)[number], number>>;

/** The limits that end the reading of a zone file. */
export type ZoneFileLimits = Pick<Limits, Exclude<(typeof COUNTED)[number], 'max_zone_size'>> & {
  /** Bytes. */
  readonly max_zone_size: number;
};

/**
 * How many records, recordsets or bytes may come beyond their limit before the zone is known, since they may lie outside it. It
 * bounds the memory that a file without an SOA takes.
 */
const BEFORE_ZONE = 10_000;

/** The totals without a part of them. */
export function without(all: Totals, part: Totals): Totals {
  return {
    recordsets: all.recordsets - part.recordsets,
    records: all.records - part.records,
    bytes: all.bytes - part.bytes,
  };
}

/**
 * What the zone of a file comes to at least, as its lines are read, so that reading can stop at the first line that passes
 * a limit. The NS at the apex are not counted, since the service keeps its own.
 */
export class RunningCounts {
  readonly #limits: ZoneFileLimits;
  /** The records of the largest recordset. */
  #largest = 0;
  #totals: Totals = NOTHING;
  #apexNs: number | undefined;
  #hasSearched = false;

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

  /**
   * Counts a new record of the recordset. Returns whether every limit still allows what was counted.
   * @param apex undefined while nobody knows which names are in the zone
   */
  add(table: RecordsetTable, recordset: number, apex: string | undefined): boolean {
    if (apex === undefined) {
      this.#totals = table.all;
      return this.#allows(BEFORE_ZONE);
    }
    this.#findApexNs(table, recordset, apex);
    const apexNs = this.#apexNs;
    this.#totals = apexNs === undefined ? table.totals : without(table.totals, table.totalsOf(apexNs));
    if (recordset !== apexNs) this.#largest = Math.max(this.#largest, table.count(recordset));
    return this.#allows(0);
  }

  /** @param more what may come beyond each limit */
  #allows(more: number): boolean {
    const counts = this.#counts;
    return COUNTED.every((key) => hasRoom(this.#limits[key], counts[key] - more));
  }

  #findApexNs(table: RecordsetTable, recordset: number, apex: string): void {
    if (this.#apexNs !== undefined || (this.#hasSearched && table.type(recordset) !== 'NS')) return;
    this.#hasSearched = true;
    this.#apexNs = table.find(apex, 'NS');
  }
}
