/** Compares wanted contents with the stored zone. */
import type { StoredType } from '../../dns/record-types.ts';
import type { PlanningReads } from '../../model/changes/store.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { eachInTurns, type TimeSlices } from '../../runtime/cooperative-yield.ts';
import {
  type IntendedRecordset,
  type Intent,
  type Resolution,
  recordsOf,
  spelledRecords,
} from '../changes/intents.ts';
import type { FoundIntents } from '../changes/wanted-changes.ts';
import { storedPages } from '../recordsets/stored-pages.ts';
import type { WantedContents } from './wanted-contents.ts';

/** A zone, and what is wanted of it. */
interface ComparedZone {
  readonly wanted: WantedContents;
  /** Types that are left alone. */
  readonly keep: ReadonlySet<StoredType>;
  /** Locked, or of the snapshot that is read. */
  readonly zone: Zone;
}

function hasSameRecords({ recordsets }: WantedContents, one: number, { records }: Recordset): boolean {
  return recordsets.count(one) === records.length && records.every((text) => recordsets.hasRecord(one, text));
}

function hasSameTtl({ recordsets }: WantedContents, one: number, { ttl }: Recordset, zone: Zone): boolean {
  return (recordsets.ttl(one) ?? zone.ttl) === (ttl ?? zone.ttl);
}

/** The spelling of each wanted record, in order. If only data is wanted, records that stay keep theirs. */
function spelledIn(wanted: WantedContents, one: number, before: Recordset): ReadonlyMap<string, string> {
  const spellings = wanted.isSpelled ? (wanted.spellings.get(one) ?? {}) : before.spellings;
  const { records } = wanted.recordsets.draft(one);
  return new Map(records.map((text) => [text, spellings[text] ?? text]));
}

/** A stored recordset as wanted. What is the same stays as it is stored. */
function updated(wanted: WantedContents, one: number, before: Recordset, zone: Zone): IntendedRecordset {
  const records = hasSameRecords(wanted, one, before)
    ? recordsOf(before)
    : spelledRecords(before.type, spelledIn(wanted, one, before));
  const ttl = hasSameTtl(wanted, one, before, zone) ? before.ttl : wanted.recordsets.ttl(one);
  const description = wanted.descriptions.get(one);
  return { ...records, ttl, description: description === undefined ? before.description : description };
}

function created({ recordsets, spellings, descriptions }: WantedContents, one: number): IntendedRecordset {
  const { records, size, ttl = null } = recordsets.draft(one);
  const description = descriptions.get(one) ?? null;
  return { records, size, ttl, spellings: spellings.get(one) ?? {}, description };
}

/** The intent for a recordset of the contents. */
function intentFor(
  wanted: WantedContents,
  one: number,
  type: StoredType,
  { zone, stored }: { readonly zone: Zone; readonly stored?: Recordset },
): Intent {
  return {
    name: wanted.recordsets.name(one),
    type,
    positions: [wanted.recordsets.line(one)],
    mayCreate: stored === undefined,
    stored,
    resolve: (before) => ({
      kind: 'resolved',
      after: before === undefined ? created(wanted, one) : updated(wanted, one, before, zone),
      givesRecords: true,
    }),
  };
}

const REMOVED = { kind: 'resolved', after: undefined } as const;
const remove = (): Resolution => REMOVED;

/** The intent for a stored recordset that the contents lack. */
function removalOf(stored: Recordset): Intent {
  const { name, type } = stored;
  return { name, type, positions: [], mayCreate: false, stored, resolve: remove };
}

function isSame(wanted: WantedContents, one: number, before: Recordset, zone: Zone): boolean {
  const description = wanted.descriptions.get(one);
  const isDescribed = description === undefined || description === before.description;
  return isDescribed && hasSameTtl(wanted, one, before, zone) && hasSameRecords(wanted, one, before);
}

/** What is left alone: managed recordsets, types to keep, and what other projects have that the contents lack. */
function differenceAt(
  before: Recordset,
  { wanted, keep, zone }: ComparedZone,
): { readonly found?: number; readonly intent?: Intent } {
  const { name, type, projectId } = before;
  const found = wanted.recordsets.find(name, type);
  if (keep.has(type) || found === 'left out') return {};
  if (found === undefined) return projectId === zone.projectId ? { intent: removalOf(before) } : {};
  return isSame(wanted, found, before, zone)
    ? { found }
    : { found, intent: intentFor(wanted, found, type, { zone, stored: before }) };
}

/** What the comparison has found so far. */
class Comparison {
  readonly intents: Intent[] = [];
  /** 1 for each wanted recordset that is stored. */
  readonly seen: Uint8Array;
  unchanged = 0;
  readonly #target: ComparedZone;

  constructor(target: ComparedZone) {
    this.#target = target;
    this.seen = new Uint8Array(target.wanted.recordsets.size);
  }

  add(before: Recordset): void {
    if (before.managed) return;
    const { found, intent } = differenceAt(before, this.#target);
    if (found !== undefined) this.seen[found] = 1;
    if (intent === undefined) this.unchanged += 1;
    else this.intents.push(intent);
  }

  addMissing(one: number): void {
    const { wanted, zone } = this.#target;
    const { type } = wanted.recordsets.placed(one);
    if (this.seen[one] === 0) this.intents.push(intentFor(wanted, one, type, { zone }));
  }
}

/** The differences between a zone and its wanted contents. Reads the zone in pages, and keeps what differs. */
export async function differences(
  target: ComparedZone,
  reads: PlanningReads,
  turns: TimeSlices,
): Promise<FoundIntents> {
  const comparison = new Comparison(target);
  for await (const page of storedPages(reads, target.zone))
    await eachInTurns(page, (before) => comparison.add(before), turns);
  await eachInTurns(target.wanted.recordsets.all(), (one) => comparison.addMissing(one), turns);
  const { intents, unchanged } = comparison;
  return { intents, unchanged };
}
