import { type ContentChange, contentsOf } from '../../model/changes/zone-change.ts';
import { type Clock, notBefore } from '../../model/clock.ts';
import { type RequestContext, requirePrecondition } from '../../model/context/request-context.ts';
import { DomainError } from '../../model/errors.ts';
import type { Page } from '../../model/lists.ts';
import type {
  ListedRecordset,
  ParsedChanges,
  Recordset,
  RecordsetChanges,
  RecordsetQuery,
} from '../../model/recordsets/recordset.ts';
import { recordsetBytes } from '../../model/recordsets/size.ts';
import type { Transaction } from '../../model/store.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { zoneTarget } from '../events/zone-target.ts';
import { getZone, isReachedByShare, requireSeen } from '../zones/visible-zone.ts';
import { lockOwners, type Owners } from '../zones/zone-changes.ts';
import { lockRecordset, requireFound, requireRecordsetRule } from './own-recordset.ts';
import {
  lineOf,
  pending,
  type RecordsetDeps,
  recordReader,
  recordsetCreation,
  requireLocation,
} from './recordset-creation.ts';

/** The scope of a list: one zone, or all zones within the scope of the act. */
export type RecordsetScope = { readonly zoneId: string } | undefined;

function changed(current: Recordset, asked: ParsedChanges, clock: Clock): Recordset {
  const { ttl = current.ttl, description = current.description } = asked;
  const { records = current.records, spellings = current.spellings } = asked;
  const bytes = asked.size === undefined ? current.bytes : recordsetBytes(current.name, asked.size);
  const updatedAt = notBefore(clock.now(), current.createdAt, current.updatedAt);
  const version = current.version + 1;
  return { ...current, ttl, description, records, spellings, bytes, version, updatedAt };
}

/** The use cases of recordsets. Every write increments the serial of the zone. */
export function recordsetUseCases(deps: RecordsetDeps) {
  const { store, clock, access, acts, changes } = deps;
  const readRecords = recordReader(deps);

  /** Parses the changed records by the type of the recordset, and finds the zone that hides it. */
  async function readChanges(
    act: RequestContext,
    zoneId: string,
    id: string,
    asked: RecordsetChanges,
  ): Promise<{ readonly read: ParsedChanges; readonly hiddenBy: ListedRecordset['hiddenBy'] }> {
    const zone = requireSeen(await store.zones.find(zoneId, act.scope));
    const found = await store.recordsets.find(zoneId, id);
    requireRecordsetRule(access, act, 'update_recordset', { zone, recordset: found });
    const present = requireFound(found);
    // Precedes the checks of the records, which run without the lock.
    requirePrecondition(act, present);
    const { name, type, records } = present;
    const { hiddenBy } = await withHider(act, present);
    if (asked.records === undefined) return { read: asked, hiddenBy };
    if (zone.type === 'SECONDARY') throw new DomainError('secondary_zone');
    const parsed = await readRecords(zone, { name, type, records: asked.records }, records.length);
    return { read: { ...asked, ...parsed }, hiddenBy };
  }

  async function withHider(act: RequestContext, recordset: ListedRecordset): Promise<ListedRecordset> {
    return (await store.recordsets.withHiders([recordset], act.projectId))[0]!;
  }

  function applyPart(tx: Transaction, zone: Zone, part: ContentChange, owners?: Owners) {
    return changes.apply(tx, { kind: 'update', zone, properties: {}, contents: contentsOf(part) }, owners);
  }

  return {
    create: recordsetCreation(deps, readRecords),

    async get(act: RequestContext, zoneId: string, id: string): Promise<ListedRecordset> {
      await getZone(store, access, act, 'get_recordset', zoneId);
      const recordset = requireFound(await store.recordsets.find(zoneId, id));
      requirePrecondition(act, recordset);
      return withHider(act, recordset);
    },

    /** Finds the zone of a recordset by the recordset's id. */
    async zoneOf(act: RequestContext, id: string): Promise<string> {
      access.require(act, 'get_recordset', { projectId: act.projectId });
      const zoneId = await store.recordsets.zoneOf(id, act.scope);
      if (zoneId === undefined) throw new DomainError('recordset_not_found');
      return zoneId;
    },

    async list(
      act: RequestContext,
      query: RecordsetQuery,
      within: RecordsetScope,
    ): Promise<Page<ListedRecordset>> {
      const zone = within && requireSeen(await store.zones.find(within.zoneId, act.scope));
      const isOwners = zone !== undefined && !isReachedByShare(act, zone);
      access.require(act, 'find_recordsets', { projectId: isOwners ? zone.projectId : act.projectId });
      const page = await store.recordsets.list(query, within ?? act.scope, act.caller.projectId);
      return { ...page, items: await store.recordsets.withHiders(page.items, act.projectId) };
    },

    update(
      act: RequestContext,
      zoneId: string,
      id: string,
      asked: RecordsetChanges,
    ): Promise<ListedRecordset> {
      return acts.attempt(act, { kind: 'zone', id: zoneId }, async () => {
        const { read, hiddenBy } = await readChanges(act, zoneId, id, asked);
        return acts.commitInLine(act, lineOf(zoneId, false, asked.records), async (tx, tell) => {
          const { zone, recordset: before } = await lockRecordset(tx, access, act, 'update_recordset', {
            zoneId,
            id,
          });
          const recordset = changed(before, read, clock);
          // The name cannot change, but the targets of a delegation determine which recordsets it hides.
          if (recordset.type === 'NS') await requireLocation(tx, zone, recordset);
          const grows = recordset.records.length > before.records.length || recordset.bytes > before.bytes;
          const owners = grows ? await lockOwners(tx, zone.projectId) : undefined;
          const applied = await applyPart(tx, zone, { kind: 'replaced', before, recordset }, owners);
          tell({ type: 'recordset.changed', target: zoneTarget(zone), ...applied });
          return { ...pending(recordset, zone, 'UPDATE'), hiddenBy };
        });
      });
    },

    /** Deletes a recordset and returns its last state. */
    remove(act: RequestContext, zoneId: string, id: string): Promise<ListedRecordset> {
      return acts.attempt(act, { kind: 'zone', id: zoneId }, () =>
        acts.commitInLine(act, lineOf(zoneId, false), async (tx, tell) => {
          const { zone, recordset } = await lockRecordset(tx, access, act, 'delete_recordset', {
            zoneId,
            id,
          });
          const applied = await applyPart(tx, zone, { kind: 'removed', recordset });
          tell({ type: 'recordset.deleted', target: zoneTarget(zone), ...applied });
          return pending(recordset, zone, 'DELETE');
        }),
      );
    },
  };
}

export type RecordsetUseCases = ReturnType<typeof recordsetUseCases>;
