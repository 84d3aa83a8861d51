import type { RecordsetTable } from '../../dns/zone-file/recordset-table.ts';
import type { Contents } from '../../model/changes/contents.ts';
import { hasCapacity, type Limits, requireCapacity } from '../../model/quotas/quota.ts';
import { NOTHING, type Totals } from '../../model/zones/totals.ts';

/** Counters kept while reading a zone file, named after their limits. */
const COUNTED = ['recordset_records', 'zone_recordsets', 'zone_records', 'max_zone_size'] as const;
type CountByKind = Readonly<Record<(typeof COUNTED)[number], number>>;

/** The limits that end the reading of a zone file. */
export type ZoneFileLimits = Pick<Limits, Exclude<(typeof COUNTED)[number], 'max_zone_size'>> & {
  /** In bytes. */
  readonly max_zone_size: number;
};

/**
 * Number of records, recordsets or bytes allowed beyond their limit before the zone is known, since they may lie
 * outside it. This bounds the memory used for a file without an SOA.
 */
const BEFORE_ZONE = 10_000;

/** The totals minus a part of them. */
export function without(all: Totals, part: Totals): Totals {
  return {
    recordsets: all.recordsets - part.recordsets,
    records: all.records - part.records,
    bytes: all.bytes - part.bytes,
  };
}

/**
 * Lower bounds on the size of the zone while its lines are read, so that reading can stop at the first line that
 * exceeds a limit. The NS records at the apex are not counted, since the service has its own.
 */
export class RunningCounts {
  readonly #limits: ZoneFileLimits;
  /** Number of records of the largest recordset. */
  #largest = 0;
  #totals: Totals = NOTHING;
  #apexNs: number | undefined;
  #hasSearched = false;

  /** @param limits limits of the owner */
  constructor(limits: ZoneFileLimits) {
    this.#limits = limits;
  }

  /** The counters so far, as the head of a change. */
  get head(): Pick<Contents, 'growth' | 'largest'> {
    return { growth: this.#totals, largest: { now: this.#largest, before: 0 } };
  }

  get #counts(): CountByKind {
    const { recordsets, records, bytes } = this.#totals;
    return {
      recordset_records: this.#largest,
      zone_recordsets: recordsets,
      zone_records: records,
      max_zone_size: bytes,
    };
  }

  /**
   * Refuses the file by the first limit that it exceeds.
   * @param limits those that the refusal names
   * @throws DomainError `over_quota`
   */
  refuse(limits = this.#limits): void {
    const counts = this.#counts;
    for (const key of COUNTED) requireCapacity(key, limits[key], counts[key], counts[key]);
  }

  /**
   * Counts a new record of the recordset.
   * @param apex undefined until the zone is known
   * @returns true if the counters are within all limits
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

  /** @param more allowance beyond each limit */
  #allows(more: number): boolean {
    const counts = this.#counts;
    return COUNTED.every((key) => hasCapacity(this.#limits[key], counts[key] - more));
  }

  #findApexNs(table: RecordsetTable, recordset: number, apex: string): void {
    if (this.#apexNs !== undefined || (this.#hasSearched && table.type(recordset) !== 'NS')) return;
    this.#hasSearched = true;
    this.#apexNs = table.find(apex, 'NS');
  }
}
