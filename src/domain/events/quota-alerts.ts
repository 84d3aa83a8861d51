import type { EventDraft, Target } from '../../model/event-types/event.ts';
import type { Approach } from '../../model/quotas/nearness.ts';
import { zoneTarget } from './zone-target.ts';

export function projectTarget(projectId: string): Target {
  return { kind: 'project', id: projectId };
}

/** Quota alerts of a project or a zone, as events. */
export function quotaAlertEvents(approaches: readonly Approach[], target: Target): readonly EventDraft[] {
  return approaches.map(({ type, ...approach }) => ({ type, target, approach }));
}

/** An event draft, followed by the quota alerts that it causes. */
export function withQuotaAlerts(happening: EventDraft): readonly EventDraft[] {
  if (!('nearness' in happening) || happening.nearness === undefined || !happening.after) return [happening];
  const { ofZone, ofProject } = happening.nearness;
  return [
    happening,
    ...quotaAlertEvents(ofProject, projectTarget(happening.after.projectId)),
    ...quotaAlertEvents(ofZone, zoneTarget(happening.after)),
  ];
}
