/** Computes what a zone was, from what it is and the changes since. */
import { subtreeKey } from '../../dns/names.ts';
import { effectsIn } from '../../model/history/effects-text.ts';
import type { RecordsetEffect, ZoneFacts } from '../../model/history/past-change.ts';
import type { EffectsOfChange, HistoryPages } from '../../model/history/store.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import type { RecordsetPages } from '../../model/recordsets/store.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { sortedInTurns } from '../../runtime/array-turns.ts';
import type { TimeSlices } from '../../runtime/cooperative-yield.ts';
import { changeNotFound, type HistoryReader, visibleChanges } from './kept-changes.ts';

/** A state of a zone: the one after the last change with a serial, or up to a time. */
export type PastMoment = { readonly serial: number } | { readonly at: string };

/** The key of a recordset in its zone. */
type RecordsetKey = string;

/** A recordset as it was. Of one that was not there, only what it was called: many may have come and gone. */
export type FormerRecordset =
  | { readonly isThere: true; readonly recordset: Recordset }
  | { readonly isThere: false; readonly recordset: Pick<Recordset, 'name' | 'type' | 'managed'> };

function formerOf({ before, after }: RecordsetEffect): FormerRecordset {
  if (before !== undefined) return { isThere: true, recordset: before };
  const { name, type, managed } = after!;
  return { isThere: false, recordset: { name, type, managed } };
}

export interface PastZone extends Pick<ZoneFacts, 'ttl' | 'email'> {
  readonly serial: number;
  /** The rdata of the SOA; undefined if nothing has changed since. */
  readonly soa: string | undefined;
  /** The recordsets that have changed since. */
  readonly changed: ReadonlyMap<RecordsetKey, FormerRecordset>;
}

/** Names and types in the order of the tree. */
function keyOf({ name, type }: Pick<Recordset, 'name' | 'type'>): RecordsetKey {
  return `${subtreeKey(name)}\0${type}`;
}

function byKey([one]: readonly [RecordsetKey, unknown], [other]: readonly [RecordsetKey, unknown]): number {
  return one < other ? -1 : 1;
}

export interface HistoryWalk {
  readonly reads: HistoryPages;
  readonly reader: HistoryReader;
  readonly turns: TimeSlices;
}

/**
 * The changes from the present back, up to the first that is not kept.
 * @throws DomainError `change_not_found` if the newest one is not kept
 */
async function* changesBack(zone: Zone, { reads, reader }: HistoryWalk): AsyncGenerator<EffectsOfChange> {
  let number = zone.version;
  const read = reads.changesWithEffects.bind(reads);
  for await (const change of visibleChanges(read, zone, reader)) {
    if (change.number !== number || change.effects === null) return;
    yield change;
    number -= 1;
  }
}

/** What a change did, one effect for each recordset: one that it both removed and added was what it removed. */
export async function effectsByKey(
  { effects, zoneId }: EffectsOfChange,
  turns: TimeSlices,
): Promise<ReadonlyMap<RecordsetKey, RecordsetEffect>> {
  const found = new Map<RecordsetKey, RecordsetEffect>();
  for (const effect of effectsIn(effects ?? '', zoneId)) {
    const key = keyOf((effect.before ?? effect.after)!);
    const { before } = found.get(key) ?? effect;
    found.set(key, { before, after: effect.after });
    if (turns.isOver) await turns.next();
  }
  return found;
}

/** Later than any time. */
const NEVER = '~';

/** Goes back from the present, one change at a time. */
class Rewind {
  readonly #moment: PastMoment;
  readonly #changed = new Map<RecordsetKey, FormerRecordset>();
  #zone: Omit<PastZone, 'changed'>;
  #version: number;

  constructor({ ttl, email, serial, version }: Zone, moment: PastMoment) {
    this.#moment = moment;
    this.#zone = { ttl, email, serial, soa: undefined };
    this.#version = version;
  }

  get zone(): PastZone {
    return { ...this.#zone, changed: this.#changed };
  }

  /** True if nothing has changed since the creation of the zone. */
  get isNew(): boolean {
    return this.#version === 1;
  }

  /** @param changedAt since when the zone was as it is here */
  isReached(changedAt: string): boolean {
    return 'serial' in this.#moment
      ? this.#zone.serial === this.#moment.serial
      : changedAt <= this.#moment.at;
  }

  async undo(change: EffectsOfChange, fromSerial: number, turns: TimeSlices): Promise<void> {
    for (const [key, effect] of await effectsByKey(change, turns)) this.#changed.set(key, formerOf(effect));
    const { ttl, email, soa } = change.before;
    this.#zone = { ttl, email, soa, serial: fromSerial };
    this.#version = change.number - 1;
  }
}

/** @throws DomainError `change_not_found` if the history does not reach back so far */
export async function pastZone(zone: Zone, moment: PastMoment, walk: HistoryWalk): Promise<PastZone> {
  const rewind = new Rewind(zone, moment);
  if (rewind.isReached(zone.updatedAt ?? zone.createdAt)) return rewind.zone;
  for await (const change of changesBack(zone, walk)) {
    if (rewind.isReached(change.at)) return rewind.zone;
    if (change.fromSerial === null) break;
    await rewind.undo(change, change.fromSerial, walk.turns);
  }
  if (rewind.isReached(rewind.isNew ? zone.createdAt : NEVER)) return rewind.zone;
  throw changeNotFound();
}

/** The recordsets of a zone as they were, in the order of the tree, and then by type. */
export async function* pastRecordsets(
  zone: Zone,
  { changed, soa }: PastZone,
  reads: RecordsetPages,
  turns: TimeSlices,
): AsyncGenerator<readonly Recordset[], void> {
  const there = [...changed].flatMap(([key, { isThere, recordset }]) =>
    isThere ? [[key, recordset] as const] : [],
  );
  const others = await sortedInTurns(there, byKey, turns);
  let place = 0;
  const upTo = (key: RecordsetKey | undefined): Recordset[] => {
    const start = place;
    while (place < others.length && (key === undefined || others[place]![0] <= key)) place += 1;
    return others.slice(start, place).map(([, recordset]) => recordset);
  };
  for (let last: Recordset | undefined; ; ) {
    const page = await reads.inTreeOrder(zone, last);
    yield page.flatMap((recordset) => {
      const key = keyOf(recordset);
      const before = upTo(key);
      if (changed.has(key)) return before;
      const isSoa = recordset.type === 'SOA' && soa !== undefined;
      return [...before, isSoa ? { ...recordset, records: [soa] } : recordset];
    });
    last = page.at(-1);
    if (last === undefined) break;
  }
  yield upTo(undefined);
}

/** Whether clients see the same recordset. */
export function isSameState(one: Recordset | undefined, other: Recordset | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  const text = ({ ttl, records, spellings, description }: Recordset) =>
    JSON.stringify([ttl, records, spellings, description]);
  return text(one) === text(other);
}

/** Collects what changed between two serials, going back. */
class Span {
  readonly #effects = new Map<RecordsetKey, RecordsetEffect>();
  readonly #left: Set<number>;
  /** The later of the two serials. */
  newer: number | undefined;

  constructor(...serials: readonly number[]) {
    this.#left = new Set(serials);
  }

  get isComplete(): boolean {
    return this.#left.size === 0;
  }

  reach(serial: number): void {
    if (this.#left.delete(serial)) this.newer ??= serial;
  }

  async add(change: EffectsOfChange, fromSerial: number, turns: TimeSlices): Promise<void> {
    if (this.newer !== undefined) await this.#collect(change, turns);
    this.reach(fromSerial);
  }

  /** The changes come newest first. What has come and gone is not kept. */
  async #collect(change: EffectsOfChange, turns: TimeSlices): Promise<void> {
    for (const [key, effect] of await effectsByKey(change, turns)) {
      const { before } = effect;
      const { after } = this.#effects.get(key) ?? effect;
      if (isSameState(before, after)) this.#effects.delete(key);
      else this.#effects.set(key, { before, after });
      if (turns.isOver) await turns.next();
    }
  }

  /** In the order of the tree. */
  async effects(turns: TimeSlices): Promise<readonly RecordsetEffect[]> {
    const sorted = await sortedInTurns([...this.#effects], byKey, turns);
    return sorted.map(([, effect]) => effect);
  }
}

/**
 * What led from one serial to another, in the order of the tree: the later may come first.
 * @throws DomainError `change_not_found` if the history does not reach back to both
 */
export async function differenceBetween(
  zone: Zone,
  { from, to }: { readonly from: number; readonly to: number },
  walk: HistoryWalk,
): Promise<readonly RecordsetEffect[]> {
  const span = new Span(from, to);
  span.reach(zone.serial);
  for await (const change of span.isComplete ? [] : changesBack(zone, walk)) {
    if (change.fromSerial === null) break;
    await span.add(change, change.fromSerial, walk.turns);
    if (span.isComplete) break;
  }
  if (!span.isComplete) throw changeNotFound();
  const effects = await span.effects(walk.turns);
  return span.newer === to ? effects : effects.map(({ before, after }) => ({ before: after, after: before }));
}
