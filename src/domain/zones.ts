import { randomUUID } from 'node:crypto';
import { auditBypass, nameAdmission, type ZoneCreator } from './admission.ts';
import { type BlacklistGuard, CHANGES_TOO_FAST } from './blacklist-guard.ts';
import { type Clock, epochSeconds, notBefore } from './clock.ts';
import { DomainError } from './errors.ts';
import type { Page } from './lists.ts';
import type { Log, NameConflicts, Revision, Store, Transaction } from './ports.ts';
import { type Limits, limitsOf, requireRoom } from './quota.ts';
import { type ApexSettings, apexRecordsets, soaRdata } from './recordset.ts';
import { nextSerial } from './serial.ts';
import type { Zone, ZoneChanges, ZoneDraft, ZoneQuery, ZoneScope } from './zone.ts';

export interface ZoneSettings {
  readonly defaultTtl: number;
  readonly quotas: Limits;
  readonly apex: ApexSettings;
}

export interface CreatedZone {
  readonly zone: Zone;
  /** The id of the blacklist that the name matches, where the creator was allowed to pass it by. */
  readonly bypassed?: string | undefined;
}

/** How often a create starts again because the blacklists changed under it. */
const MOST_ATTEMPTS = 100;

function requireNoConflict(conflicts: NameConflicts): void {
  if (conflicts.foreignParent) throw new DomainError('illegal_child');
  if (conflicts.foreignChild) throw new DomainError('illegal_parent');
  if (conflicts.duplicate) throw new DomainError('duplicate_zone');
}

export interface ZoneDeps {
  store: Store;
  guard: BlacklistGuard;
  clock: Clock;
  log: Log;
  settings: ZoneSettings;
}

/** The use cases of zones. */
export function zoneUseCases(deps: ZoneDeps) {
  const { store, guard, clock, log, settings } = deps;
  const requireAdmission = nameAdmission({ guard, store, clock, log });

  function draw(draft: ZoneDraft, projectId: string): Zone {
    const createdAt = clock.now();
    return {
      id: randomUUID(),
      name: draft.name,
      projectId,
      email: draft.email,
      ttl: draft.ttl ?? settings.defaultTtl,
      serial: nextSerial(0, epochSeconds(createdAt)),
      status: 'ACTIVE',
      action: 'NONE',
      description: draft.description ?? null,
      attributes: draft.attributes ?? {},
      version: 1,
      createdAt,
      updatedAt: null,
      transferredAt: null,
    };
  }

  async function insert(tx: Transaction, zone: Zone): Promise<Zone> {
    const project = await tx.projects.addZones(zone.projectId, 1);
    requireRoom('zones', limitsOf(project, settings.quotas).zones, project.zones, 1);
    requireNoConflict(await tx.zones.conflicts(zone.name, zone.projectId));
    if (!(await tx.zones.insert(zone, apexRecordsets(zone, settings.apex)))) {
      throw new DomainError('duplicate_zone');
    }
    return zone;
  }

  /** Undefined when the blacklists are no longer as they were judged by. */
  function insertAt(judgedAt: Revision, draft: ZoneDraft, projectId: string): Promise<Zone | undefined> {
    return store.transaction(async (tx) => {
      if ((await tx.blacklists.lockRevision()) !== judgedAt) return undefined;
      return insert(tx, draw(draft, projectId));
    });
  }

  async function lockZone(tx: Transaction, id: string, scope: ZoneScope): Promise<Zone> {
    const zone = await tx.zones.lock(id, scope);
    if (zone === undefined) throw new DomainError('zone_not_found');
    return zone;
  }

  return {
    /**
     * Creates a zone. Checks in this order: blacklist, quota, zones above and below, duplicate; all but the search
     * through the patterns inside the creating transaction, which also proves that the patterns are still the same.
     */
    async create(draft: ZoneDraft, creator: ZoneCreator): Promise<CreatedZone> {
      for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
        const admission = await requireAdmission(draft.name, creator);
        const zone = await insertAt(admission.revision, draft, creator.projectId);
        if (zone === undefined) await guard.catchUp();
        else {
          if (admission.bypassed !== undefined) auditBypass(log, zone, admission.bypassed, creator);
          return { ...admission, zone };
        }
      }
      throw new DomainError('storage_unavailable', CHANGES_TOO_FAST);
    },

    async get(id: string, scope: ZoneScope): Promise<Zone> {
      const zone = await store.zones.find(id, scope);
      if (zone === undefined) throw new DomainError('zone_not_found');
      return zone;
    },

    list(query: ZoneQuery, scope: ZoneScope): Promise<Page<Zone>> {
      return store.zones.list(query, scope);
    },

    count(filters: ZoneQuery['filters'], scope: ZoneScope): Promise<number> {
      return store.zones.count(filters, scope);
    },

    update(id: string, changes: ZoneChanges, scope: ZoneScope): Promise<Zone> {
      return store.transaction(async (tx) => {
        const current = await lockZone(tx, id, scope);
        const now = clock.now();
        const changed: Zone = {
          ...current,
          ...changes,
          serial: nextSerial(current.serial, epochSeconds(now)),
          version: current.version + 1,
          updatedAt: notBefore(now, current.createdAt, current.updatedAt),
        };
        await tx.zones.update(changed, soaRdata(changed, settings.apex));
        return changed;
      });
    },

    /** Deletes a zone and what it holds, and returns it as it last was. */
    remove(id: string, scope: ZoneScope): Promise<Zone> {
      return store.transaction(async (tx) => {
        const zone = await lockZone(tx, id, scope);
        if (await tx.zones.hasChildren(zone.name)) throw new DomainError('zone_has_sub_zone');
        await tx.zones.remove(zone);
        await tx.projects.addZones(zone.projectId, -1);
        return zone;
      });
    },
  };
}

export type ZoneUseCases = ReturnType<typeof zoneUseCases>;
