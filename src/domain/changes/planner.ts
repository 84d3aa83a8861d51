/** Decides a set of changes of one zone: its effects, and everything that stands against them. Writes nothing. */
import type { OwnerName } from '../../dns/names.ts';
import type { ChangedProperties, EffectSummary } from '../../model/changes/change-set.ts';
import { type ContentChange, ContentsHead } from '../../model/changes/contents.ts';
import type { PlanningReads, Sharees } from '../../model/changes/store.ts';
import type { AppliedUpdate } from '../../model/changes/zone-change.ts';
import type { Clock } from '../../model/clock.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import type { GuardrailName } from '../../model/guardrails/guardrail.ts';
import type { ChangeSource } from '../../model/history/change-source.ts';
import type { ProjectState } from '../../model/quotas/quota.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { mapInTurns } from '../../runtime/array-turns.ts';
import { eachInTurns, type TimeSlices } from '../../runtime/cooperative-yield.ts';
import type { AccessControl } from '../access/access-control.ts';
import type { Admission } from '../blacklists/name-admission.ts';
import type { GuardrailChecks } from '../guardrails/guardrails.ts';
import { shownMisplacement } from '../recordsets/own-recordset.ts';
import { latestExpiry } from '../recordsets/record-lifetime.ts';
import type { SupportedTypes } from '../recordsets/supported-types.ts';
import { isReachedByShare, policyTarget } from '../zones/visible-zone.ts';
import type { ZoneChanges } from '../zones/zone-changes.ts';
import { digestOf } from './digest.ts';
import { type ChangeFault, type ChangeFaults, faultOf, pathOf, WHOLE_SET } from './faults.ts';
import {
  type ChangingEffects,
  changingEffects,
  guard,
  guarded,
  type SetVerdict,
  warnedBy,
} from './guarding.ts';
import type { Intent } from './intents.ts';
import { locationFaults } from './locations.ts';
import { admissionFor, type CheckedNames } from './names.ts';
import { hiddenTarget, messageOfDenial, visibleAt } from './scope-limits.ts';
import { StoredNames } from './stored-names.ts';
import { deletionFaults, summaryOf } from './summary.ts';
import { inOrder, type PlannedEffect, targetsOf, withFault } from './targets.ts';

export interface PlannerDeps {
  readonly clock: Clock;
  readonly access: AccessControl;
  readonly changes: ZoneChanges;
  readonly guardrails: GuardrailChecks;
  readonly supportedTypes: SupportedTypes;
}

export interface PlanRequest {
  readonly context: RequestContext;
  /** Locked, or of the snapshot that decides. */
  readonly zone: Zone;
  /** The state of its owner, likewise. */
  readonly owner: ProjectState;
  readonly intents: readonly Intent[];
  /** Number of recordsets that stay and that no intent names. */
  readonly unchanged: number;
  readonly names: CheckedNames;
  readonly maxDeletions?: number | undefined;
  /** Guardrails whose refusal is to pass. */
  readonly overrides?: readonly GuardrailName[] | undefined;
  /** Who changes the zone, and by which way in. */
  readonly by: ChangeSource;
  readonly turns: TimeSlices;
  /** Properties of the zone that change with its recordsets. */
  readonly properties?: ChangedProperties | undefined;
}

export interface ChangePlan extends Pick<SetVerdict, 'wholeWarnings' | 'outcome' | 'refusals'> {
  /** In name-tree order, then by type. */
  readonly targets: readonly PlannedEffect[];
  readonly summary: EffectSummary;
  /** Of all targets. */
  readonly faults: ChangeFaults;
  /** Of the whole set. */
  readonly wholeFaults: readonly ChangeFault[];
  /** Null if a fault leaves the effects undecided. */
  readonly digest: string | null;
  /** The change to write; undefined if there is nothing to change, or a quota stands against it. */
  readonly planned: AppliedUpdate | undefined;
  /** The admission of its new names, if they are checked. */
  readonly admission: Admission | undefined;
}

const RULES = {
  create: 'create_recordset',
  update: 'update_recordset',
  delete: 'delete_recordset',
} as const;

/** The projects that former owners of recordsets still share the zone with. */
async function shareesAmong(
  reads: PlanningReads,
  zone: Zone,
  intents: readonly Intent[],
  turns: TimeSlices,
): Promise<Sharees> {
  const former = new Set<string>();
  const add = (intent: Intent): void => {
    if (intent.former !== undefined) former.add(intent.former.projectId);
  };
  await eachInTurns(intents, add, turns);
  former.delete(zone.projectId);
  return former.size === 0 ? new Map() : reads.shareesAmong(zone.id, [...former]);
}

/** True if it creates the first recordset of its name. */
function isNew({ effect, name }: PlannedEffect, stored: StoredNames): boolean {
  return effect === 'create' && stored.at(name).length === 0;
}

function changesProperties({ zone, properties }: PlanRequest): boolean {
  return properties !== undefined && properties.ttl !== zone.ttl;
}

async function admissionOf({ names, turns }: PlanRequest, effects: ChangingEffects, stored: StoredNames) {
  const created = new Set<OwnerName>();
  const add = (target: PlannedEffect): void => {
    if (isNew(target, stored)) created.add(target.name);
  };
  if (names.admitted.size > 0) await eachInTurns(effects.targets, add, turns);
  return admissionFor(names, created, turns);
}

export function changePlanner(deps: PlannerDeps) {
  const { clock, access, changes, guardrails, supportedTypes } = deps;

  /** The rule for each effect, as for a single write. A missing recordset counts as the caller's own. */
  function accessFaults(context: RequestContext, zone: Zone, target: PlannedEffect): readonly ChangeFault[] {
    const { effect, before, positions, name: recordsetName, type } = target;
    if (effect === 'unchanged') return [];
    const about = { ...policyTarget(context, zone), recordsetName, recordsetType: type ?? undefined };
    const recordsetProjectId = before?.projectId ?? context.projectId;
    // Without a type there is nothing to change.
    const answer = type === null ? access.isPossible : access.allows;
    const asked = effect === 'create' ? about : { ...about, recordsetProjectId };
    if (answer(context, RULES[effect], asked)) return [];
    const message = messageOfDenial(RULES[effect], access.refusalByScope(context, RULES[effect], asked));
    return [{ kind: 'access_denied', message, path: pathOf(positions[0]) }];
  }

  async function targetsFor(reads: PlanningReads, request: PlanRequest, stored: StoredNames) {
    const { context, zone, intents, turns } = request;
    const sharees = await shareesAmong(reads, zone, intents, turns);
    const creator = isReachedByShare(context, zone) ? context.projectId : zone.projectId;
    const limits = { latestExpiry: latestExpiry(context, clock) };
    const deps = { zone, clock, creator, supportedTypes, sharees, ...limits };
    const targets: PlannedEffect[] = [];
    const at = visibleAt(context, zone, stored);
    const add = (intent: Intent): void => {
      const hidden = hiddenTarget(context, zone, intent);
      if (hidden !== undefined) targets.push(hidden);
      else
        for (const target of targetsOf(intent, at, deps))
          targets.push(withFault(target, ...accessFaults(context, zone, target)));
    };
    await eachInTurns(intents, add, turns);
    return inOrder(targets, turns);
  }

  /** What is found about targets by reading the zone. */
  async function checked(reads: PlanningReads, request: PlanRequest, stored: StoredNames) {
    const { context, zone, names, turns } = request;
    const targets = await targetsFor(reads, request, stored);
    const misplaced = await locationFaults({ reads, zone, stored, turns }, targets);
    const check = (target: PlannedEffect): PlannedEffect => {
      const misplacement = misplaced.get(target);
      const refusal = isNew(target, stored) ? names.refused.get(target.name) : undefined;
      const faults: ChangeFault[] = [];
      const path = pathOf(target.positions[0], 'name');
      if (misplacement !== undefined) {
        const message = shownMisplacement(context, zone, misplacement);
        faults.push({ kind: 'invalid_recordset_location', message, path });
      }
      if (refusal !== undefined) faults.push(faultOf(refusal, path));
      return withFault(target, ...faults);
    };
    return mapInTurns(targets, check, turns);
  }

  /** The zone after the change, or the quota that it exceeds; undefined if nothing changes. */
  async function planContents(request: PlanRequest, parts: readonly ContentChange[]) {
    if (parts.length === 0 && !changesProperties(request)) return undefined;
    const { context, zone, owner, by, turns, properties = { ttl: zone.ttl } } = request;
    const head = new ContentsHead();
    await eachInTurns(parts, (part) => head.add(part), turns);
    try {
      const owners = new Map([[zone.projectId, owner]]);
      const change = { kind: 'update', zone, properties, contents: head.over(parts), by } as const;
      return changes.plan(change, owners, context.scope);
    } catch (error) {
      return faultOf(error, WHOLE_SET);
    }
  }

  /**
   * @throws StaleRevision if names were checked too early
   * @throws DomainError `access_denied` if the caller overrides a guardrail, but may not
   */
  return async (reads: PlanningReads, request: PlanRequest): Promise<ChangePlan> => {
    const { zone, intents, maxDeletions, properties, turns } = request;
    const stored = new StoredNames(reads, zone);
    await stored.read(intents, turns);
    const found = await checked(reads, request, stored);
    const effects = await changingEffects(found, turns);
    const verdict = await guard(guardrails, reads, request, effects);
    const targets = await guarded(found, verdict, turns);
    const { summary, faults } = await summaryOf(targets, request.unchanged, turns);
    const contents = await planContents(request, effects.parts);
    const isOver = contents !== undefined && 'path' in contents;
    return {
      targets,
      summary,
      faults,
      wholeFaults: [
        ...deletionFaults(summary, maxDeletions),
        ...(isOver ? [contents] : []),
        ...verdict.wholeFaults,
      ],
      wholeWarnings: verdict.wholeWarnings,
      outcome: verdict.outcome,
      refusals: verdict.refusals,
      digest: faults.areUndecided
        ? null
        : await digestOf(zone, targets, warnedBy(verdict), turns, properties),
      planned: isOver ? undefined : contents,
      admission: await admissionOf(request, effects, stored),
    };
  };
}

export type ChangePlanner = ReturnType<typeof changePlanner>;
