/** Updates the counters and quota alerts of projects after changes of zones. */

import type { AppliedChange, AppliedCreation } from '../../model/changes/zone-change.ts';
import type { ProjectGrowth } from '../../model/quotas/store.ts';
import type { Transaction } from '../../model/store.ts';
import type { Zone } from '../../model/zones/zone.ts';

/** The growth of each project whose counters a change may affect. */
function growthByProject({ before, after }: AppliedChange): ReadonlyMap<string, Required<ProjectGrowth>> {
  const growth = new Map<string, Required<ProjectGrowth>>();
  const add = (zone: Zone | undefined, sign: 1 | -1): void => {
    if (zone === undefined) return;
    const { zones, recordsets } = growth.get(zone.projectId) ?? { zones: 0, recordsets: 0 };
    growth.set(zone.projectId, { zones: zones + sign, recordsets: recordsets + sign * zone.recordsets });
  };
  add(before, -1);
  add(after, 1);
  return growth;
}

/** Stores which quota alerts the owner has received for its number of zones. */
function storeNotified(tx: Transaction, { after, thresholds }: AppliedChange): void {
  if (after !== undefined && thresholds?.notified !== undefined)
    tx.projects.setNotified(after.projectId, thresholds.notified);
}

export function growProjects(tx: Transaction, applied: AppliedChange): void {
  if (applied.kind === 'correction') return;
  for (const [projectId, growth] of growthByProject(applied)) {
    if (growth.zones !== 0 || growth.recordsets !== 0) tx.projects.grow(projectId, growth);
  }
  storeNotified(tx, applied);
}

/** Like `growProjects`, for new zones without contents. */
export function growTogether(tx: Transaction, planned: readonly AppliedCreation[]): void {
  const grown = new Map<string, number>();
  for (const { after } of planned) grown.set(after.projectId, (grown.get(after.projectId) ?? 0) + 1);
  tx.projects.growTogether(grown);
  for (const one of planned) storeNotified(tx, one);
}
