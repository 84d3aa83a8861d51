import type { Target } from '../../model/event-types/event.ts';
import type { Zone } from '../../model/zones/zone.ts';

/** A zone as an event target. */
export function zoneTarget({ id, name, projectId }: Pick<Zone, 'id' | 'name' | 'projectId'>): Target {
  return { kind: 'zone', id, name, projectId };
}
