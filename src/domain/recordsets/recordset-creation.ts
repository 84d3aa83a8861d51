import { randomUUID } from 'node:crypto';
import type { OwnerName } from '../../dns/names.ts';
import { hostFault } from '../../dns/owner-name.ts';
import { NOTHING_NON_ENFORCING } from '../../model/blacklists/noted.ts';
import { contentsOf } from '../../model/changes/contents.ts';
import type { AppliedUpdate } from '../../model/changes/zone-change.ts';
import type { Clock } from '../../model/clock.ts';
import type { CreateOptions } from '../../model/context/options.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError, invalidObject } from '../../model/errors.ts';
import { type Limits, limitsOf, requireCapacity } from '../../model/quotas/quota.ts';
import type {
  ListedRecordset,
  ParsedDraft,
  Recordset,
  RecordsetDraft,
} from '../../model/recordsets/recordset.ts';
import {
  locationFault,
  type Surroundings,
  wildcardFault,
} from '../../model/recordsets/recordset-location.ts';
import { recordsetBytes } from '../../model/recordsets/size.ts';
import type { Store, Transaction } from '../../model/store.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { pipelined } from '../../runtime/pipelined.ts';
import type { BlacklistChecker } from '../blacklists/blacklist-checker.ts';
import type { HitCounter } from '../blacklists/hit-counter.ts';
import type { Admission, NameAdmission } from '../blacklists/name-admission.ts';
import {
  countNonEnforcing,
  createAdmitted,
  isWarned,
  requireUnchanged,
} from '../blacklists/unchanged-blacklists.ts';
import { zoneTarget } from '../events/zone-target.ts';
import { type BatchPlace, type Emit, StaleRevision } from '../unit-of-work/unit-of-work.ts';
import type { UseCaseDeps } from '../unit-of-work/use-case.ts';
import { getZone, isReachedByShare, lockZone } from '../zones/visible-zone.ts';
import { lockOwners, type ZoneChanges } from '../zones/zone-changes.ts';
import { requirePrimary, requireWritable } from './own-recordset.ts';
import { type Records, requireRecords } from './records.ts';
import { type SupportedTypes, typeFault } from './supported-types.ts';

/** The blacklist check of record names. */
export interface OwnerNameCheck {
  readonly checker: BlacklistChecker;
  readonly hits: HitCounter;
  readonly admitName: NameAdmission;
}

export interface RecordsetDeps extends UseCaseDeps {
  readonly changes: ZoneChanges;
  /** Limits of projects without their own. */
  readonly quotas: Limits;
  readonly supportedTypes: SupportedTypes;
  /** Set if the blacklists also apply to the names of records. */
  readonly ownerNames: OwnerNameCheck | undefined;
}

export interface CreatedRecordset {
  readonly recordset: ListedRecordset;
  /** The id of the blacklist that the name matches, if the caller may use a blacklisted name. */
  readonly bypassed?: string | undefined;
  /** True if the name matches a blacklist in `warn` mode. */
  readonly isWarned: boolean;
}

/**
 * A new recordset.
 * @param projectId the project it belongs to: the owner of the zone, or a project that the zone is shared with
 */
export function newRecordset(
  draft: ParsedDraft,
  zone: Zone,
  clock: Clock,
  projectId: string = zone.projectId,
): Recordset {
  return {
    id: randomUUID(),
    zoneId: zone.id,
    projectId,
    name: draft.name,
    type: draft.type,
    ttl: draft.ttl ?? null,
    records: draft.records,
    spellings: draft.spellings ?? {},
    bytes: recordsetBytes(draft.name, draft.size),
    description: draft.description ?? null,
    managed: false,
    version: 1,
    createdAt: clock.now(),
    updatedAt: null,
  };
}

/** The recordset while its change is being published. */
export function pending(
  recordset: Recordset,
  zone: Zone,
  action: 'CREATE' | 'UPDATE' | 'DELETE',
): ListedRecordset {
  return { ...recordset, zoneName: zone.name, status: 'PENDING', action };
}

/** @throws DomainError `invalid_recordset_location` */
export async function requireLocation(
  tx: Transaction,
  zone: Zone,
  recordset: Recordset,
): Promise<Surroundings> {
  const around = await tx.recordsets.surroundings(zone, recordset);
  const fault = locationFault(recordset, around);
  if (fault !== undefined) throw new DomainError('invalid_recordset_location', fault);
  return around;
}

/** @throws DomainError `invalid_object` if the type is not supported, or not allowed at the name */
function requireMeaning(asked: RecordsetDraft, supported: SupportedTypes): void {
  const unsupported = typeFault(asked.type, supported);
  if (unsupported !== undefined) throw invalidObject([{ path: ['type'], message: unsupported }]);
  const message = wildcardFault(asked) ?? hostFault(asked.name, asked.type);
  if (message !== undefined) throw invalidObject([{ path: ['name'], message }]);
}

/**
 * Returns a function that parses records after checking their number against the limits of the zone's owner. Takes no
 * lock.
 */
export function recordReader({ store, quotas }: { readonly store: Store; readonly quotas: Limits }) {
  return async (
    zone: Zone,
    { name, type, records }: Pick<RecordsetDraft, 'name' | 'type' | 'records'>,
    before: number,
  ): Promise<Records> => {
    const limits = limitsOf(await store.projects.state(zone.projectId), quotas);
    requireCapacity('recordset_records', limits.recordset_records, records.length, records.length - before);
    return requireRecords({ name, type }, records);
  };
}

/** Blacklist matches that did not block a create. */
interface OwnerNameMatches extends Pick<Admission, 'noted'> {
  readonly bypassed?: string | undefined;
}

const NO_MATCHES: OwnerNameMatches = { noted: NOTHING_NON_ENFORCING };

/** @throws StaleRevision if the name was in use when it was checked, but is no longer */
function matchesOf(admission: Admission | undefined, isNew: boolean): OwnerNameMatches {
  if (admission === undefined || !isNew) return NO_MATCHES;
  if (admission.isInUse) throw new StaleRevision();
  return admission;
}

function isNewName(name: OwnerName, { atOrAbove }: Surroundings): boolean {
  return atOrAbove.every((other) => other.name !== name);
}

function emitFor(
  emit: Emit,
  zone: Zone,
  applied: AppliedUpdate,
  { bypassed, noted }: OwnerNameMatches,
): void {
  const target = zoneTarget(zone);
  if (bypassed !== undefined)
    emit({ type: 'recordset.created_blacklisted', target, ...applied, blacklistId: bypassed });
  else if (noted.found > 0) emit({ type: 'recordset.created_noted', target, ...applied, noted });
  else emit({ type: 'recordset.created', target, ...applied });
}

/**
 * The queue for writes to the recordsets of a zone.
 * @param holdsName true if the write locks the blacklists, which are locked before any zone
 */
export function batchPlaceOf(
  zoneId: string,
  holdsName: boolean,
  records: readonly string[] = [],
): BatchPlace {
  return { lockedResource: holdsName ? `${zoneId} and its name` : zoneId, bytes: records.join('').length };
}

/** Creates single recordsets. */
export function recordsetCreation(deps: RecordsetDeps, readRecords: ReturnType<typeof recordReader>) {
  const { store, clock, access, unitOfWork, changes, supportedTypes, ownerNames } = deps;

  /**
   * Locks the zone. With an admission, first locks the blacklists against changes, and checks that it is still valid.
   */
  async function lock(
    tx: Transaction,
    context: RequestContext,
    { id, name }: Zone,
    admission: Admission | undefined,
  ): Promise<Zone> {
    if (admission === undefined) return lockZone(tx, access, context, 'create_recordset', id);
    const [present, zone] = await pipelined(
      tx.blacklists.hold(name),
      lockZone(tx, access, context, 'create_recordset', id),
    );
    requireUnchanged(admission, present, clock);
    return zone;
  }

  async function insert(
    context: RequestContext,
    draft: ParsedDraft,
    found: Zone,
    admission: Admission | undefined,
    options: CreateOptions<CreatedRecordset>,
  ): Promise<CreatedRecordset> {
    let matches = NO_MATCHES;
    const line = batchPlaceOf(found.id, admission !== undefined, draft.records);
    const created = await unitOfWork.commitBatched(
      context,
      line,
      async (tx, emit): Promise<CreatedRecordset> => {
        const zone = await lock(tx, context, found, admission);
        const creator = isReachedByShare(context, zone) ? context.projectId : zone.projectId;
        const recordset = newRecordset(draft, zone, clock, creator);
        requireWritable(recordset, zone);
        const [owners, around] = await pipelined(
          lockOwners(tx, zone.projectId),
          requireLocation(tx, zone, recordset),
        );
        matches = matchesOf(admission, isNewName(recordset.name, around));
        const contents = contentsOf({ kind: 'added', recordset });
        const applied = await changes.apply(tx, { kind: 'update', zone, properties: {}, contents }, owners);
        emitFor(emit, zone, applied, matches);
        const { bypassed } = matches;
        return { recordset: pending(recordset, zone, 'CREATE'), bypassed, isWarned: isWarned(matches) };
      },
      options,
    );
    if (ownerNames !== undefined) countNonEnforcing(ownerNames.hits, matches.noted);
    return created;
  }

  /**
   * Creates a recordset. Checks in this order: number of records, each record, blacklists, location, quotas, duplicate.
   */
  return (
    context: RequestContext,
    zoneId: string,
    asked: RecordsetDraft,
    options: CreateOptions<CreatedRecordset> = {},
  ): Promise<CreatedRecordset> =>
    unitOfWork.attempt(context, { kind: 'zone', id: zoneId }, async () => {
      const found = requirePrimary(await getZone(store, access, context, 'create_recordset', zoneId));
      requireMeaning(asked, supportedTypes);
      const draft = { ...asked, ...(await readRecords(found, asked, 0)) };
      if (ownerNames === undefined || asked.name === found.name)
        return insert(context, draft, found, undefined, options);
      const { checker, admitName } = ownerNames;
      return createAdmitted(
        checker,
        () => admitName(context, asked.name, () => store.recordsets.isInUse(zoneId, asked.name)),
        (admission) => insert(context, draft, found, admission, options),
      );
    });
}
