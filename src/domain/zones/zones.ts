import type { Scope } from '../access/scope.ts';
import { DomainError } from '../errors.ts';
import type { Page } from '../lists.ts';
import { soaRdata } from './apex.ts';
import type { Zone, ZoneChanges, ZoneQuery } from './zone.ts';
import { lockZone, steppedZone } from './zone-change.ts';
import { type ZoneDeps, zoneCreation } from './zone-creation.ts';

/** The use cases of zones. */
export function zoneUseCases(deps: ZoneDeps) {
  const { store, clock, settings } = deps;

  return {
    create: zoneCreation(deps),

    async get(id: string, scope: Scope): Promise<Zone> {
      const zone = await store.zones.find(id, scope);
      if (zone === undefined) throw new DomainError('zone_not_found');
      return zone;
    },

    list(query: ZoneQuery, scope: Scope): Promise<Page<Zone>> {
      return store.zones.list(query, scope);
    },

    count(filters: ZoneQuery['filters'], scope: Scope): Promise<number> {
      return store.zones.count(filters, scope);
    },

    update(id: string, changes: ZoneChanges, scope: Scope): Promise<Zone> {
      return store.transaction(async (tx) => {
        const current = await lockZone(tx, id, scope);
        const changed = steppedZone(current, changes, clock.now());
        await tx.zones.update(changed, soaRdata(changed, settings.apex));
        return changed;
      });
    },

    /** Deletes a zone and what it holds, and returns it as it last was. */
    remove(id: string, scope: Scope): Promise<Zone> {
      return store.transaction(async (tx) => {
        const zone = await lockZone(tx, id, scope);
        if (await tx.zones.hasChildren(zone.name)) throw new DomainError('zone_has_sub_zone');
        await tx.recordsets.removeAll(zone.id);
        await tx.zones.remove(zone);
        await tx.projects.grow(zone.projectId, { zones: -1, recordsets: -zone.recordsets });
        return zone;
      });
    },
  };
}

export type ZoneUseCases = ReturnType<typeof zoneUseCases>;
