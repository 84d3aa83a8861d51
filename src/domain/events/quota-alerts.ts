import type { EventDraft, Target } from '../../model/event-types/event.ts';
import type { QuotaAlert } from '../../model/quotas/quota-thresholds.ts';
import { zoneTarget } from './zone-target.ts';

export function projectTarget(projectId: string): Target {
  return { kind: 'project', id: projectId };
}

/** Quota alerts of a project or a zone, as events. */
export function quotaAlertEvents(alerts: readonly QuotaAlert[], target: Target): readonly EventDraft[] {
  return alerts.map(({ type, ...approach }) => ({ type, target, approach }));
}

/** An event draft, followed by the quota alerts that it causes. */
export function withQuotaAlerts(draft: EventDraft): readonly EventDraft[] {
  if (!('thresholds' in draft) || draft.thresholds === undefined || !draft.after) return [draft];
  const { ofZone, ofProject } = draft.thresholds;
  return [
    draft,
    ...quotaAlertEvents(ofProject, projectTarget(draft.after.projectId)),
    ...quotaAlertEvents(ofZone, zoneTarget(draft.after)),
  ];
}
