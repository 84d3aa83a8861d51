import type { OwnerName } from '../../dns/names.ts';
import { hostFault } from '../../dns/owner-name.ts';
import type { StoredType } from '../../dns/record-types.ts';
import type { RecordsetTable } from '../../dns/zone-file/recordset-table.ts';
import type { ParsedDraft } from '../../model/recordsets/recordset.ts';
import type { LocatedRecordset } from '../../model/recordsets/recordset-location.ts';
import { sizeFault } from '../../model/recordsets/size.ts';
import type { Transaction } from '../../model/store.ts';
import type { Totals } from '../../model/zones/totals.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { eachInTurns, TimeSlices } from '../../runtime/cooperative-yield.ts';
import { LineFaults } from '../files/line-faults.ts';
import { countFaults, ownerFault } from '../recordsets/records.ts';
import { type SupportedTypes, typeFault } from '../recordsets/supported-types.ts';
import { namesDownTo, ZoneLayout } from '../recordsets/zone-layout.ts';
import { without } from './running-counts.ts';

const MAX_TTL = 2147483647;
/** Maximum number of names per query. */
const NAMES_OF_A_QUESTION = 1000;
/** Number of delegations cached while the names below them are checked. */
const MAX_DELEGATIONS = 100;

/** Why a number cannot be the TTL of a zone or a recordset; undefined if it can. */
export function ttlFault(ttl: number): string | undefined {
  if (Number.isInteger(ttl) && ttl >= 0 && ttl <= MAX_TTL) return undefined;
  return `The TTL is ${ttl}. It must be from 0 to ${MAX_TTL}.`;
}

/**
 * The recordsets of a zone file to import: all in the zone except the NS at its apex, since the service has its own.
 * Recordsets without a TTL on their lines use the zone's default if it is equal to theirs.
 */
export class FileRecordsets {
  readonly #table: RecordsetTable;
  readonly #apex: OwnerName;
  readonly #ttl: number;
  readonly #apexNs: number | undefined;
  readonly #delegations = new Map<number, LocatedRecordset>();

  constructor(table: RecordsetTable, apex: OwnerName, ttl: number) {
    this.#table = table;
    this.#apex = apex;
    this.#ttl = ttl;
    this.#apexNs = table.find(apex, 'NS');
  }

  get totals(): Totals {
    const { totals } = this.#table;
    return this.#apexNs === undefined ? totals : without(totals, this.#table.totalsOf(this.#apexNs));
  }

  /** Number of recordsets, including those that `all` leaves out. */
  get size(): number {
    return this.#table.size;
  }

  /** A recordset that `all` yields, or `left out` if the file has one that it does not; undefined if it has none. */
  find(name: OwnerName, type: StoredType): number | 'left out' | undefined {
    const found = this.#table.find(name, type);
    if (found === undefined) return undefined;
    return this.#isLeftOut(found) ? 'left out' : found;
  }

  #isLeftOut(recordset: number): boolean {
    return recordset === this.#apexNs || this.#table.isLeftOut(recordset);
  }

  hasRecord(recordset: number, text: string): boolean {
    return this.#table.hasRecord(recordset, text);
  }

  /** Recordset numbers, in the order of their first record. */
  *all(): Generator<number, void> {
    for (let one = 0; one < this.size; one += 1) if (!this.#isLeftOut(one)) yield one;
  }

  /** Each owner name except the apex once, given by the first recordset with that name. */
  *ownerNames(): Generator<number, void> {
    for (const one of this.all()) {
      const name = this.name(one);
      if (name !== this.#apex && this.#table.at(name).at(-1) === one) yield one;
    }
  }

  name(recordset: number): OwnerName {
    return this.#table.name(recordset);
  }

  *drafts(): Generator<ParsedDraft, void> {
    for (const one of this.all()) yield this.draft(one);
  }

  draft(recordset: number): ParsedDraft {
    return { ...this.#table.recordset(recordset), ttl: this.ttl(recordset) };
  }

  /** In seconds; null for the zone's TTL. */
  ttl(recordset: number): number | null {
    const ttl = this.#table.ttl(recordset);
    return this.#table.hasOwnTtl(recordset) || ttl !== this.#ttl ? ttl : null;
  }

  count(recordset: number): number {
    return this.#table.count(recordset);
  }

  line(recordset: number): number {
    return this.#table.line(recordset);
  }

  /** The first lines of the recordsets with the same name, in order. */
  linesOfName(recordset: number): readonly number[] {
    const here = this.#table.at(this.name(recordset));
    return here.map((one) => this.line(one)).sort((one, other) => one - other);
  }

  /** The fault of a recordset by itself. */
  ownFault(recordset: number): string | undefined {
    const type = this.#table.type(recordset);
    return (
      countFaults(type, this.count(recordset))[0]?.message ??
      sizeFault(this.#table.sizeOf(recordset)) ??
      ttlFault(this.#table.ttl(recordset)) ??
      this.#ownerFault(recordset)
    );
  }

  #ownerFault(recordset: number): string | undefined {
    const [name, type] = [this.name(recordset), this.#table.type(recordset)];
    if (type !== 'SVCB') return hostFault(name, type);
    for (const rdata of this.#table.recordsOf(recordset)) {
      const fault = ownerFault(name, type, rdata);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }

  /** A recordset as the location rules need it, which use the records of delegations only. */
  placed(recordset: number): LocatedRecordset {
    const [name, type] = [this.#table.name(recordset), this.#table.type(recordset)];
    return type === 'NS' ? this.#delegation(recordset) : { name, type, records: [] };
  }

  /** The recordsets at a name, including the SOA and NS that the service provides, in file order. */
  at(name: string): readonly LocatedRecordset[] {
    const found = this.#table
      .at(name)
      .filter((one) => one !== this.#apexNs)
      .reverse()
      .map((one) => this.placed(one));
    if (name !== this.#apex) return found;
    const managed = (['SOA', 'NS'] as const).map((type) => ({ name: this.#apex, type, records: [] }));
    return [...managed, ...found];
  }

  /** The name servers of a delegation that have recordsets in the file; none if it is not a delegation. */
  nameServersOf(recordset: number): readonly string[] {
    if (this.#table.type(recordset) !== 'NS') return [];
    return this.#delegation(recordset).records.filter((name) => this.#table.at(name).length > 0);
  }

  #delegation(recordset: number): LocatedRecordset {
    const known = this.#delegations.get(recordset);
    if (known !== undefined) return known;
    if (this.#delegations.size >= MAX_DELEGATIONS) this.#delegations.clear();
    const { name, type, records } = this.#table.recordset(recordset);
    this.#delegations.set(recordset, { name, type, records });
    return { name, type, records };
  }
}

/** The contents of a new zone besides its SOA and NS, after every check that needs no store. */
export interface ZoneContents {
  readonly recordsets: FileRecordsets;
  /** Number of records of the largest recordset. */
  readonly largest: number;
  readonly layout: ZoneLayout;
}

/** Checks the contents of a new zone without the store, and collects the faults of invalid lines. */
export async function checkContents(
  zoneName: OwnerName,
  recordsets: FileRecordsets,
  faults: LineFaults,
  supported: SupportedTypes,
  turns: TimeSlices,
): Promise<ZoneContents> {
  let largest = 0;
  const nameServers = new Set<string>();
  const check = (one: number): void => {
    for (const name of recordsets.nameServersOf(one)) nameServers.add(name);
    const fault = typeFault(recordsets.placed(one).type, supported) ?? recordsets.ownFault(one);
    if (fault !== undefined) faults.add(recordsets.line(one), fault);
    largest = Math.max(largest, recordsets.count(one));
  };
  await eachInTurns(recordsets.all(), check, turns);
  const layout = new ZoneLayout(zoneName, (name) => recordsets.at(name), nameServers);
  const contents = { recordsets, largest, layout };
  await checkLocations(contents, faults, turns);
  return contents;
}

function checkLocations(
  { recordsets, layout }: ZoneContents,
  faults: LineFaults,
  turns: TimeSlices,
  childZones?: ReadonlySet<string>,
): Promise<void> {
  const check = (one: number): void => {
    const fault = layout.fault(recordsets.placed(one), childZones);
    if (fault !== undefined) faults.add(recordsets.line(one), fault, 'invalid_recordset_location');
  };
  return eachInTurns(recordsets.all(), check, turns);
}

/** The zones below the new one, at or above the names of its recordsets. */
async function childZones(tx: Transaction, zone: Zone, recordsets: FileRecordsets): Promise<Set<string>> {
  const children = new Set<string>();
  let names = new Set<string>();
  const ask = async () => {
    for (const child of await tx.zones.namesAmong([...names])) children.add(child);
    names = new Set();
  };
  for (const one of recordsets.all()) {
    for (const name of namesDownTo(zone.name, recordsets.placed(one).name).slice(1)) names.add(name);
    if (names.size >= NAMES_OF_A_QUESTION) await ask();
  }
  await ask();
  return children;
}

/** Rejects contents that belong to a zone below the new one. */
export async function requireOutsideChildZones(
  tx: Transaction,
  zone: Zone,
  contents: ZoneContents,
): Promise<void> {
  if (!(await tx.zones.hasChildren(zone.name))) return;
  const children = await childZones(tx, zone, contents.recordsets);
  if (children.size === 0) return;
  const faults = new LineFaults();
  await checkLocations(contents, faults, new TimeSlices(), children);
  faults.requireNone();
}
