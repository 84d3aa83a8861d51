import type { AppliedChange } from '../../model/changes/zone-change.ts';
import { isSameNotified, type Limits, limitsOf, type ProjectState } from '../../model/quotas/quota.ts';
import { quotaAlert, quotaAlertsOfZone, type ThresholdState } from '../../model/quotas/quota-thresholds.ts';
import { NOTHING } from '../../model/zones/totals.ts';
import type { Zone } from '../../model/zones/zone.ts';

const FAR: ThresholdState = { ofProject: [], ofZone: [] };

interface UsageBounds {
  /** Missing if nothing grows. */
  readonly owner: ProjectState | undefined;
  readonly quotas: Limits;
  readonly maxZoneSize: number;
}

function ofZone(after: Zone, held: Zone | undefined, limits: Limits | undefined, maxZoneSize: number) {
  const before = held ?? NOTHING;
  return quotaAlertsOfZone({
    notified: held?.notified ?? '',
    now: after,
    limits: { ...limits, max_zone_size: maxZoneSize },
    rises: (_, size) => after[size] > before[size],
  });
}

function ofOwner(owner: ProjectState, limit: number): Pick<ThresholdState, 'ofProject' | 'notified'> {
  const use = { measure: 'zones', usage: owner.zones + 1, limit, rises: true } as const;
  const { notified, alerts } = quotaAlert(owner.notified, use);
  return { ofProject: alerts, ...(isSameNotified(notified, owner.notified) ? {} : { notified }) };
}

/** Adds the quota alerts that a change causes. For a new owner, the whole zone is growth. */
export function withQuotaThresholds<Change extends AppliedChange>(
  change: Change,
  { owner, quotas, maxZoneSize }: UsageBounds,
): Change {
  const { before, after } = change;
  if (after === undefined) return change;
  const held = before?.projectId === after.projectId ? before : undefined;
  const limits = owner && limitsOf(owner, quotas);
  const { notified, alerts } = ofZone(after, held, limits, maxZoneSize);
  const isNew = held === undefined && owner !== undefined && limits !== undefined;
  const thresholds = { ...FAR, ...(isNew ? ofOwner(owner, limits.zones) : {}), ofZone: alerts };
  return { ...change, after: notified === after.notified ? after : { ...after, notified }, thresholds };
}
