/** A zone of the source with its recordsets, after every check that needs no store. */

import { parseRdata } from '../../dns/parse-rdata.ts';
import { soaFields } from '../../dns/rdata/hosts.ts';
import type { ParsedDraft } from '../../model/recordsets/recordset.ts';
import type { LocatedRecordset } from '../../model/recordsets/recordset-location.ts';
import { recordsetBytes } from '../../model/recordsets/size.ts';
import type { SoaTimers } from '../../model/zones/soa-timers.ts';
import { requireRecords } from '../recordsets/records.ts';
import { namesDownTo, ZoneLayout } from '../recordsets/zone-layout.ts';
import { type AdoptionOutcome, reasonOf } from './outcome.ts';
import type { AdoptionSource, Given, SourcePrimary, SourceRecordset } from './source.ts';
import { readWantedShares, type WantedShares } from './wanted-shares.ts';

export type WantedRecordset = ParsedDraft & Omit<SourceRecordset, 'records' | 'isLeaving'>;

export interface SourceZoneState extends Pick<WantedShares, 'shares'> {
  readonly zone: SourcePrimary;
  /** Without the SOA and the apex NS, which the service maintains itself. */
  readonly recordsets: readonly WantedRecordset[];
  /** Parts that are left out, each with the reason. */
  readonly refused: readonly AdoptionOutcome[];
  /** The targets of its apex NS, in canonical form. */
  readonly nameServers: readonly string[];
  /** Timers of its SOA; undefined if the source returns no readable one. */
  readonly timers: SoaTimers | undefined;
}

/** Approximate, including its id. */
const BYTES_OF_A_REFUSAL = 100;

/** A unique key for each name and type. */
export function keyOf({ name, type }: Pick<LocatedRecordset, 'name' | 'type'>): string {
  return `${name} ${type}`;
}

function refusal(recordset: Pick<SourceRecordset, 'id' | 'name' | 'type'>, reason: string): AdoptionOutcome {
  return { thing: 'recordset', id: recordset.id, name: keyOf(recordset), outcome: 'refused', reason };
}

function timersIn([text = '']: readonly string[]): SoaTimers | undefined {
  const parsed = parseRdata('SOA', text);
  if (!parsed.ok) return undefined;
  const { refresh, retry, expire, minimum } = soaFields(parsed.rdata);
  return { refresh, retry, expire, minimum };
}

/** Collects the recordsets of one zone. */
class Gathering {
  readonly zone: SourcePrimary;
  readonly refused: AdoptionOutcome[] = [];
  nameServers: readonly string[] = [];
  timers: SoaTimers | undefined;
  /** In bytes, including refusals. */
  size = 0;
  readonly #byKey = new Map<string, WantedRecordset>();
  readonly #ids = new Set<string>();

  constructor(zone: SourcePrimary) {
    this.zone = zone;
  }

  add(given: Given<SourceRecordset>): void {
    if (!given.ok) {
      const { id, name, reason } = given;
      this.#refuse({ thing: 'recordset', id, name, outcome: 'refused', reason });
    } else if (!given.value.isLeaving) this.#addRead(given.value);
  }

  #refuse(outcome: AdoptionOutcome): void {
    this.refused.push(outcome);
    this.size += BYTES_OF_A_REFUSAL + (outcome.name?.length ?? 0) + (outcome.reason?.length ?? 0);
  }

  #addRead(recordset: SourceRecordset): void {
    const isAtApex = recordset.name === this.zone.name;
    if (isAtApex && recordset.type === 'NS') this.nameServers = recordset.records;
    if (isAtApex && recordset.type === 'SOA') this.timers = timersIn(recordset.records);
    if (recordset.type === 'SOA' || (isAtApex && recordset.type === 'NS')) return;
    try {
      this.#keep(recordset);
    } catch (error) {
      this.#refuse(refusal(recordset, reasonOf(error)));
    }
  }

  #keep(recordset: SourceRecordset): void {
    const key = keyOf(recordset);
    if (this.#byKey.has(key) || this.#ids.has(recordset.id)) {
      const reason =
        'The zone has another recordset with this name and type, or this id. Delete one of them at the source.';
      this.#refuse(refusal(recordset, reason));
      return;
    }
    const { isLeaving: _, ...kept } = recordset;
    const wanted = { ...kept, ...requireRecords(recordset, recordset.records) };
    this.size += recordsetBytes(wanted.name, wanted.size);
    this.#ids.add(wanted.id);
    this.#byKey.set(key, wanted);
  }

  /** The collected zone. A recordset of a project without a share becomes the owner's. */
  done({ shares, refused: refusedShares }: WantedShares): SourceZoneState {
    const { zone, nameServers, timers } = this;
    const refused = [...this.refused, ...refusedShares];
    const guests = new Set(shares.map(({ targetProjectId }) => targetProjectId));
    const recordsets = [...this.#byKey.values()].map((one) =>
      guests.has(one.projectId) ? one : { ...one, projectId: zone.projectId },
    );
    return outsideOf(new Set(), { zone, recordsets, shares, refused, nameServers, timers });
  }
}

function layoutOf({ zone, recordsets }: SourceZoneState): ZoneLayout {
  const byName = new Map<string, LocatedRecordset[]>();
  for (const type of ['SOA', 'NS'] as const) place(byName, { name: zone.name, type, records: [] });
  for (const one of recordsets) place(byName, one);
  const nameServers = recordsets.flatMap(({ type, records }) => (type === 'NS' ? records : []));
  return new ZoneLayout(zone.name, (name) => byName.get(name) ?? [], new Set(nameServers));
}

function place(byName: Map<string, LocatedRecordset[]>, placed: LocatedRecordset): void {
  const there = byName.get(placed.name);
  if (there === undefined) byName.set(placed.name, [placed]);
  else there.push(placed);
}

/** All names from the apex down to each recordset, except the apex. */
export function namesIn({ zone, recordsets }: SourceZoneState): ReadonlySet<string> {
  return new Set(
    recordsets
      .filter(({ name }) => name.endsWith(`.${zone.name}`))
      .flatMap(({ name }) => namesDownTo(zone.name, name).slice(1)),
  );
}

/**
 * The zone without recordsets that are not allowed at their names.
 * @param childZones names of the separate zones below it
 */
export function outsideOf(childZones: ReadonlySet<string>, wanted: SourceZoneState): SourceZoneState {
  const layout = layoutOf(wanted);
  const recordsets: WantedRecordset[] = [];
  const refused = [...wanted.refused];
  for (const one of wanted.recordsets) {
    const fault = layout.fault(one, childZones);
    if (fault === undefined) recordsets.push(one);
    else refused.push(refusal(one, fault));
  }
  return { ...wanted, recordsets, refused };
}

/**
 * Reads the recordsets of a zone.
 * @param maxZoneSize in bytes; reading stops once the zone exceeds it
 * @returns the zone, or why it cannot be adopted
 * @throws SourceTrouble
 */
export async function readWantedZone(
  source: Pick<AdoptionSource, 'recordsets' | 'shares'>,
  zone: SourcePrimary,
  maxZoneSize: number,
): Promise<SourceZoneState | string> {
  const gathering = new Gathering(zone);
  for await (const given of source.recordsets(zone.id)) {
    gathering.add(given);
    if (gathering.size > maxZoneSize)
      return `The zone has more than ${maxZoneSize} bytes. Raise max_zone_size, then run the command again.`;
  }
  return gathering.done(await readWantedShares(source, zone));
}
