import { hasHiddenRecordsets } from '../../model/access/scope.ts';
import type { ChangeOutcome, ChangeRefusal, UsageChange } from '../../model/changes/change-set.ts';
import type { AppliedUpdate } from '../../model/changes/zone-change.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import type { DomainError } from '../../model/errors.ts';
import { type Limits, limitsOf, type ProjectState } from '../../model/quotas/quota.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { mapInTurns } from '../../runtime/array-turns.ts';
import type { TimeSlices } from '../../runtime/cooperative-yield.ts';
import { byRank, type ChangeFault } from './faults.ts';
import type { ChangePlan } from './planner.ts';
import { effectShown, type PlannedEffect } from './targets.ts';

/** Maximum number of recordsets listed, and about how many bytes of records; the others are counted. */
const MAX_LISTED = 1000;
const BYTES_LISTED = 4 * 1024 * 1024;

/** Undefined if a scope of the caller hides what else is in the zone: it must not be counted. */
function usageOf(
  zone: Zone,
  after: Zone,
  { owner, quotas, context }: Omit<OutcomeScope, 'turns'>,
): ChangeOutcome['usage'] {
  if (hasHiddenRecordsets(context.scope, zone)) return undefined;
  const limits = limitsOf(owner, quotas);
  const change = (counter: 'recordsets' | 'records', limit: number): UsageChange => {
    return { before: zone[counter], after: after[counter], limit };
  };
  return {
    zone_recordsets: change('recordsets', limits.zone_recordsets),
    zone_records: change('records', limits.zone_records),
  };
}

function refusalShown(faults: readonly ChangeFault[]): ChangeRefusal | null {
  const [first] = byRank(faults);
  return first === undefined ? null : { kind: first.kind, message: first.message };
}

/** The status of a plan that is not written. */
function statusOf({ faults, wholeFaults, planned }: ChangePlan): ChangeOutcome['status'] {
  if (faults.count + wholeFaults.length > 0) return 'REFUSED';
  return planned === undefined ? 'UNCHANGED' : 'PLANNED';
}

/** How many of the first targets are listed. */
function listedOf(targets: readonly PlannedEffect[]): number {
  let bytes = 0;
  const end = targets.slice(0, MAX_LISTED).findIndex(({ before, after }) => {
    bytes += (before?.bytes ?? 0) + (after?.bytes ?? 0);
    return bytes > BYTES_LISTED;
  });
  return end === -1 ? Math.min(targets.length, MAX_LISTED) : end;
}

/** What an outcome needs beside the plan. */
export interface OutcomeScope {
  readonly context: Pick<RequestContext, 'scope'>;
  readonly owner: ProjectState;
  /** Limits of projects without their own. */
  readonly quotas: Limits;
  readonly turns: TimeSlices;
}

/** What a dry run shows whose request cannot fit into the zone, so that it was not compared. */
export function outcomeRefused(
  zone: Zone,
  { kind, message }: DomainError,
  scope: Omit<OutcomeScope, 'turns'>,
): ChangeOutcome {
  return {
    zoneId: zone.id,
    changeId: null,
    status: 'REFUSED',
    plan: null,
    fromSerial: zone.serial,
    toSerial: null,
    summary: { create: 0, update: 0, delete: 0, unchanged: 0 },
    effects: [],
    omitted: 0,
    refusal: { kind, message },
    warnings: [],
    usage: usageOf(zone, zone, scope),
  };
}

/** What a plan comes to. @param made the change as written, and its id; undefined if nothing was written */
export async function outcomeOf(
  zone: Zone,
  plan: ChangePlan,
  scope: OutcomeScope,
  made?: { readonly applied: AppliedUpdate; readonly changeId: string },
): Promise<ChangeOutcome> {
  const listed = listedOf(plan.targets);
  const after = made?.applied.after ?? plan.planned?.after ?? zone;
  const status = made === undefined ? statusOf(plan) : 'PENDING';
  const serial = status === 'UNCHANGED' ? zone.serial : null;
  return {
    zoneId: zone.id,
    changeId: made?.changeId ?? null,
    status,
    plan: plan.digest,
    fromSerial: zone.serial,
    toSerial: made?.applied.after.serial ?? serial,
    summary: plan.summary,
    effects: await mapInTurns(
      plan.targets.slice(0, listed),
      (target) => effectShown(target, made !== undefined),
      scope.turns,
    ),
    omitted: plan.targets.length - listed,
    refusal: refusalShown(plan.wholeFaults),
    warnings: plan.wholeWarnings,
    usage: usageOf(zone, after, scope),
  };
}
