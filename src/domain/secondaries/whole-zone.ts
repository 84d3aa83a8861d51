/** Compares a full transfer with the stored zone. */

import type { RecordsetTable } from '../../dns/zone-file/recordset-table.ts';
import { type ContentChange, type Contents, ContentsHead } from '../../model/changes/contents.ts';
import { type Clock, notBefore } from '../../model/clock.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import { recordsetBytes } from '../../model/recordsets/size.ts';
import { TransferFault } from '../../model/secondaries/secondary.ts';
import type { Transaction } from '../../model/store.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { TimeSlices } from '../../runtime/cooperative-yield.ts';
import { newRecordset } from '../recordsets/new-recordset.ts';
import { storedPages } from '../recordsets/stored-pages.ts';

/** A recordset from a master. Its records are sorted, so that the order of transfer does not matter. */
export type ReceivedRecordset = Pick<Recordset, 'name' | 'type' | 'ttl' | 'records'> & {
  readonly size: ReturnType<RecordsetTable['sizeOf']>;
};

function isSame(before: Recordset, { ttl, records }: ReceivedRecordset): boolean {
  if (before.ttl !== ttl || before.records.length !== records.length) return false;
  const stored = before.records.toSorted();
  return records.every((text, place) => text === stored[place]);
}

/** The change of one recordset; undefined if it is unchanged. */
export function changeOf(
  before: Recordset | undefined,
  received: ReceivedRecordset,
  zone: Zone,
  clock: Clock,
): ContentChange | undefined {
  if (before === undefined) return { kind: 'added', recordset: newRecordset(received, zone, clock) };
  if (isSame(before, received)) return undefined;
  const { ttl, records, size } = received;
  const bytes = before.managed ? 0 : recordsetBytes(before.name, size);
  const updatedAt = notBefore(clock.now(), before.createdAt, before.updatedAt);
  const version = before.version + 1;
  return {
    kind: 'replaced',
    before,
    recordset: { ...before, ttl, records, spellings: {}, bytes, version, updatedAt },
  };
}

function receivedOf(table: RecordsetTable, recordset: number): ReceivedRecordset {
  const { name, type, ttl, records, size } = table.recordset(recordset);
  return { name, type, ttl, records: records.toSorted(), size };
}

async function* stored(tx: Transaction, zone: Zone): AsyncGenerator<Recordset, void> {
  for await (const page of storedPages(tx.recordsets, zone)) yield* page;
}

/** The differences to stored recordsets, in name-tree order. Marks received recordsets that are stored. */
async function* differencesOfStored(
  tx: Transaction,
  zone: Zone,
  table: RecordsetTable,
  clock: Clock,
  seen: Uint8Array,
): AsyncGenerator<ContentChange, void> {
  for await (const before of stored(tx, zone)) {
    if (before.type === 'SOA') continue;
    const found = table.find(before.name, before.type);
    if (found === undefined) {
      yield { kind: 'removed', recordset: before };
      continue;
    }
    seen[found] = 1;
    const part = changeOf(before, receivedOf(table, found), zone, clock);
    if (part !== undefined) yield part;
  }
}

/** All differences: first those to stored recordsets, then new ones. */
async function* differences(
  tx: Transaction,
  zone: Zone,
  table: RecordsetTable,
  clock: Clock,
): AsyncGenerator<ContentChange, void> {
  const seen = new Uint8Array(table.size);
  yield* differencesOfStored(tx, zone, table, clock, seen);
  const turns = new TimeSlices();
  for (let one = 0; one < table.size; one += 1) {
    if (seen[one] === 0) yield changeOf(undefined, receivedOf(table, one), zone, clock)!;
    if (turns.isOver) await turns.next();
  }
}

/**
 * The change that makes a zone match the transfer. Stored recordsets are compared twice: for the totals, and while
 * writing.
 * @throws TransferFault if the zone would have no NS records
 */
export async function wholeContents(
  tx: Transaction,
  zone: Zone,
  table: RecordsetTable,
  clock: Clock,
): Promise<Contents> {
  if (table.find(zone.name, 'NS') === undefined)
    throw new TransferFault('A master sent a zone without NS records at its apex.');
  // All stored recordsets are read and compared, even if few of them change.
  tx.recordsets.expect({ recordsets: zone.recordsets + table.size, bytes: 0 });
  const head = new ContentsHead();
  for await (const part of differences(tx, zone, table, clock)) head.add(part);
  const { growth, largest, steps, written } = head;
  return { growth, largest, steps, written, parts: differences(tx, zone, table, clock) };
}
