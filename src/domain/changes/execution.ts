/** Makes changes of several recordsets together, whatever asked for them; or shows what they would do. */
import { NOTHING_NON_ENFORCING } from '../../model/blacklists/noted.ts';
import type { ChangeOutcome } from '../../model/changes/change-set.ts';
import type { CreateOptions } from '../../model/context/options.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError } from '../../model/errors.ts';
import type { Limits } from '../../model/quotas/quota.ts';
import type { Transaction } from '../../model/store.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { TimeSlices } from '../../runtime/cooperative-yield.ts';
import { pipelined } from '../../runtime/pipelined.ts';
import { countNonEnforcing, isWarned, requireUnchanged } from '../blacklists/unchanged-blacklists.ts';
import { zoneTarget } from '../events/zone-target.ts';
import { requirePrimary } from '../recordsets/own-recordset.ts';
import { batchPlaceOf } from '../recordsets/recordset-creation.ts';
import type { Emit } from '../unit-of-work/unit-of-work.ts';
import type { UseCaseDeps } from '../unit-of-work/use-case.ts';
import { changedBy } from '../zones/change-source.ts';
import { getZone, lockZone } from '../zones/visible-zone.ts';
import { lockOwners } from '../zones/zone-changes.ts';
import { type ChangeRequest, requirePlan, requireSerial, requireVersion } from './change-request.ts';
import type { ChangeTurns } from './change-turns.ts';
import { dryRuns } from './dry-runs.ts';
import { refusalOfSet } from './faults.ts';
import { type CheckedNames, type NameDeps, nameChecks } from './names.ts';
import { outcomeOf } from './outcome.ts';
import { type ChangePlan, changePlanner, type PlannerDeps } from './planner.ts';
import type { WantedChanges } from './wanted-changes.ts';

export interface ChangeDeps extends UseCaseDeps, PlannerDeps, NameDeps {
  readonly store: UseCaseDeps['store'];
  /** Limits of projects without their own. */
  readonly quotas: Limits;
  readonly changeTurns: ChangeTurns;
}

export interface MadeChange {
  readonly outcome: ChangeOutcome;
  /** The blacklist that a name matches, if the caller may use a blacklisted name. */
  readonly bypassed?: string | undefined;
  /** True if a name matches a blacklist in `warn` mode. */
  readonly isWarned: boolean;
}

interface CheckedChange {
  readonly request: ChangeRequest;
  /** As found before the transaction. */
  readonly zone: Zone;
  readonly wanted: WantedChanges;
  readonly names: CheckedNames;
}

function made(outcome: ChangeOutcome, { admission }: ChangePlan): MadeChange {
  return { outcome, bypassed: admission?.bypassed, isWarned: admission !== undefined && isWarned(admission) };
}

/**
 * Counts a request as a write unless it is a dry run.
 * @throws DomainError `over_rate`
 */
function asDryRun(context: RequestContext, isDryRun: boolean): RequestContext {
  const { counted } = context;
  if (!isDryRun) counted?.require();
  else counted?.forget();
  return isDryRun ? { ...context, isDryRun } : context;
}

/** The steps of the transaction that makes a change. */
function changeTransaction(deps: ChangeDeps, plan: ReturnType<typeof changePlanner>) {
  const { clock, access, changes, quotas, guardrails } = deps;

  /** Locks the zone. With checked names, first locks the blacklists against changes. */
  async function lock(tx: Transaction, context: RequestContext, checked: CheckedChange): Promise<Zone> {
    const { request, zone: found, names } = checked;
    const { rule } = request;
    const held = () => lockZone(tx, access, context, rule, found.id, request);
    if (names.all === undefined) return held();
    const [present, zone] = await pipelined(tx.blacklists.hold(found.name), held());
    requireUnchanged(names.all, present, clock);
    return zone;
  }

  /** Writes the change and its event. @returns undefined if there is nothing to change */
  async function write(
    tx: Transaction,
    emit: Emit,
    zone: Zone,
    { planned, summary, admission, outcome }: ChangePlan,
  ) {
    if (planned === undefined) return undefined;
    const applied = await changes.write(tx, planned);
    const { changeId, by } = applied;
    emit({
      type: 'recordsets.changed',
      target: zoneTarget(zone),
      ...applied,
      ...outcome,
      change: { id: changeId, door: by.door, summary, description: by.description },
      allowed: { blacklistId: admission?.bypassed, noted: admission?.noted ?? NOTHING_NON_ENFORCING },
    });
    return { applied, changeId };
  }

  /** Findings count as refusals if nothing more important refuses the change. */
  function refusal({ faults, refusals }: ChangePlan, { pathRoot }: ChangeRequest): DomainError {
    const error = refusalOfSet(faults, pathRoot);
    if (error.kind === 'guardrail') guardrails.countRefused(refusals);
    return error;
  }

  /** @throws DomainError the most important fault, with all of them */
  return async (
    tx: Transaction,
    emit: Emit,
    context: RequestContext,
    checked: CheckedChange,
  ): Promise<{ readonly plan: ChangePlan; readonly outcome: ChangeOutcome }> => {
    const { request, wanted, names } = checked;
    const { options } = request;
    // A large one is started over before it has done anything.
    tx.recordsets.expect({ recordsets: wanted.rows, bytes: wanted.bytes });
    const zone = requirePrimary(await lock(tx, context, checked));
    requireSerial(zone, options);
    requireVersion(zone, request);
    const owner = (await lockOwners(tx, zone.projectId)).get(zone.projectId)!;
    const { maxDeletions, overrides, description = null } = options;
    const by = changedBy(context, request.door, description);
    const turns = new TimeSlices();
    const intents = await wanted.intentsIn(tx.planning, zone, turns);
    const found = { ...intents, names, properties: request.properties };
    const limits = { maxDeletions, overrides };
    const decided = await plan(tx.planning, { context, zone, owner, ...found, ...limits, by, turns });
    const { faults, wholeFaults } = decided;
    for (const fault of wholeFaults) faults.add(fault);
    if (faults.count > 0) throw refusal(decided, request);
    requirePlan(decided, options);
    const written = await write(tx, emit, zone, decided);
    const outcome = await outcomeOf(zone, decided, { context, owner, quotas, turns }, written);
    return { plan: decided, outcome };
  };
}

/**
 * Returns the function that makes all changes of a request, or none; with `dryRun`, it shows what they would do.
 *
 * It throws DomainError `zone_not_found`, `access_denied`, `precondition_failed`, `zone_leaving`, `secondary_zone`,
 * `too_many_reads` or `plan_outdated`, or the most important fault of a change, with all of them.
 */
export function changeExecution(deps: ChangeDeps) {
  const { store, access, unitOfWork, guardrails, ownerNames, changeTurns: turns } = deps;
  const plan = changePlanner(deps);
  const withNames = nameChecks(deps);
  const dry = dryRuns({ ...deps, plan, withNames });
  const change = changeTransaction(deps, plan);

  async function make(
    context: RequestContext,
    checked: CheckedChange,
    createOptions: CreateOptions<MadeChange>,
  ): Promise<MadeChange> {
    const { names, wanted, zone } = checked;
    const place = { ...batchPlaceOf(zone.id, names.all !== undefined), bytes: wanted.bytes };
    let decided: ChangePlan | undefined;
    const done = await unitOfWork.commitBatched(
      context,
      place,
      async (tx, emit): Promise<MadeChange> => {
        const changed = await change(tx, emit, context, checked);
        decided = changed.plan;
        return made(changed.outcome, changed.plan);
      },
      createOptions,
    );
    if (decided !== undefined) guardrails.count(decided.outcome);
    const noted = decided?.admission?.noted;
    if (ownerNames !== undefined && noted !== undefined) countNonEnforcing(ownerNames.hits, noted);
    return done;
  }

  /** What is wanted; or the quota that a dry run shows, since the rest was not read. */
  async function wantedOr(request: ChangeRequest, zone: Zone): Promise<WantedChanges | DomainError> {
    try {
      return await request.wantedOf(zone);
    } catch (error) {
      const isShown = request.options.dryRun && error instanceof DomainError && error.kind === 'over_quota';
      if (isShown) return error;
      throw error;
    }
  }

  return (
    asking: RequestContext,
    request: ChangeRequest,
    createOptions: CreateOptions<MadeChange> = {},
  ): Promise<MadeChange> => {
    const context = asDryRun(asking, request.options.dryRun);
    return unitOfWork.attempt(context, { kind: 'zone', id: request.zoneId }, async () => {
      const zone = requirePrimary(await getZone(store, access, context, request.rule, request.zoneId));
      const { dryRun: isDryRun } = request.options;
      // First, since its body may arrive slowly.
      const wanted = await wantedOr(request, zone);
      if (wanted instanceof DomainError)
        return { outcome: await dry.showRefusal(context, request, zone, wanted), isWarned: false };
      const { recordsets } = wanted;
      return turns.run({ projectId: context.projectId, isDryRun, recordsets }, async () => {
        if (isDryRun) return { outcome: await dry.show(context, request, zone, wanted), isWarned: false };
        return withNames(context, { zone, wanted, isDryRun }, (names) =>
          make(context, { request, zone, wanted, names }, createOptions),
        );
      });
    });
  };
}
