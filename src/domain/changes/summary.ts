/** What the effects of a set come to. */
import type { EffectSummary } from '../../model/changes/change-set.ts';
import { eachInTurns, type TimeSlices } from '../../runtime/cooperative-yield.ts';
import { type ChangeFault, ChangeFaults, WHOLE_SET } from './faults.ts';
import type { PlannedEffect } from './targets.ts';

export async function summaryOf(targets: readonly PlannedEffect[], unchanged: number, turns: TimeSlices) {
  const summary = { create: 0, update: 0, delete: 0, unchanged };
  const faults = new ChangeFaults();
  const add = (target: PlannedEffect): void => {
    summary[target.effect] += 1;
    for (const fault of target.faults) faults.add(fault);
  };
  await eachInTurns(targets, add, turns);
  return { summary, faults };
}

export function deletionFaults({ delete: count }: EffectSummary, max = count): readonly ChangeFault[] {
  if (count <= max) return [];
  const message = `The set would delete ${count} recordsets, more than "max_deletions": ${max}. Nothing was changed.`;
  return [{ kind: 'too_many_deletions', message, path: WHOLE_SET }];
}
