import type { Fqdn } from '../../dns/names.ts';
import { lineFault } from '../errors.ts';
import { countFaults } from '../recordsets/records.ts';
import type { ParsedDraft } from '../recordsets/recordset.ts';
import { recordsetBytes, sizeFault } from '../recordsets/size.ts';
import { namesDownTo, ZoneLayout } from '../recordsets/zone-layout.ts';
import type { Transaction } from '../store.ts';
import { yieldTurn } from '../yield.ts';
import type { Zone } from '../zones/zone.ts';

/** A recordset of a zone file, and the line where it starts. */
export interface ReadRecordset extends ParsedDraft {
  readonly line: number;
}

/** The contents of a new zone besides its SOA and NS, after every check that needs no store. */
export interface ZoneContents {
  /** The zone's own serial comes after this one. */
  readonly serial: number;
  readonly recordsets: readonly ReadRecordset[];
  readonly records: number;
  readonly bytes: number;
  /** The number of records of the largest recordset. */
  readonly largest: number;
  readonly layout: ZoneLayout;
}

/** How many recordsets are checked before yielding to the event loop. */
const STEP = 1000;
const GREATEST_TTL = 2147483647;

/** Calls the function for each item, and yields to the event loop now and then. */
export async function eachInTurns<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
  let done = 0;
  for (const item of items) {
    work(item);
    done += 1;
    if (done % STEP === 0) await yieldTurn();
  }
}

/** Why a number cannot be the TTL of a zone or a recordset, or undefined. */
export function ttlFault(ttl: number): string | undefined {
  if (Number.isInteger(ttl) && ttl >= 1 && ttl <= GREATEST_TTL) return undefined;
  return `The TTL is ${ttl}. Give one from 1 to ${GREATEST_TTL}.`;
}

/** The faults of a single recordset. */
function ownFault({ type, records, size, ttl }: ReadRecordset): string | undefined {
  return countFaults(type, records.length)[0]?.message ?? sizeFault(size) ?? ttlFault(ttl ?? 1);
}

/**
 * The contents of a new zone, as far as they can be checked without the store.
 * @throws DomainError with the line of the first recordset that cannot be kept
 */
export async function requireContents(
  zoneName: Fqdn,
  serial: number,
  recordsets: readonly ReadRecordset[],
): Promise<ZoneContents> {
  const layout = new ZoneLayout(zoneName);
  let records = 0;
  let bytes = 0;
  let largest = 0;
  for (const type of ['SOA', 'NS'] as const) layout.add({ name: zoneName, type, records: [] });
  await eachInTurns(recordsets, (recordset) => {
    const fault = ownFault(recordset);
    if (fault !== undefined) throw lineFault(recordset.line, fault);
    layout.add(recordset);
    records += recordset.records.length;
    bytes += recordsetBytes(recordset.name, recordset.size);
    largest = Math.max(largest, recordset.records.length);
  });
  await eachInTurns(recordsets, (recordset) => {
    const fault = layout.fault(recordset);
    if (fault !== undefined) throw lineFault(recordset.line, fault, 'invalid_recordset_location');
  });
  return { serial, recordsets, records, bytes, largest, layout };
}

/** Refuses contents that belong to a zone below the new one. */
export async function requireOutsideChildZones(
  tx: Transaction,
  zone: Zone,
  { recordsets, layout }: ZoneContents,
): Promise<void> {
  if (!(await tx.zones.hasChildren(zone.name))) return;
  const names = new Set<string>();
  await eachInTurns(recordsets, ({ name }) => {
    for (const one of namesDownTo(zone.name, name).slice(1)) names.add(one);
  });
  const children = await tx.zones.namesAmong([...names]);
  if (children.size === 0) return;
  await eachInTurns(recordsets, (recordset) => {
    const fault = layout.fault(recordset, children);
    if (fault !== undefined) throw lineFault(recordset.line, fault, 'invalid_recordset_location');
  });
}
