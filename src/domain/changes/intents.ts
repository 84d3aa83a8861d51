/** What a set wants of each recordset that it names, whatever the zone has. */
import type { OwnerName } from '../../dns/names.ts';
import type { StoredType } from '../../dns/record-types.ts';
import { NO_RECORDS, type RecordsSize, withRecord } from '../../dns/records-size.ts';
import type { EffectKind, RecordsetState } from '../../model/changes/change-set.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import { wireLengthOf } from '../../model/recordsets/size.ts';
import { mapInTurns } from '../../runtime/array-turns.ts';
import { eachInTurns, type TimeSlices } from '../../runtime/cooperative-yield.ts';
import { addToGroup } from '../../runtime/group-by.ts';
import { faultsOfWhole, type Records } from '../recordsets/records.ts';
import { type ChangeFault, pathOf } from './faults.ts';
import type { ReadChange } from './read-changes.ts';

/** A recordset as it is wanted. */
export interface IntendedRecordset extends Records {
  readonly ttl: number | null;
  readonly description: string | null;
}

/** What an intent makes of a recordset. */
export type Resolution =
  /**
   * `after` is undefined if there shall be no such recordset. `givesRecords` is true if the request gives records, and does
   * not only keep or remove those that are there.
   */
  | {
      readonly kind: 'resolved';
      readonly after: IntendedRecordset | undefined;
      readonly givesRecords?: boolean;
    }
  /** `wanted` is what the request shows. */
  | {
      readonly kind: 'refused';
      readonly effect: EffectKind;
      readonly wanted: RecordsetState | null;
      readonly faults: readonly ChangeFault[];
    };

/** What is wanted of one recordset, or of all recordsets of a name. */
export interface Intent {
  readonly name: OwnerName;
  /** Undefined to delete every recordset of the name but managed ones. */
  readonly type: StoredType | undefined;
  /** Where its changes stand in the request. */
  readonly positions: readonly number[];
  /** True if it may create a recordset. */
  readonly mayCreate: boolean;
  /** The recordset as stored, if it is known. */
  readonly stored?: Recordset | undefined;
  /** What the recordset was before it was deleted, if it comes back. */
  readonly former?: Recordset | undefined;
  resolve(before: Recordset | undefined): Resolution;
}

const NOT_FOUND = 'The zone has no such recordset.';
const DUPLICATE = 'The zone already has a recordset with this name and type. Use "replace" or "upsert".';

function shown({ ttl = null, records, description = null }: ReadChange): RecordsetState | null {
  return records === undefined ? null : { ttl, records, description };
}

function refused(change: ReadChange, effect: EffectKind, faults: readonly ChangeFault[]): Resolution {
  return { kind: 'refused', effect, wanted: effect === 'delete' ? null : shown(change), faults };
}

/** The records of a stored recordset, with their size. */
export function recordsOf({ type, records, spellings }: Recordset): Records {
  const rdata = (text: string) => ({ text, wireLength: wireLengthOf(type, text), spelling: spellings[text] });
  const size = records.reduce((sum, text) => withRecord(sum, rdata(text)), NO_RECORDS);
  return { records, spellings, size };
}

/** Faults of the records that the recordset would have, at a change that gives them. */
function wholeFaults(type: StoredType, whole: Records, position: number): readonly ChangeFault[] {
  return faultsOfWhole(type, whole).map(({ path, message }) => {
    return { kind: 'invalid_object', message, path: pathOf(position, ...path) };
  });
}

function resolvedTo(change: ReadChange, before: Recordset | undefined, after: IntendedRecordset): Resolution {
  const faults = wholeFaults(change.type!, after, change.position);
  const effect = before === undefined ? 'create' : 'update';
  if (faults.length > 0) return refused(change, effect, faults);
  return { kind: 'resolved', after, givesRecords: change.action !== 'remove' };
}

function resolveCreate(change: ReadChange, before: Recordset | undefined): Resolution {
  if (before !== undefined) {
    const fault = { kind: 'duplicate_recordset', message: DUPLICATE, path: pathOf(change.position) } as const;
    return refused(change, 'create', [fault]);
  }
  const { ttl = null, description = null, read } = change;
  return resolvedTo(change, before, { ...read!, ttl, description });
}

function notFound(change: ReadChange, effect: EffectKind): Resolution {
  const fault = { kind: 'recordset_not_found', message: NOT_FOUND, path: pathOf(change.position) } as const;
  return refused(change, effect, [fault]);
}

function resolveReplace(change: ReadChange, before: Recordset | undefined): Resolution {
  if (before === undefined) return notFound(change, 'update');
  const { ttl = before.ttl, description = before.description, read } = change;
  if (read !== undefined) return resolvedTo(change, before, { ...read, ttl, description });
  return { kind: 'resolved', after: { ...recordsOf(before), ttl, description } };
}

/** What a change that is alone for its recordset makes of it. */
function resolveOne(change: ReadChange, before: Recordset | undefined): Resolution {
  switch (change.action) {
    case 'create':
      return resolveCreate(change, before);
    case 'upsert':
      return before === undefined ? resolveCreate(change, before) : resolveReplace(change, before);
    case 'replace':
      return resolveReplace(change, before);
    default:
      return before === undefined ? notFound(change, 'delete') : { kind: 'resolved', after: undefined };
  }
}

/** The smallest spelling of each added record, so that the order of the changes does not matter. */
function addedSpellings(changes: readonly ReadChange[]): ReadonlyMap<string, string> {
  const spelled = new Map<string, string>();
  for (const { read } of changes)
    for (const record of read?.records ?? []) {
      const spelling = read!.spellings[record] ?? record;
      const known = spelled.get(record);
      if (known === undefined || spelling < known) spelled.set(record, spelling);
    }
  return spelled;
}

function sizeOf(type: StoredType, spelled: ReadonlyMap<string, string>): RecordsSize {
  let size = NO_RECORDS;
  for (const [text, spelling] of spelled) {
    const stored = spelling === text ? undefined : spelling;
    size = withRecord(size, { text, wireLength: wireLengthOf(type, text), spelling: stored });
  }
  return size;
}

/** @param spelled how each record is spelled, in order */
export function spelledRecords(type: StoredType, spelled: ReadonlyMap<string, string>): Records {
  const differing = [...spelled].filter(([text, spelling]) => text !== spelling);
  const spellings = Object.fromEntries(differing);
  return { records: [...spelled.keys()], spellings, size: sizeOf(type, spelled) };
}

/** Adds and removes records: those that stay keep their order, and new ones follow in order of their texts. */
function gradual(type: StoredType, before: Recordset | undefined, changes: readonly ReadChange[]): Records {
  const removed = new Set(
    changes.filter(({ action }) => action === 'remove').flatMap(({ read }) => read!.records),
  );
  const added = addedSpellings(changes.filter(({ action }) => action === 'add'));
  const spelled = new Map<string, string>();
  for (const text of before?.records ?? [])
    if (!removed.has(text)) spelled.set(text, before!.spellings[text] ?? text);
  for (const text of [...added.keys()].sort()) if (!spelled.has(text)) spelled.set(text, added.get(text)!);
  return spelledRecords(type, spelled);
}

function resolveGradual(
  type: StoredType,
  changes: readonly ReadChange[],
  before: Recordset | undefined,
): Resolution {
  const whole = gradual(type, before, changes);
  if (whole.records.length === 0) return { kind: 'resolved', after: undefined };
  const adding = changes.find(({ action }) => action === 'add');
  const asked = changes.find(({ ttl }) => ttl !== undefined);
  const ttl = asked === undefined ? (before?.ttl ?? null) : asked.ttl!;
  const after = { ...whole, ttl, description: before?.description ?? null };
  const resolution = resolvedTo(adding ?? changes[0]!, before, after);
  if (resolution.kind === 'resolved') return resolution;
  // No single change shows all of it, and which one comes first must not matter.
  const { records, description } = after;
  return { ...resolution, wanted: { ttl, records, description } };
}

function effectOf({ action }: ReadChange, before: Recordset | undefined): EffectKind {
  if (action === 'delete' || action === 'remove') return 'delete';
  if (action === 'create') return 'create';
  return before === undefined && action !== 'replace' ? 'create' : 'update';
}

function intentOf(changes: readonly ReadChange[]): Intent {
  const [first] = changes as readonly [ReadChange];
  const { name, type, action } = first;
  const faults = changes.flatMap((change) => change.faults);
  const isGradual = action === 'add' || action === 'remove';
  return {
    name,
    type,
    positions: changes.map(({ position }) => position),
    mayCreate: changes.some((one) => ['create', 'upsert', 'add'].includes(one.action)),
    resolve(before) {
      if (faults.length > 0) {
        const lead = changes.find((one) => one.action === 'add') ?? first;
        const refusal = refused(lead, effectOf(lead, before), faults);
        return changes.length > 1 ? { ...refusal, wanted: null } : refusal;
      }
      return isGradual && type !== undefined
        ? resolveGradual(type, changes, before)
        : resolveOne(first, before);
    },
  };
}

/** The intents of changes that do not conflict, one for each recordset or name. */
export async function intentsOf(
  changes: readonly ReadChange[],
  turns: TimeSlices,
): Promise<readonly Intent[]> {
  const groups = new Map<string, ReadChange[]>();
  const add = (change: ReadChange): void => addToGroup(groups, `${change.name} ${change.type ?? ''}`, change);
  await eachInTurns(changes, add, turns);
  return mapInTurns(groups.values(), intentOf, turns);
}
