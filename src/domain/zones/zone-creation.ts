import { randomUUID } from 'node:crypto';
import { type BlacklistGuard, CHANGES_TOO_FAST } from '../blacklists/blacklist-guard.ts';
import {
  type Admission,
  auditBypass,
  nameAdmission,
  type ZoneCreator,
} from '../blacklists/name-admission.ts';
import type { Revision } from '../blacklists/store.ts';
import { type Clock, epochSeconds } from '../clock.ts';
import { DomainError } from '../errors.ts';
import { createIn, type Once } from '../idempotency/once.ts';
import type { Log } from '../log.ts';
import { type Limits, limitsOf, requireRoom } from '../quotas/quota.ts';
import type { Recordset, RecordsetDraft } from '../recordsets/recordset.ts';
import type { Store, Transaction } from '../store.ts';
import { together } from '../together.ts';
import {
  requireOutsideChildZones,
  requireRoomForContents,
  type ZoneContents,
} from '../zone-files/zone-contents.ts';
import { type ApexSettings, apexRecordsets } from './apex.ts';
import { firstSerial, nextSerial } from './serial.ts';
import type { NameConflicts } from './store.ts';
import type { Zone, ZoneDraft } from './zone.ts';

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

/** What a zone is created with, and what else belongs into the creating transaction. */
export interface Filling {
  readonly contents: ZoneContents;
  also(tx: Transaction, zone: Zone): Promise<void>;
}

export interface CreateOptions {
  /** None: an empty zone. */
  readonly filling?: Filling;
  readonly once?: Once<CreatedZone> | undefined;
}

/** How often a create starts again because the blacklists changed under it. */
const MOST_ATTEMPTS = 100;
/** How many recordsets are made and stored at a time. */
const BATCH = 500;

export interface ZoneDeps {
  store: Store;
  guard: BlacklistGuard;
  clock: Clock;
  log: Log;
  settings: ZoneSettings;
}

/** The blacklists have changed since the name was judged. */
class BlacklistsMoved extends Error {}

function requireNoConflict(conflicts: NameConflicts): void {
  if (conflicts.foreignParent) throw new DomainError('illegal_child');
  if (conflicts.foreignChild) throw new DomainError('illegal_parent');
  if (conflicts.duplicate) throw new DomainError('duplicate_zone');
}

/** A recordset of a zone as it is first stored. */
export function drawnRecordset(draft: RecordsetDraft, zone: Zone, clock: Clock): Recordset {
  return {
    id: randomUUID(),
    zoneId: zone.id,
    projectId: zone.projectId,
    name: draft.name,
    type: draft.type,
    ttl: draft.ttl ?? null,
    records: draft.records,
    description: draft.description ?? null,
    managed: false,
    version: 1,
    createdAt: clock.now(),
    updatedAt: null,
  };
}

/** The one way in which zones come to be, empty or with contents. */
export function zoneCreation({ store, guard, clock, log, settings }: ZoneDeps) {
  const requireAdmission = nameAdmission({ guard, store, clock, log });

  function draw(draft: ZoneDraft, projectId: string, contents?: ZoneContents): Zone {
    const createdAt = clock.now();
    const seconds = epochSeconds(createdAt);
    return {
      id: randomUUID(),
      name: draft.name,
      projectId,
      email: draft.email,
      ttl: draft.ttl ?? settings.defaultTtl,
      serial: contents === undefined ? firstSerial(seconds) : nextSerial(contents.serial, seconds),
      status: 'ACTIVE',
      action: 'NONE',
      description: draft.description ?? null,
      attributes: draft.attributes ?? {},
      version: 1,
      recordsets: contents?.recordsets.length ?? 0,
      records: contents?.records ?? 0,
      createdAt,
      updatedAt: null,
      transferredAt: null,
    };
  }

  /**
   * Stores the zone. What is asked of the store is asked all at once: the name comes first, and what follows is read
   * when nobody else holds it.
   */
  async function insert(tx: Transaction, zone: Zone, judgedAt: Revision, filling?: Filling): Promise<void> {
    const [, revision, project, conflicts] = await together(
      tx.zones.lockName(zone.name),
      tx.blacklists.revision(),
      tx.projects.lock(zone.projectId),
      tx.zones.conflicts(zone.name, zone.projectId),
    );
    if (revision !== judgedAt) throw new BlacklistsMoved();
    const limits = limitsOf(project, settings.quotas);
    requireRoom('zones', limits.zones, project.zones + 1, 1);
    if (filling !== undefined) requireRoomForContents(filling.contents, limits);
    requireNoConflict(conflicts);
    await tx.projects.grow(zone.projectId, { zones: 1, recordsets: zone.recordsets });
    await tx.zones.insert(zone);
    await tx.recordsets.insertApex(...apexRecordsets(zone, settings.apex, clock));
    if (filling === undefined) return;
    await insertContents(tx, zone, filling.contents);
    await filling.also(tx, zone);
  }

  async function insertContents(tx: Transaction, zone: Zone, contents: ZoneContents): Promise<void> {
    await requireOutsideChildZones(tx, zone, contents);
    const { recordsets } = contents;
    for (let start = 0; start < recordsets.length; start += BATCH) {
      const batch = recordsets.slice(start, start + BATCH).map((draft) => drawnRecordset(draft, zone, clock));
      if (!(await tx.recordsets.insert(batch))) throw new DomainError('duplicate_recordset');
    }
  }

  /** Undefined, and nothing stored, when the blacklists are no longer as they were judged by. */
  async function insertAt(
    { revision, bypassed }: Admission,
    draft: ZoneDraft,
    projectId: string,
    { filling, once }: CreateOptions,
  ) {
    try {
      return await createIn(store, once, async (tx): Promise<CreatedZone> => {
        const zone = draw(draft, projectId, filling?.contents);
        await insert(tx, zone, revision, filling);
        return { zone, bypassed };
      });
    } catch (error) {
      if (error instanceof BlacklistsMoved) return undefined;
      throw error;
    }
  }

  /**
   * Creates a zone. Checks in this order: blacklist, quotas, zones above and below, duplicate; all but the search
   * through the patterns inside the creating transaction, which also proves that the patterns are still the same.
   */
  return async (
    draft: ZoneDraft,
    creator: ZoneCreator,
    options: CreateOptions = {},
  ): Promise<CreatedZone> => {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      const admission = await requireAdmission(draft.name, creator);
      const created = await insertAt(admission, draft, creator.projectId, options);
      if (created === undefined) await guard.catchUp();
      else {
        if (created.bypassed !== undefined) auditBypass(log, created.zone, created.bypassed, creator);
        return created;
      }
    }
    throw new DomainError('storage_unavailable', CHANGES_TOO_FAST);
  };
}
