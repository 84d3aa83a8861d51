/** Applies the differences of an incremental transfer (RFC 1995) to the stored zone. */
import { canonicalName, type OwnerName } from '../../dns/names.ts';
import { earlierText } from '../../dns/rdata/domain-name.ts';
import type { StoredType } from '../../dns/record-types.ts';
import { NO_RECORDS, withRecord } from '../../dns/records-size.ts';
import { type ContentChange, type Contents, contentsOfParts } from '../../model/changes/contents.ts';
import type { Clock } from '../../model/clock.ts';
import { hasEarlierType } from '../../model/recordsets/earlier-form.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import { sizeFault, wireLengthOf } from '../../model/recordsets/size.ts';
import { type IncomingRecord, type IncomingStep, TransferFault } from '../../model/secondaries/secondary.ts';
import type { Transaction } from '../../model/store.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { eachInTurns, TimeSlices } from '../../runtime/cooperative-yield.ts';
import { type ReadRecord, requireRecord } from './incoming-records.ts';
import { changeOf } from './whole-zone.ts';

/** A difference with its records parsed. */
export interface ReadStep {
  readonly from: number;
  readonly to: number;
  readonly removed: readonly ReadRecord[];
  readonly added: readonly ReadRecord[];
}

/** @throws TransferFault */
export async function readSteps(zone: Zone, steps: readonly IncomingStep[]): Promise<readonly ReadStep[]> {
  const turns = new TimeSlices(zone.projectId);
  async function read(records: readonly IncomingRecord[]): Promise<readonly ReadRecord[]> {
    const known: ReadRecord[] = [];
    await eachInTurns(records, (record) => known.push(requireRecord(record, zone.name)), turns);
    return known;
  }
  const known: ReadStep[] = [];
  for (const { from, to, removed, added } of steps)
    known.push({ from, to: to.serial, removed: await read(removed), added: await read(added) });
  return known;
}

/** A recordset that the steps change. */
class Touched {
  readonly name: OwnerName;
  readonly type: StoredType;
  readonly before: Recordset | undefined;
  readonly #records: Set<string>;
  #ttl: number | undefined;

  constructor({ name, type }: Pick<ReadRecord, 'name' | 'type'>, before: Recordset | undefined) {
    this.name = name;
    this.type = type;
    this.before = before;
    this.#records = new Set(before?.records);
    this.#ttl = before?.ttl ?? undefined;
  }

  /**
   * Returns false if there is no such record. Of records with different TTLs, only the lowest TTL is stored (RFC 2181
   * section 5.2).
   */
  remove({ ttl, rdata }: ReadRecord): boolean {
    if (ttl !== this.#ttl || !this.#records.delete(rdata.text)) return false;
    if (this.#records.size === 0) this.#ttl = undefined;
    return true;
  }

  /** Returns false if the record already exists, or its TTL differs from the others. */
  add({ ttl, rdata }: ReadRecord): boolean {
    if (this.#records.has(rdata.text) || (this.#ttl ?? ttl) !== ttl) return false;
    this.#records.add(rdata.text);
    this.#ttl = ttl;
    return true;
  }

  /** The net change of all steps. */
  change(zone: Zone, clock: Clock): ContentChange | undefined {
    const { name, type, before } = this;
    if (this.#records.size === 0) return before && { kind: 'removed', recordset: before };
    const records = [...this.#records].sort();
    const rdata = (text: string) => ({ text, wireLength: wireLengthOf(type, text) });
    const size = records.reduce((sum, text) => withRecord(sum, rdata(text)), NO_RECORDS);
    const fault = sizeFault(size);
    if (fault !== undefined) throw new TransferFault(`${name} ${type}: ${fault}`);
    return changeOf(before, { name, type, ttl: this.#ttl!, records, size }, zone, clock);
  }
}

const keyOf = ({ name, type }: Pick<ReadRecord, 'name' | 'type'>): string => `${name} ${type}`;

/** The recordsets at the names; undefined if any is stored in an earlier version's format. */
async function storedAt(
  tx: Transaction,
  zone: Zone,
  names: ReadonlySet<OwnerName>,
): Promise<readonly Recordset[] | undefined> {
  const earlier = [...names].map((name) => canonicalName<OwnerName>(earlierText(name)));
  const stored = await tx.recordsets.atNames(zone.id, [...new Set([...names, ...earlier])]);
  const isEarlier = (recordset: Recordset) => !names.has(recordset.name) || hasEarlierType(recordset);
  return stored.some(isEarlier) ? undefined : stored;
}

/** The recordsets that the steps change; undefined if any is stored in an earlier version's format. */
async function touchedBy(
  tx: Transaction,
  zone: Zone,
  steps: readonly ReadStep[],
): Promise<ReadonlyMap<string, Touched> | undefined> {
  // Read each recordset once: it may be large, and thousands of records may belong to it.
  const records = new Map<string, ReadRecord>();
  for (const { removed, added } of steps)
    for (const record of [...removed, ...added]) records.set(keyOf(record), record);
  const stored = await storedAt(tx, zone, new Set([...records.values()].map(({ name }) => name)));
  if (stored === undefined) return undefined;
  const byKey = new Map(stored.map((recordset) => [keyOf(recordset), recordset]));
  return new Map([...records].map(([key, record]) => [key, new Touched(record, byKey.get(key))]));
}

function follows(touched: ReadonlyMap<string, Touched>, { removed, added }: ReadStep): boolean {
  return (
    removed.every((record) => touched.get(keyOf(record))!.remove(record)) &&
    added.every((record) => touched.get(keyOf(record))!.add(record))
  );
}

async function followAll(
  touched: ReadonlyMap<string, Touched>,
  steps: readonly ReadStep[],
): Promise<boolean> {
  const turns = new TimeSlices();
  for (const step of steps) {
    if (!follows(touched, step)) return false;
    if (turns.isOver) await turns.next();
  }
  return true;
}

/** Announces the maximum number of writes, so that a large transaction starts as one. */
function expectWrites(tx: Transaction, steps: readonly ReadStep[]): void {
  const records = steps.reduce((sum, { removed, added }) => sum + removed.length + added.length, 0);
  tx.recordsets.expect({ recordsets: records, bytes: 0 });
}

/**
 * The change that the steps make; undefined if they do not match what is stored, or it is in an earlier version's
 * format.
 * @throws TransferFault if the zone would have no NS records
 */
export async function stepContents(
  tx: Transaction,
  zone: Zone,
  steps: readonly ReadStep[],
  clock: Clock,
): Promise<Contents | undefined> {
  const isChain = steps.every(({ from }, place) => from === (steps[place - 1]?.to ?? zone.serial));
  if (!isChain || zone.isAwaited) return undefined;
  expectWrites(tx, steps);
  const touched = await touchedBy(tx, zone, steps);
  if (touched === undefined || !(await followAll(touched, steps))) return undefined;
  const parts: ContentChange[] = [];
  await eachInTurns(touched.values(), (one) => {
    const part = one.change(zone, clock);
    if (part !== undefined) parts.push(part);
  });
  if (parts.some(({ kind, recordset }) => kind === 'removed' && recordset.managed))
    throw new TransferFault('A master removed the NS records at the apex of the zone.');
  return contentsOfParts(parts);
}
