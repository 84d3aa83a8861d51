import type { Happening } from '../../model/event-types/event.ts';
import { approach, approachOfZone, isTighter } from '../../model/quotas/nearness.ts';
import type { Limits, ProjectState } from '../../model/quotas/quota.ts';
import { isSameTold } from '../../model/quotas/told.ts';
import type { Transaction } from '../../model/store.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { approachEvents, projectTarget } from '../events/approaches.ts';
import { zoneTarget } from '../events/zone-target.ts';

/** A project whose limits change. Its row and the zones are locked. */
interface Changed {
  readonly state: ProjectState;
  /** The zones with the most recordsets and the most records. */
  readonly fullest: readonly Zone[];
  readonly before: Limits;
  readonly after: Limits;
}

/** What a change of limits tells of the number of zones. */
function ofProject(
  tx: Transaction,
  projectId: string,
  { state, before, after }: Changed,
): readonly Happening[] {
  const rises = isTighter(after.zones, before.zones);
  const use = { measure: 'zones', usage: state.zones, limit: after.zones, rises } as const;
  const { told, approaches } = approach(state.told, use);
  if (!isSameTold(told, state.told)) tx.projects.setTold(projectId, told);
  return approachEvents(approaches, projectTarget(projectId));
}

/** The same of the sizes of a zone; of its bytes the limit is the service's. */
function ofZone(tx: Transaction, zone: Zone, { before, after }: Changed): readonly Happening[] {
  const { told, approaches } = approachOfZone({
    told: zone.told,
    now: zone,
    limits: after,
    rises: (measure) => measure !== 'max_zone_size' && isTighter(after[measure], before[measure]),
  });
  if (told !== zone.told) tx.zones.setTold(zone.id, told);
  return approachEvents(approaches, zoneTarget(zone));
}

/** What a change of limits tells: of the zones, and of the fullest zone. */
export function approachesOf(tx: Transaction, projectId: string, changed: Changed): readonly Happening[] {
  const { fullest } = changed;
  const [most, next] = fullest;
  const zones =
    most === undefined || next === undefined || most.id === next.id ? fullest.slice(0, 1) : fullest;
  return [...ofProject(tx, projectId, changed), ...zones.flatMap((zone) => ofZone(tx, zone, changed))];
}
