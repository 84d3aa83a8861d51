/** The differences of an incremental transfer (RFC 1995), applied to what is stored. */
import type { OwnerName } from '../../dns/names.ts';
import type { StoredType } from '../../dns/rdata.ts';
import { NO_RECORDS, withRecord } from '../../dns/records-size.ts';
import type { Clock } from '../clock.ts';
import type { Recordset } from '../recordsets/recordset.ts';
import { sizeFault, wireLengthOf } from '../recordsets/size.ts';
import type { Transaction } from '../store.ts';
import type { Zone } from '../zones/zone.ts';
import { type ContentChange, type Contents, contentsOf } from '../zones/zone-change.ts';
import { type ReadRecord, requireRecord } from './incoming-records.ts';
import { type IncomingStep, TransferFault } from './secondary.ts';
import { changeOf } from './whole-zone.ts';

/** One step, its records read. */
export interface ReadStep {
  readonly from: number;
  readonly to: number;
  readonly removed: readonly ReadRecord[];
  readonly added: readonly ReadRecord[];
}

/** @throws TransferFault */
export function readSteps(zone: Zone, steps: readonly IncomingStep[]): readonly ReadStep[] {
  return steps.map(({ from, to, removed, added }) => ({
    from,
    to: to.serial,
    removed: removed.map((record) => requireRecord(record, zone.name)),
    added: added.map((record) => requireRecord(record, zone.name)),
  }));
}

/** A recordset that the steps touch. */
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

  /** False if no such record is here. Of records that differ in TTL only the lowest is known (RFC 2181 section 5.2). */
  remove({ ttl, rdata }: ReadRecord): boolean {
    if (ttl !== this.#ttl || !this.#records.delete(rdata.text)) return false;
    if (this.#records.size === 0) this.#ttl = undefined;
    return true;
  }

  /** False if it is here already, or has another TTL than the others. */
  add({ ttl, rdata }: ReadRecord): boolean {
    if (this.#records.has(rdata.text) || (this.#ttl ?? ttl) !== ttl) return false;
    this.#records.add(rdata.text);
    this.#ttl = ttl;
    return true;
  }

  /** The change that is left of all steps. */
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

async function touchedBy(
  tx: Transaction,
  zone: Zone,
  steps: readonly ReadStep[],
): Promise<ReadonlyMap<string, Touched>> {
  const records = steps.flatMap(({ removed, added }) => [...removed, ...added]);
  const names = [...new Set(records.map(({ name }) => name))];
  const stored = await tx.recordsets.atNames(zone.id, names);
  const byKey = new Map(stored.map((recordset) => [keyOf(recordset), recordset]));
  return new Map(records.map((record) => [keyOf(record), new Touched(record, byKey.get(keyOf(record)))]));
}

function follows(touched: ReadonlyMap<string, Touched>, { removed, added }: ReadStep): boolean {
  return (
    removed.every((record) => touched.get(keyOf(record))!.remove(record)) &&
    added.every((record) => touched.get(keyOf(record))!.add(record))
  );
}

/**
 * The change that the steps make; undefined if they do not fit what is stored.
 * @throws TransferFault if the zone would have no NS
 */
export async function stepContents(
  tx: Transaction,
  zone: Zone,
  steps: readonly ReadStep[],
  clock: Clock,
): Promise<Contents | undefined> {
  const isChain = steps.every(({ from }, place) => from === (steps[place - 1]?.to ?? zone.serial));
  if (!isChain || zone.isAwaited) return undefined;
  const touched = await touchedBy(tx, zone, steps);
  if (!steps.every((step) => follows(touched, step))) return undefined;
  const changes = [...touched.values()].map((one) => one.change(zone, clock));
  const parts = changes.filter((part) => part !== undefined);
  if (parts.some(({ kind, recordset }) => kind === 'removed' && recordset.managed))
    throw new TransferFault('A master removed the NS records at the apex of the zone.');
  return { ...contentsOf(...parts), steps: true };
}
