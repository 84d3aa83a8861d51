/** What the guardrails make of a set: faults and warnings, each beside the recordset that it concerns. */
import type { ContentChange } from '../../model/changes/contents.ts';
import type { PlanningReads } from '../../model/changes/store.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import {
  type GuardrailFinding,
  type GuardrailName,
  type GuardrailOutcome,
  type GuardrailWarning,
  NO_FINDINGS,
} from '../../model/guardrails/guardrail.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { mapInTurns } from '../../runtime/array-turns.ts';
import { eachInTurns, type TimeSlices } from '../../runtime/cooperative-yield.ts';
import { groupBy } from '../../runtime/group-by.ts';
import type { GuardrailChecks } from '../guardrails/guardrails.ts';
import { type ChangeFault, pathOf, WHOLE_SET } from './faults.ts';
import { type PlannedEffect, partOf, withFault } from './targets.ts';

/** The effects that change something, and what each of them changes. */
export interface ChangingEffects {
  readonly targets: readonly PlannedEffect[];
  readonly parts: readonly ContentChange[];
}

export interface SetVerdict {
  /** Faults and warnings of single effects. */
  readonly faults: ReadonlyMap<PlannedEffect, readonly ChangeFault[]>;
  readonly warnings: ReadonlyMap<PlannedEffect, readonly GuardrailWarning[]>;
  readonly wholeFaults: readonly ChangeFault[];
  /** Warnings about the whole set. */
  readonly wholeWarnings: readonly GuardrailWarning[];
  /** The findings that refuse the set. */
  readonly refusals: readonly GuardrailFinding[];
  /** All warnings, and the guardrails that are overridden. */
  readonly outcome: GuardrailOutcome;
}

const NOTHING: SetVerdict = {
  faults: new Map(),
  warnings: new Map(),
  wholeFaults: [],
  wholeWarnings: [],
  refusals: [],
  outcome: NO_FINDINGS,
};

export async function changingEffects(
  all: readonly PlannedEffect[],
  turns: TimeSlices,
): Promise<ChangingEffects> {
  const targets: PlannedEffect[] = [];
  const parts: ContentChange[] = [];
  const add = (target: PlannedEffect): void => {
    const part = target.faults.length === 0 ? partOf(target) : undefined;
    if (part === undefined) return;
    targets.push(target);
    parts.push(part);
  };
  await eachInTurns(all, add, turns);
  return { targets, parts };
}

/** The findings by effect; undefined for those of the whole set. */
function byEffect(findings: readonly GuardrailFinding[], { targets }: ChangingEffects) {
  return groupBy(findings, ({ part }) => (part === undefined ? undefined : targets[part]!));
}

function faultOfFinding({ message, guardrail }: GuardrailFinding, path: ChangeFault['path']): ChangeFault {
  return {
    kind: 'guardrail',
    message: `${message} To do it nevertheless, override ${guardrail}.`,
    path,
    details: { guardrails: [guardrail] },
  };
}

const shown = ({ guardrail, message }: GuardrailFinding): GuardrailWarning => ({ guardrail, message });

interface GuardedSet {
  readonly context: RequestContext;
  readonly zone: Zone;
  readonly overrides?: readonly GuardrailName[] | undefined;
  readonly turns: TimeSlices;
}

/** @throws DomainError `access_denied` if the caller overrides what it may not */
export async function guard(
  guardrails: GuardrailChecks,
  reads: PlanningReads,
  { context, zone, overrides = [], turns }: GuardedSet,
  effects: ChangingEffects,
): Promise<SetVerdict> {
  if (effects.parts.length === 0) return NOTHING;
  const change = { zone, parts: effects.parts, isSet: true };
  const findings = await guardrails.find(reads, context, change, turns);
  if (findings.length === 0) return NOTHING;
  const { refusals, outcome } = guardrails.decide(context, zone, findings, overrides);
  const refused = byEffect(refusals, effects);
  const isRefused = new Set(refusals);
  const passed = byEffect(
    findings.filter((one) => !isRefused.has(one)),
    effects,
  );
  const faults = new Map<PlannedEffect, readonly ChangeFault[]>();
  for (const [target, found] of refused) {
    if (target !== undefined)
      faults.set(
        target,
        found.map((one) => faultOfFinding(one, pathOf(target.positions[0]!))),
      );
  }
  const warnings = new Map<PlannedEffect, readonly GuardrailWarning[]>();
  for (const [target, found] of passed) if (target !== undefined) warnings.set(target, found.map(shown));
  return {
    faults,
    warnings,
    wholeFaults: (refused.get(undefined) ?? []).map((one) => faultOfFinding(one, WHOLE_SET)),
    wholeWarnings: (passed.get(undefined) ?? []).map(shown),
    refusals,
    outcome,
  };
}

/** The names of the guardrails that warn. */
export function warnedBy({ outcome }: SetVerdict): readonly string[] {
  return outcome.warnings.map(({ guardrail }) => guardrail);
}

/** The targets with what the guardrails say of them. */
export async function guarded(
  targets: readonly PlannedEffect[],
  { faults, warnings }: SetVerdict,
  turns: TimeSlices,
) {
  if (faults.size + warnings.size === 0) return targets;
  const withVerdict = (target: PlannedEffect): PlannedEffect => {
    const found = warnings.get(target);
    const warned = found === undefined ? target : { ...target, warnings: found };
    return withFault(warned, ...(faults.get(target) ?? []));
  };
  return mapInTurns(targets, withVerdict, turns);
}
