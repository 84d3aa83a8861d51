import { subtreeKey } from '../../dns/names.ts';
import { soaFields } from '../../dns/rdata/hosts.ts';
import { inPresentForm } from '../../model/recordsets/earlier-form.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import { type LocatedRecordset, locationFault } from '../../model/recordsets/recordset-location.ts';
import { storedBytes } from '../../model/recordsets/size.ts';
import type { Finding, StoredRecordset, StoredZone } from '../../model/verification/stored.ts';
import { faultsOf } from '../../model/verification/stored.ts';
import { NOTHING, sum, type Totals } from '../../model/zones/totals.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { type ApexSettings, soaRdata } from '../zones/apex.ts';
import { RECEIVED_CHECKS, RECORDSET_CHECKS, ZONE_CHECKS } from './rules.ts';

/** The recordsets at one name. */
interface RecordsetsAtName {
  readonly name: string;
  readonly recordsets: Recordset[];
}

/** The findings about a single recordset. */
export function recordsetFindings(stored: StoredRecordset, checks = RECORDSET_CHECKS): readonly Finding[] {
  return faultsOf(stored, checks).map((fault) => about(stored.recordset, fault));
}

function about({ id, name, type }: Recordset, fault: string): Finding {
  return { about: 'recordset', id, name: `${name} ${type}`, fault };
}

/**
 * Verifies one zone while its recordsets are streamed in name-tree order. It keeps only the names from the apex down to
 * the current one. It ignores child zones, which may have been created later.
 */
export class ZoneVerification {
  readonly #stored: StoredZone;
  readonly #apex: ApexSettings;
  readonly #path: RecordsetsAtName[] = [];
  #counted: Totals = NOTHING;
  /** Number of recordsets with a wrong size. */
  #mismeasured = 0;
  /** Number of recordsets with names in an earlier version's format. */
  #earlier = 0;
  /** Number of recordsets for which the index of targets is wrong. */
  #unindexed = 0;
  #hasSoa = false;
  #hasNs = false;

  constructor(stored: StoredZone, apex: ApexSettings) {
    this.#stored = stored;
    this.#apex = apex;
  }

  get #zone(): Zone {
    return this.#stored.zone;
  }

  /** The faults of this recordset and of those at the previous name. */
  add(asStored: StoredRecordset): readonly Finding[] {
    const stored = this.#inPresentForm(asStored);
    const { recordset } = stored;
    this.#count(asStored.recordset);
    if (!asStored.isIndexed) this.#unindexed += 1;
    const before = this.#moveTo(recordset.name);
    this.#path.at(-1)?.recordsets.push(recordset);
    const owner =
      recordset.projectId === this.#zone.projectId || stored.isShared
        ? []
        : [
            about(
              recordset,
              `It belongs to the project ${recordset.projectId}, but its zone belongs to another, and is not shared with it.`,
            ),
          ];
    const checks = this.#zone.type === 'SECONDARY' ? RECEIVED_CHECKS : RECORDSET_CHECKS;
    return [...before, ...recordsetFindings(stored, checks), ...owner, ...this.#managedFindings(recordset)];
  }

  /**
   * Converts names to the current format. A repair rewrites names in an earlier format, so all other rules apply to the
   * current one.
   */
  #inPresentForm(stored: StoredRecordset): StoredRecordset {
    const recordset = inPresentForm(stored.recordset, false);
    if (recordset === stored.recordset) return stored;
    this.#earlier += 1;
    const isValidKey = stored.subtreeKey === subtreeKey(stored.recordset.name);
    return { ...stored, recordset, subtreeKey: isValidKey ? subtreeKey(recordset.name) : stored.subtreeKey };
  }

  /** The faults of the zone as a whole. */
  finish(): readonly Finding[] {
    const places = this.#locationFindings();
    const faults = [...faultsOf(this.#stored, ZONE_CHECKS), ...this.#apexFaults()];
    return [
      ...places,
      ...faults.map((fault) => this.#finding(fault)),
      ...this.#correctableFaults().map((fault) => ({ ...this.#finding(fault), isCounter: true }) as const),
    ];
  }

  /** A zone that is pending removal has no recordsets. */
  #apexFaults(): readonly string[] {
    if (this.#zone.action === 'DELETE') return [];
    return [
      ...(this.#hasSoa ? [] : ['The SOA is missing.']),
      ...(this.#hasNs ? [] : ['The NS at the apex is missing.']),
    ];
  }

  /** Returns at most one fault, because a repair corrects all counters of a zone. */
  #counterFaults(): readonly string[] {
    const { recordsets, records, bytes } = this.#zone;
    const counted = this.#counted;
    if (recordsets !== counted.recordsets || records !== counted.records || bytes !== counted.bytes) {
      return [
        `The counters say ${recordsets} recordsets, ${records} records and ${bytes} bytes; there are ${counted.recordsets}, ${counted.records} and ${counted.bytes}.`,
      ];
    }
    return this.#mismeasured === 0 ? [] : [`The size of ${this.#mismeasured} of its recordsets is wrong.`];
  }

  #correctableFaults(): readonly string[] {
    return [...this.#counterFaults(), ...this.#indexFaults(), ...this.#earlierFaults()];
  }

  #earlierFaults(): readonly string[] {
    if (this.#earlier === 0) return [];
    return [
      `${this.#earlier} of its recordsets have names in the form of an earlier version, such as a&b for a\\038b.`,
    ];
  }

  #indexFaults(): readonly string[] {
    return [
      ...(this.#stored.isIndexed ? [] : ['Searches by a part of its name do not find it.']),
      ...(this.#unindexed === 0
        ? []
        : [`The index of targets is wrong for ${this.#unindexed} of its recordsets.`]),
    ];
  }

  #finding(fault: string): Finding {
    return { about: 'zone', id: this.#zone.id, name: this.#zone.name, fault };
  }

  /** Counts a recordset. The SOA and the NS at the apex are managed, and not counted. */
  #count(recordset: Recordset): void {
    const { managed, records } = recordset;
    const bytes = managed ? 0 : storedBytes(recordset);
    if (recordset.bytes !== bytes) this.#mismeasured += 1;
    if (!managed) this.#counted = sum(this.#counted, { recordsets: 1, records: records.length, bytes });
  }

  #managedFindings(recordset: Recordset): readonly Finding[] {
    const { type, name, managed, records } = recordset;
    const isSoa = type === 'SOA';
    const isApexNs = type === 'NS' && name === this.#zone.name;
    this.#hasSoa ||= isSoa && name === this.#zone.name;
    this.#hasNs ||= isApexNs && records.length > 0;
    if (managed !== (isSoa || isApexNs)) return [about(recordset, 'Its managed flag is wrong.')];
    return isSoa ? this.#soaFindings(recordset) : [];
  }

  #soaFindings(soa: Recordset): readonly Finding[] {
    if (this.#zone.type === 'SECONDARY') return this.#receivedSoaFindings(soa);
    const expected = soaRdata(this.#zone, this.#apex);
    if (soa.records.length === 1 && soa.records[0] === expected) return [];
    const fault = `The SOA is "${soa.records.join('", "')}"; the zone and the options require "${expected}".`;
    return [about(soa, fault)];
  }

  /** The SOA of a secondary zone is its master's; before the first transfer, it is generated here. */
  #receivedSoaFindings(soa: Recordset): readonly Finding[] {
    const serials = soa.records.map((rdata) => soaFields(rdata).serial);
    if (serials.length === 1 && serials[0] === this.#zone.serial) return [];
    return [about(soa, `The SOA has the serial ${serials.join(', ')}; the zone has ${this.#zone.serial}.`)];
  }

  #moveTo(name: string): readonly Finding[] {
    if (this.#path.at(-1)?.name === name) return [];
    const findings = this.#locationFindings();
    while (this.#path.length > 0 && !name.endsWith(`.${this.#path.at(-1)?.name}`)) this.#path.pop();
    this.#path.push({ name, recordsets: [] });
    return findings;
  }

  /** The location faults of the recordsets at the current name. */
  #locationFindings(): readonly Finding[] {
    // Placement rules do not apply to records from masters.
    if (this.#zone.type === 'SECONDARY') return [];
    const atOrAbove: readonly LocatedRecordset[] = this.#path.flatMap(({ recordsets }) => recordsets);
    // An address below a delegation may be glue for a delegation that follows, or for a deleted one.
    const around = { zoneName: this.#zone.name, atOrAbove, isNamedElsewhere: true };
    return (this.#path.at(-1)?.recordsets ?? []).flatMap((recordset) => {
      const fault = locationFault(recordset, around);
      return fault === undefined ? [] : [about(recordset, fault)];
    });
  }
}
