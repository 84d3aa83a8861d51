import { hostFault } from '../../dns/owner-name.ts';
import { contentsOf } from '../../model/changes/contents.ts';
import type { CreateOptions } from '../../model/context/options.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError, invalidObject } from '../../model/errors.ts';
import { NO_FINDINGS } from '../../model/guardrails/guardrail.ts';
import type { Limits } from '../../model/quotas/quota.ts';
import type { Recordset, RecordsetDraft } from '../../model/recordsets/recordset.ts';
import {
  locationFault,
  type Surroundings,
  wildcardFault,
} from '../../model/recordsets/recordset-location.ts';
import type { Transaction } from '../../model/store.ts';
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
import type { GuardedOptions, GuardrailChecks } from '../guardrails/guardrails.ts';
import type { BatchPlace } from '../unit-of-work/unit-of-work.ts';
import type { UseCaseDeps } from '../unit-of-work/use-case.ts';
import { changedBy } from '../zones/change-source.ts';
import { isReachedByShare, requireStaying } from '../zones/visible-zone.ts';
import { lockOwners, type ZoneChanges } from '../zones/zone-changes.ts';
import { newRecordset } from './new-recordset.ts';
import {
  protectionOf,
  requireCreatable,
  requireFuture,
  requirePrimary,
  requireWritable,
  shownMisplacement,
} from './own-recordset.ts';
import { emitCreated, isNewName, matchesOf, NO_MATCHES } from './owner-name-matches.ts';
import { expiryOfNew, latestExpiry } from './record-lifetime.ts';
import type { Records, recordReader } from './records.ts';
import { type SupportedTypes, typeFault } from './supported-types.ts';
import { pending, type WrittenRecordset, written } from './written-recordset.ts';

/** The blacklist check of record names. */
export interface OwnerNameCheck {
  readonly checker: BlacklistChecker;
  readonly hits: HitCounter;
  readonly admitName: NameAdmission;
}

export interface RecordsetDeps extends UseCaseDeps {
  readonly changes: ZoneChanges;
  readonly guardrails: GuardrailChecks;
  /** Limits of projects without their own. */
  readonly quotas: Limits;
  readonly supportedTypes: SupportedTypes;
  /** Set if the blacklists also apply to the names of records. */
  readonly ownerNames: OwnerNameCheck | undefined;
}

export interface CreatedRecordset extends WrittenRecordset {
  /** The id of the blacklist that the name matches, if the caller may use a blacklisted name. */
  readonly bypassed?: string | undefined;
  /** True if the name matches a blacklist in `warn` mode. */
  readonly isWarned: boolean;
}

/** @throws DomainError `invalid_recordset_location` */
export async function requireLocation(
  tx: Transaction,
  context: RequestContext,
  zone: Zone,
  recordset: Recordset,
): Promise<Surroundings> {
  const around = await tx.recordsets.surroundings(zone, recordset);
  const message = locationFault(recordset, around);
  if (message === undefined) return around;
  const misplacement = { message, childZone: around.childZone };
  throw new DomainError('invalid_recordset_location', shownMisplacement(context, zone, misplacement));
}

/** @throws DomainError `invalid_object` if the type is not supported, or not allowed at the name */
function requireMeaning(asked: RecordsetDraft, supported: SupportedTypes): void {
  const unsupported = typeFault(asked.type, supported);
  if (unsupported !== undefined) throw invalidObject([{ path: ['type'], message: unsupported }]);
  const message = wildcardFault(asked) ?? hostFault(asked.name, asked.type);
  if (message !== undefined) throw invalidObject([{ path: ['name'], message }]);
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
  const { store, clock, access, unitOfWork, changes, guardrails, supportedTypes, ownerNames } = deps;

  /**
   * Locks the zone. With an admission, first locks the blacklists against changes, and checks that it is still valid.
   */
  async function lock(
    tx: Transaction,
    context: RequestContext,
    { id, name }: Zone,
    asked: RecordsetDraft,
    admission: Admission | undefined,
  ): Promise<Zone> {
    const held = async () =>
      requireStaying(requireCreatable(access, context, await tx.zones.lock(id, context.scope), asked));
    if (admission === undefined) return held();
    const [present, zone] = await pipelined(tx.blacklists.hold(name), held());
    requireUnchanged(admission, present, clock);
    return zone;
  }

  async function insert(
    context: RequestContext,
    asked: RecordsetDraft & Records,
    found: Zone,
    admission: Admission | undefined,
    options: CreateOptions<CreatedRecordset> & GuardedOptions,
  ): Promise<CreatedRecordset> {
    let matches = NO_MATCHES;
    let outcome = NO_FINDINGS;
    const line = batchPlaceOf(found.id, admission !== undefined, asked.records);
    const created = await unitOfWork.commitBatched(
      context,
      line,
      async (tx, emit): Promise<CreatedRecordset> => {
        const zone = await lock(tx, context, found, asked, admission);
        const creator = isReachedByShare(context, zone) ? context.projectId : zone.projectId;
        const protection = protectionOf(access, context, { zone }, asked.protection);
        const recordset = newRecordset(
          { ...asked, protection, expiresAt: expiryOfNew(asked.expiresAt, latestExpiry(context, clock)) },
          zone,
          clock,
          creator,
        );
        requireWritable(recordset, zone);
        const part = { kind: 'added', recordset } as const;
        const [owners, around, verdict] = await pipelined(
          lockOwners(tx, zone.projectId),
          requireLocation(tx, context, zone, recordset),
          guardrails.check(tx, context, { zone, parts: [part] }, options),
        );
        matches = matchesOf(admission, isNewName(recordset.name, around));
        const change = { zone, properties: {}, contents: contentsOf(part), by: changedBy(context) };
        const applied = await changes.apply(tx, { kind: 'update', ...change }, owners, context.scope);
        outcome = guardrails.requirePassed(verdict);
        emitCreated(emit, zone, { ...applied, ...outcome }, matches);
        const { bypassed } = matches;
        const made = written(pending(recordset, zone, 'CREATE'), applied, outcome);
        return { ...made, bypassed, isWarned: isWarned(matches) };
      },
      options,
    );
    guardrails.count(outcome);
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
    options: CreateOptions<CreatedRecordset> & GuardedOptions = {},
  ): Promise<CreatedRecordset> =>
    unitOfWork.attempt(context, { kind: 'zone', id: zoneId }, async () => {
      const seen = await store.zones.find(zoneId, context.scope);
      const zone = requireCreatable(access, context, seen, asked);
      protectionOf(access, context, { zone }, asked.protection);
      const found = requirePrimary(zone);
      requireFuture(asked, clock);
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
