import type { Target } from '../events/event.ts';
import type { Zone } from './zone.ts';

/** A zone as events name it. */
export function zoneTarget({ id, name, projectId }: Pick<Zone, 'id' | 'name' | 'projectId'>): Target {
  return { kind: 'zone', id, name, projectId };
}
