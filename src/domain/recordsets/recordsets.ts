import { randomUUID } from 'node:crypto';
import { isRecordType } from '../../dns/rdata.ts';
import { type Act, requirePrecondition } from '../acts/act.ts';
import { type Clock, notBefore } from '../clock.ts';
import { DomainError, invalidObject } from '../errors.ts';
import type { Page } from '../lists.ts';
import { type Limits, limitsOf, requireRoom } from '../quotas/quota.ts';
import type { Transaction } from '../store.ts';
import { together } from '../together.ts';
import type { UseCaseDeps } from '../use-case.ts';
import { getZone, isReachedByShare, lockZone, requireSeen } from '../zones/visible-zone.ts';
import type { Zone } from '../zones/zone.ts';
import { type ContentChange, contentsOf } from '../zones/zone-change.ts';
import { lockOwners, type Owners, type ZoneChanges } from '../zones/zone-changes.ts';
import { zoneTarget } from '../zones/zone-target.ts';
import {
  lockRecordset,
  requireFound,
  requirePrimary,
  requireRecordsetRule,
  requireWritable,
} from './own-recordset.ts';
import { type Records, requireRecords } from './records.ts';
import type {
  ListedRecordset,
  ParsedChanges,
  ParsedDraft,
  Recordset,
  RecordsetChanges,
  RecordsetDraft,
  RecordsetQuery,
} from './recordset.ts';
import { locationFault, wildcardFault } from './recordset-location.ts';
import { recordsetBytes } from './size.ts';

export interface RecordsetDeps extends UseCaseDeps {
  readonly changes: ZoneChanges;
  /** The limits of projects without limits of their own. */
  readonly quotas: Limits;
}

/** Where recordsets are listed: in one zone, or in all zones within the scope of the act. */
export type Within = { readonly zoneId: string } | undefined;

/**
 * A recordset of a zone as it is first stored.
 * @param projectId whose it is: the owner of the zone, or a project that the zone is shared with
 */
export function newRecordset(
  draft: ParsedDraft,
  zone: Zone,
  clock: Clock,
  projectId: string = zone.projectId,
): Recordset {
  return {
    id: randomUUID(),
    zoneId: zone.id,
    projectId,
    name: draft.name,
    type: draft.type,
    ttl: draft.ttl ?? null,
    records: draft.records,
    spellings: draft.spellings ?? {},
    bytes: recordsetBytes(draft.name, draft.size),
    description: draft.description ?? null,
    managed: false,
    version: 1,
    createdAt: clock.now(),
    updatedAt: null,
  };
}

/** A recordset whose change begins to be published. */
function pending(recordset: Recordset, zone: Zone, action: 'CREATE' | 'UPDATE' | 'DELETE'): ListedRecordset {
  return { ...recordset, zoneName: zone.name, status: 'PENDING', action };
}

async function requireLocation(tx: Transaction, zone: Zone, recordset: Recordset): Promise<void> {
  const fault = locationFault(recordset, await tx.recordsets.surroundings(zone, recordset));
  if (fault !== undefined) throw new DomainError('invalid_recordset_location', fault);
}

function changed(current: Recordset, asked: ParsedChanges, clock: Clock): Recordset {
  const { ttl = current.ttl, description = current.description } = asked;
  const { records = current.records, spellings = current.spellings } = asked;
  const bytes = asked.size === undefined ? current.bytes : recordsetBytes(current.name, asked.size);
  const updatedAt = notBefore(clock.now(), current.createdAt, current.updatedAt);
  const version = current.version + 1;
  return { ...current, ttl, description, records, spellings, bytes, version, updatedAt };
}

/** @throws DomainError `invalid_object` where a wildcard cannot have the type */
function requireMeaning(asked: RecordsetDraft): void {
  const message = wildcardFault(asked);
  if (message !== undefined) throw invalidObject([{ path: ['name'], message }]);
}

/** The use cases of recordsets. Every write is one step of the zone's serial. */
export function recordsetUseCases(deps: RecordsetDeps) {
  const { store, clock, access, acts, changes, quotas } = deps;

  /** Parses records after checking their number against the limits of the zone's owner. Holds no lock. */
  async function readRecords(
    zone: Zone,
    { type, records }: Pick<RecordsetDraft, 'type' | 'records'>,
    before: number,
  ): Promise<Records> {
    const limits = limitsOf(await store.projects.state(zone.projectId), quotas);
    requireRoom('recordset_records', limits.recordset_records, records.length, records.length - before);
    return requireRecords(type, records);
  }

  /** The changes, with their records parsed by the type of their recordset. */
  async function readChanges(
    act: Act,
    zoneId: string,
    id: string,
    asked: RecordsetChanges,
  ): Promise<ParsedChanges> {
    const zone = requireSeen(await store.zones.find(zoneId, act.scope));
    const found = await store.recordsets.find(zoneId, id);
    requireRecordsetRule(access, act, 'update_recordset', { zone, recordset: found });
    const present = requireFound(found);
    // Before the rules for records, which are asked without the lock.
    requirePrecondition(act, present);
    const { type, records } = present;
    if (asked.records === undefined) return asked;
    if (zone.type === 'SECONDARY' || !isRecordType(type)) throw new DomainError('secondary_zone');
    return { ...asked, ...(await readRecords(zone, { type, records: asked.records }, records.length)) };
  }

  function applyPart(tx: Transaction, zone: Zone, part: ContentChange, owners?: Owners) {
    return changes.apply(tx, { kind: 'update', zone, properties: {}, contents: contentsOf(part) }, owners);
  }

  return {
    /** Checks in this order: the number of records, each record, location, quotas, duplicate. */
    create(act: Act<ListedRecordset>, zoneId: string, asked: RecordsetDraft): Promise<ListedRecordset> {
      return acts.attempt(act, { kind: 'zone', id: zoneId }, async () => {
        const found = requirePrimary(await getZone(store, access, act, 'create_recordset', zoneId));
        requireMeaning(asked);
        const draft = { ...asked, ...(await readRecords(found, asked, 0)) };
        return acts.commit(act, async (tx, tell) => {
          const zone = await lockZone(tx, access, act, 'create_recordset', zoneId);
          const creator = isReachedByShare(act, zone) ? act.projectId : zone.projectId;
          const recordset = newRecordset(draft, zone, clock, creator);
          requireWritable(recordset, zone);
          const [owners] = await together(
            lockOwners(tx, zone.projectId),
            requireLocation(tx, zone, recordset),
          );
          const applied = await applyPart(tx, zone, { kind: 'added', recordset }, owners);
          tell({ type: 'recordset.created', target: zoneTarget(zone), ...applied });
          return pending(recordset, zone, 'CREATE');
        });
      });
    },

    async get(act: Act, zoneId: string, id: string): Promise<ListedRecordset> {
      await getZone(store, access, act, 'get_recordset', zoneId);
      const recordset = requireFound(await store.recordsets.find(zoneId, id));
      requirePrecondition(act, recordset);
      return recordset;
    },

    /** The zone of a recordset that is known only by its id. */
    async zoneOf(act: Act, id: string): Promise<string> {
      access.require(act, 'get_recordset', { projectId: act.projectId });
      const zoneId = await store.recordsets.zoneOf(id, act.scope);
      if (zoneId === undefined) throw new DomainError('recordset_not_found');
      return zoneId;
    },

    async list(act: Act, query: RecordsetQuery, within: Within): Promise<Page<ListedRecordset>> {
      const zone = within && requireSeen(await store.zones.find(within.zoneId, act.scope));
      const isOwners = zone !== undefined && !isReachedByShare(act, zone);
      access.require(act, 'find_recordsets', { projectId: isOwners ? zone.projectId : act.projectId });
      return store.recordsets.list(query, within ?? act.scope, act.caller.projectId);
    },

    update(act: Act, zoneId: string, id: string, asked: RecordsetChanges): Promise<ListedRecordset> {
      return acts.attempt(act, { kind: 'zone', id: zoneId }, async () => {
        const read = await readChanges(act, zoneId, id, asked);
        return acts.commit(act, async (tx, tell) => {
          const { zone, recordset: before } = await lockRecordset(tx, access, act, 'update_recordset', {
            zoneId,
            id,
          });
          const recordset = changed(before, read, clock);
          // The name stays; what a delegation hides depends on the name servers that it names.
          if (recordset.type === 'NS') await requireLocation(tx, zone, recordset);
          const grows = recordset.records.length > before.records.length || recordset.bytes > before.bytes;
          const owners = grows ? await lockOwners(tx, zone.projectId) : undefined;
          const applied = await applyPart(tx, zone, { kind: 'replaced', before, recordset }, owners);
          tell({ type: 'recordset.changed', target: zoneTarget(zone), ...applied });
          return pending(recordset, zone, 'UPDATE');
        });
      });
    },

    /** Deletes a recordset and returns its last state. */
    remove(act: Act, zoneId: string, id: string): Promise<ListedRecordset> {
      return acts.change(act, { kind: 'zone', id: zoneId }, async (tx, tell) => {
        const { zone, recordset } = await lockRecordset(tx, access, act, 'delete_recordset', { zoneId, id });
        const applied = await applyPart(tx, zone, { kind: 'removed', recordset });
        tell({ type: 'recordset.deleted', target: zoneTarget(zone), ...applied });
        return pending(recordset, zone, 'DELETE');
      });
    },
  };
}

export type RecordsetUseCases = ReturnType<typeof recordsetUseCases>;
