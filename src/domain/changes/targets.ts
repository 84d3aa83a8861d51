/** The recordsets that a set names, before and after it. */
import { isDeepStrictEqual } from 'node:util';
import { type OwnerName, subtreeKey } from '../../dns/names.ts';
import { hostFault } from '../../dns/owner-name.ts';
import type { StoredType } from '../../dns/record-types.ts';
import {
  type Effect,
  type EffectKind,
  type RecordsetState,
  stateOf,
} from '../../model/changes/change-set.ts';
import type { ContentChange } from '../../model/changes/contents.ts';
import type { Sharees } from '../../model/changes/store.ts';
import { type Clock, notBefore } from '../../model/clock.ts';
import type { GuardrailWarning } from '../../model/guardrails/guardrail.ts';
import type { ParsedDraft, Recordset } from '../../model/recordsets/recordset.ts';
import { wildcardFault } from '../../model/recordsets/recordset-location.ts';
import { recordsetBytes } from '../../model/recordsets/size.ts';
import { allowsRecordset } from '../../model/scopes/credential-scope.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { mapInTurns, sortedInTurns } from '../../runtime/array-turns.ts';
import type { TimeSlices } from '../../runtime/cooperative-yield.ts';
import { protectionFault } from '../protection/protection.ts';
import { newRecordset } from '../recordsets/new-recordset.ts';
import { expiryOfChanged, expiryOfNew } from '../recordsets/record-lifetime.ts';
import { type SupportedTypes, typeFault } from '../recordsets/supported-types.ts';
import { byRank, type ChangeFault, pathOf, pathOfMissing } from './faults.ts';
import type { IntendedRecordset, Intent, Resolution } from './intents.ts';

/** A recordset that a set names. */
export interface PlannedEffect {
  readonly name: OwnerName;
  readonly type: StoredType | null;
  readonly positions: readonly number[];
  readonly effect: EffectKind;
  readonly before: Recordset | undefined;
  readonly after: Recordset | undefined;
  /** What the request shows, if it cannot be made. */
  readonly wanted: RecordsetState | null;
  readonly faults: readonly ChangeFault[];
  readonly warnings: readonly GuardrailWarning[];
}

/** What new recordsets need beside their data. */
export interface TargetDeps {
  readonly zone: Zone;
  readonly clock: Clock;
  /** The project that new recordsets belong to. */
  readonly creator: string;
  readonly supportedTypes: SupportedTypes;
  /** Projects that the zone is shared with, among those of recordsets that come back. */
  readonly sharees: Sharees;
  /** The latest expiry that the credential of the caller may give; undefined for no limit. */
  readonly latestExpiry: string | undefined;
}

/** Why the type is not possible at the name, in any zone. */
function meaningFaults(
  { name, type, positions }: PlannedEffect,
  supported: SupportedTypes,
): readonly ChangeFault[] {
  const position = positions[0];
  const typeMessage = typeFault(type!, supported);
  if (typeMessage !== undefined)
    return [{ kind: 'invalid_object', message: typeMessage, path: pathOf(position, 'type') }];
  const message = wildcardFault({ name, type: type! }) ?? hostFault(name, type!);
  return message === undefined ? [] : [{ kind: 'invalid_object', message, path: pathOf(position, 'name') }];
}

function isSame(before: Recordset, { ttl, description, records, spellings }: IntendedRecordset): boolean {
  return (
    before.ttl === ttl &&
    before.description === description &&
    isDeepStrictEqual(before.records, records) &&
    isDeepStrictEqual(before.spellings, spellings)
  );
}

function updated(
  before: Recordset,
  { size, ...wanted }: IntendedRecordset,
  givesRecords: boolean,
  { clock, latestExpiry: latest }: Pick<TargetDeps, 'clock' | 'latestExpiry'>,
): Recordset {
  const now = clock.now();
  const updatedAt = notBefore(now, before.createdAt, before.updatedAt);
  const bytes = recordsetBytes(before.name, size);
  const writtenAt = givesRecords ? now : undefined;
  const expiresAt = expiryOfChanged(before.expiresAt, undefined, { latest, writtenAt });
  return { ...before, ...wanted, expiresAt, bytes, version: before.version + 1, updatedAt };
}

/** A protected recordset is neither changed nor deleted. */
function protectionFaults({ effect, before, positions }: PlannedEffect): readonly ChangeFault[] {
  const message = before === undefined || effect === 'unchanged' ? undefined : protectionFault(before);
  return message === undefined ? [] : [{ kind: 'protected', message, path: pathOf(positions[0]) }];
}

function withProtection(target: PlannedEffect): PlannedEffect {
  const faults = protectionFaults(target);
  return faults.length === 0 ? target : { ...target, faults: [...target.faults, ...faults] };
}

/** The project of a recordset that comes back: its former one, while that may have it in the zone. */
function ownerOf(former: Recordset, { zone, sharees }: TargetDeps): string {
  const scope = sharees.get(former.projectId);
  const mayHave = scope !== undefined && allowsRecordset(scope, former, zone.name);
  return mayHave ? former.projectId : zone.projectId;
}

/** A new recordset, or one that comes back with its id. */
function created(draft: ParsedDraft, former: Recordset | undefined, deps: TargetDeps): Recordset {
  const { zone, clock, creator, latestExpiry } = deps;
  if (former === undefined)
    return newRecordset({ ...draft, expiresAt: expiryOfNew(null, latestExpiry) }, zone, clock, creator);
  const { id, createdAt, version, updatedAt, expiresAt } = former;
  const owner = ownerOf(former, deps);
  return {
    ...newRecordset({ ...draft, expiresAt: expiryOfNew(expiresAt, latestExpiry) }, zone, clock, owner),
    id,
    createdAt,
    version: version + 1,
    updatedAt: notBefore(clock.now(), createdAt, updatedAt),
  };
}

/** Whether writing the recordset lets it last longer: by the credential's lifetime, or because it has ended. */
function isExtended(
  { expiresAt }: Recordset,
  givesRecords: boolean,
  { clock, latestExpiry: latest }: TargetDeps,
): boolean {
  const writtenAt = givesRecords ? clock.now() : undefined;
  return expiryOfChanged(expiresAt, undefined, { latest, writtenAt }) !== expiresAt;
}

function targetFor(
  { name, positions, former }: Intent,
  type: StoredType,
  before: Recordset | undefined,
  resolution: Resolution,
  deps: TargetDeps,
): PlannedEffect {
  const common = { name, type, positions, before, wanted: null, faults: [], warnings: [] };
  if (resolution.kind === 'refused') return { ...common, ...resolution, after: undefined };
  const { after: wanted, givesRecords = false } = resolution;
  if (wanted === undefined) {
    return { ...common, effect: before === undefined ? 'unchanged' : 'delete', after: undefined };
  }
  if (before !== undefined) {
    if (isSame(before, wanted) && !isExtended(before, givesRecords, deps))
      return { ...common, effect: 'unchanged', after: before };
    return { ...common, effect: 'update', after: updated(before, wanted, givesRecords, deps) };
  }
  const after = created({ name, type, ...wanted }, former, deps);
  const target: PlannedEffect = { ...common, effect: 'create', after };
  return { ...target, faults: meaningFaults(target, deps.supportedTypes) };
}

/** A target with further faults. */
export function withFault(target: PlannedEffect, ...faults: readonly ChangeFault[]): PlannedEffect {
  if (faults.length === 0) return target;
  const { name, type, positions } = target;
  const placed =
    positions.length > 0 ? faults : faults.map((one) => ({ ...one, path: pathOfMissing(name, type) }));
  return { ...target, faults: [...target.faults, ...placed] };
}

/** The targets of an intent that deletes every recordset of a name. */
function targetsOfName(
  intent: Intent,
  here: readonly Recordset[],
  deps: TargetDeps,
): readonly PlannedEffect[] {
  const own = here.filter(({ managed }) => !managed);
  if (own.length > 0)
    return own.map((before) => targetFor(intent, before.type, before, intent.resolve(before), deps));
  const { name, positions } = intent;
  const resolution = intent.resolve(undefined);
  const faults = resolution.kind === 'refused' ? resolution.faults : [];
  return [
    {
      name,
      type: null,
      positions,
      effect: 'delete',
      before: undefined,
      after: undefined,
      wanted: null,
      faults,
      warnings: [],
    },
  ];
}

/** @param at returns the stored recordsets at a name */
export function targetsOf(
  intent: Intent,
  at: (name: OwnerName) => readonly Recordset[],
  deps: TargetDeps,
): readonly PlannedEffect[] {
  const { name, type } = intent;
  if (type === undefined) return targetsOfName(intent, at(name), deps).map(withProtection);
  const before = intent.stored ?? at(name).find((one) => one.type === type);
  return [withProtection(targetFor(intent, type, before, intent.resolve(before), deps))];
}

/** Sorts in name-tree order, then by type. */
export async function inOrder(
  targets: readonly PlannedEffect[],
  turns: TimeSlices,
): Promise<readonly PlannedEffect[]> {
  const keyOf = ({ name, type }: PlannedEffect) => `${subtreeKey(name)} ${type ?? ''}`;
  const keyed = await mapInTurns(targets, (target) => ({ key: keyOf(target), target }), turns);
  const sorted = await sortedInTurns(keyed, (one, other) => (one.key < other.key ? -1 : 1), turns);
  return mapInTurns(sorted, ({ target }) => target, turns);
}

/** What a target changes; undefined if nothing. */
export function partOf({ effect, before, after }: PlannedEffect): ContentChange | undefined {
  if (effect === 'create') return { kind: 'added', recordset: after! };
  if (effect === 'update') return { kind: 'replaced', before: before!, recordset: after! };
  return effect === 'delete' && before !== undefined ? { kind: 'removed', recordset: before } : undefined;
}

/**
 * A target as clients see it.
 * @param isMade false for a dry run, whose new recordsets have no ids
 */
export function effectShown(target: PlannedEffect, isMade: boolean): Effect {
  const { name, type, positions, effect, before, after, wanted } = target;
  const [fault] = byRank(target.faults);
  return {
    effect,
    name,
    type,
    recordsetId: (isMade ? (before ?? after) : before)?.id ?? null,
    positions,
    before: before === undefined || effect === 'create' ? null : stateOf(before),
    after: after === undefined ? wanted : stateOf(after),
    refusal: fault === undefined ? null : { kind: fault.kind, message: fault.message },
    warnings: target.warnings,
  };
}
