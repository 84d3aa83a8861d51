import type { Happening, Target } from '../../model/event-types/event.ts';
import type { Approach } from '../../model/quotas/nearness.ts';
import { zoneTarget } from './zone-target.ts';

export function projectTarget(projectId: string): Target {
  return { kind: 'project', id: projectId };
}

/** Quota alerts of a project or a zone, as events. */
export function approachEvents(approaches: readonly Approach[], target: Target): readonly Happening[] {
  return approaches.map(({ type, ...approach }) => ({ type, target, approach }));
}

/** An event draft, followed by the quota alerts that it causes. */
export function withApproaches(happening: Happening): readonly Happening[] {
  if (!('nearness' in happening) || happening.nearness === undefined || !happening.after) return [happening];
  const { ofZone, ofProject } = happening.nearness;
  return [
    happening,
    ...approachEvents(ofProject, projectTarget(happening.after.projectId)),
    ...approachEvents(ofZone, zoneTarget(happening.after)),
  ];
}
