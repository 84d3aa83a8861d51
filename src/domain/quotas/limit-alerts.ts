import type { EventDraft } from '../../model/event-types/event.ts';
import type { Limits, ProjectState } from '../../model/quotas/quota.ts';
import { isSameNotified } from '../../model/quotas/quota.ts';
import { isTighter, quotaAlert, quotaAlertsOfZone } from '../../model/quotas/quota-thresholds.ts';
import type { Transaction } from '../../model/store.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { projectTarget, quotaAlertEvents } from '../events/quota-alerts.ts';
import { zoneTarget } from '../events/zone-target.ts';

/** A project whose limits change. Its row and the zones are locked. */
interface Changed {
  readonly state: ProjectState;
  /** The zones with the most recordsets and the most records. */
  readonly fullest: readonly Zone[];
  readonly before: Limits;
  readonly after: Limits;
}

/** The quota alerts of a limit change for the number of zones. */
function ofProject(
  tx: Transaction,
  projectId: string,
  { state, before, after }: Changed,
): readonly EventDraft[] {
  const rises = isTighter(after.zones, before.zones);
  const use = { measure: 'zones', usage: state.zones, limit: after.zones, rises } as const;
  const { notified, alerts } = quotaAlert(state.notified, use);
  if (!isSameNotified(notified, state.notified)) tx.projects.setNotified(projectId, notified);
  return quotaAlertEvents(alerts, projectTarget(projectId));
}

/** Like `ofProject`, for the sizes of a zone. The limit on its bytes is the service's, so no project can change it. */
function ofZone(tx: Transaction, zone: Zone, { before, after }: Changed): readonly EventDraft[] {
  const { notified, alerts } = quotaAlertsOfZone({
    notified: zone.notified,
    now: zone,
    limits: after,
    rises: (measure) => measure !== 'max_zone_size' && isTighter(after[measure], before[measure]),
  });
  if (notified !== zone.notified) tx.zones.setNotified(zone.id, notified);
  return quotaAlertEvents(alerts, zoneTarget(zone));
}

/** The quota alerts of a limit change: for the project, and for its fullest zones. */
export function quotaAlertsOf(tx: Transaction, projectId: string, changed: Changed): readonly EventDraft[] {
  const { fullest } = changed;
  const [most, next] = fullest;
  const zones =
    most === undefined || next === undefined || most.id === next.id ? fullest.slice(0, 1) : fullest;
  return [...ofProject(tx, projectId, changed), ...zones.flatMap((zone) => ofZone(tx, zone, changed))];
}
