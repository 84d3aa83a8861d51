/** Shows what changes would do: decides them on one snapshot, and writes nothing. */
import type { ChangeOutcome } from '../../model/changes/change-set.ts';
import type { PlanningReads } from '../../model/changes/store.ts';
import { requirePrecondition } from '../../model/context/options.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import type { DomainError } from '../../model/errors.ts';
import type { Limits } from '../../model/quotas/quota.ts';
import type { Store } from '../../model/store.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { TimeSlices } from '../../runtime/cooperative-yield.ts';
import type { AccessControl } from '../access/access-control.ts';
import { requirePrimary } from '../recordsets/own-recordset.ts';
import { changedBy } from '../zones/change-source.ts';
import { policyTarget, requireSeen, requireStaying } from '../zones/visible-zone.ts';
import { type ChangeRequest, requirePlan, requireSerial, requireVersion } from './change-request.ts';
import type { CheckedNames, NameChecks } from './names.ts';
import { outcomeOf, outcomeRefused } from './outcome.ts';
import type { ChangePlanner } from './planner.ts';
import type { WantedChanges } from './wanted-changes.ts';

interface DryRunDeps {
  readonly store: Pick<Store, 'planning' | 'projects'>;
  readonly access: AccessControl;
  /** Limits of projects without their own. */
  readonly quotas: Limits;
  readonly plan: ChangePlanner;
  readonly withNames: NameChecks;
}

interface WantedEffects {
  readonly wanted: WantedChanges;
  readonly names: CheckedNames;
}

export function dryRuns({ store, access, quotas, plan, withNames }: DryRunDeps) {
  async function decide(
    context: RequestContext,
    request: ChangeRequest,
    reads: PlanningReads,
    { wanted, names }: WantedEffects,
  ): Promise<ChangeOutcome> {
    const { zoneId, rule, options, door, properties } = request;
    const zone = requireSeen(await reads.zone(zoneId, context.scope));
    access.require(context, rule, policyTarget(context, zone));
    requirePrecondition(request, zone);
    requirePrimary(requireStaying(zone));
    requireSerial(zone, options);
    requireVersion(zone, request);
    const owner = await reads.projectState(zone.projectId);
    const { maxDeletions, overrides } = options;
    const by = changedBy(context, door, options.description ?? null);
    const turns = new TimeSlices(context.projectId);
    const found = { ...(await wanted.intentsIn(reads, zone, turns)), names, properties };
    const planned = await plan(reads, { context, zone, owner, ...found, maxDeletions, overrides, by, turns });
    requirePlan(planned, options);
    return outcomeOf(zone, planned, { context, owner, quotas, turns });
  }

  return {
    /** @param zone as found before the snapshot */
    show: (
      context: RequestContext,
      request: ChangeRequest,
      zone: Zone,
      wanted: WantedChanges,
    ): Promise<ChangeOutcome> =>
      withNames(context, { zone, wanted, isDryRun: true }, (names) =>
        store.planning.atOneState((reads) => decide(context, request, reads, { wanted, names })),
      ),

    /**
     * Shows the quota that a request exceeds by so much that it was not read to its end.
     * @throws DomainError `plan_outdated` if the request is held to a plan
     */
    async showRefusal(
      context: RequestContext,
      request: ChangeRequest,
      zone: Zone,
      refusal: DomainError,
    ): Promise<ChangeOutcome> {
      requirePrecondition(request, zone);
      requireSerial(requireStaying(zone), request.options);
      requirePlan({ digest: null }, request.options);
      const owner = await store.projects.state(zone.projectId);
      return outcomeRefused(zone, refusal, { context, owner, quotas });
    },
  };
}
