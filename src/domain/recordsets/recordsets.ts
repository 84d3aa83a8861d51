import { type ContentChange, contentsOf } from '../../model/changes/contents.ts';
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

/** The scope of a list: one zone, or all zones within the scope of the request. */
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
  const { store, clock, access, unitOfWork, changes } = deps;
  const readRecords = recordReader(deps);

  /** Parses the changed records by the type of the recordset, and finds the zone that hides it. */
  async function readChanges(
    context: RequestContext,
    zoneId: string,
    id: string,
    asked: RecordsetChanges,
  ): Promise<{ readonly read: ParsedChanges; readonly hiddenBy: ListedRecordset['hiddenBy'] }> {
    const zone = requireSeen(await store.zones.find(zoneId, context.scope));
    const found = await store.recordsets.find(zoneId, id);
    requireRecordsetRule(access, context, 'update_recordset', { zone, recordset: found });
    const present = requireFound(found);
    // Precedes the checks of the records, which run without the lock.
    requirePrecondition(context, present);
    const { name, type, records } = present;
    const { hiddenBy } = await withHider(context, present);
    if (asked.records === undefined) return { read: asked, hiddenBy };
    if (zone.type === 'SECONDARY') throw new DomainError('secondary_zone');
    const parsed = await readRecords(zone, { name, type, records: asked.records }, records.length);
    return { read: { ...asked, ...parsed }, hiddenBy };
  }

  async function withHider(context: RequestContext, recordset: ListedRecordset): Promise<ListedRecordset> {
    return (await store.recordsets.withHiders([recordset], context.projectId))[0]!;
  }

  function applyPart(tx: Transaction, zone: Zone, part: ContentChange, owners?: Owners) {
    return changes.apply(tx, { kind: 'update', zone, properties: {}, contents: contentsOf(part) }, owners);
  }

  return {
    create: recordsetCreation(deps, readRecords),

    async get(context: RequestContext, zoneId: string, id: string): Promise<ListedRecordset> {
      await getZone(store, access, context, 'get_recordset', zoneId);
      const recordset = requireFound(await store.recordsets.find(zoneId, id));
      requirePrecondition(context, recordset);
      return withHider(context, recordset);
    },

    /** Finds the zone of a recordset by the recordset's id. */
    async zoneOf(context: RequestContext, id: string): Promise<string> {
      access.require(context, 'get_recordset', { projectId: context.projectId });
      const zoneId = await store.recordsets.zoneOf(id, context.scope);
      if (zoneId === undefined) throw new DomainError('recordset_not_found');
      return zoneId;
    },

    async list(
      context: RequestContext,
      query: RecordsetQuery,
      within: RecordsetScope,
    ): Promise<Page<ListedRecordset>> {
      const zone = within && requireSeen(await store.zones.find(within.zoneId, context.scope));
      const isOwners = zone !== undefined && !isReachedByShare(context, zone);
      access.require(context, 'find_recordsets', {
        projectId: isOwners ? zone.projectId : context.projectId,
      });
      const page = await store.recordsets.list(query, within ?? context.scope, context.caller.projectId);
      return { ...page, items: await store.recordsets.withHiders(page.items, context.projectId) };
    },

    update(
      context: RequestContext,
      zoneId: string,
      id: string,
      asked: RecordsetChanges,
    ): Promise<ListedRecordset> {
      return unitOfWork.attempt(context, { kind: 'zone', id: zoneId }, async () => {
        const { read, hiddenBy } = await readChanges(context, zoneId, id, asked);
        return unitOfWork.commitBatched(context, lineOf(zoneId, false, asked.records), async (tx, emit) => {
          const { zone, recordset: before } = await lockRecordset(tx, access, context, 'update_recordset', {
            zoneId,
            id,
          });
          const recordset = changed(before, read, clock);
          // The name cannot change, but the targets of a delegation determine which recordsets it hides.
          if (recordset.type === 'NS') await requireLocation(tx, zone, recordset);
          const grows = recordset.records.length > before.records.length || recordset.bytes > before.bytes;
          const owners = grows ? await lockOwners(tx, zone.projectId) : undefined;
          const applied = await applyPart(tx, zone, { kind: 'replaced', before, recordset }, owners);
          emit({ type: 'recordset.changed', target: zoneTarget(zone), ...applied });
          return { ...pending(recordset, zone, 'UPDATE'), hiddenBy };
        });
      });
    },

    /** Deletes a recordset and returns its last state. */
    remove(context: RequestContext, zoneId: string, id: string): Promise<ListedRecordset> {
      return unitOfWork.attempt(context, { kind: 'zone', id: zoneId }, () =>
        unitOfWork.commitBatched(context, lineOf(zoneId, false), async (tx, emit) => {
          const { zone, recordset } = await lockRecordset(tx, access, context, 'delete_recordset', {
            zoneId,
            id,
          });
          const applied = await applyPart(tx, zone, { kind: 'removed', recordset });
          emit({ type: 'recordset.deleted', target: zoneTarget(zone), ...applied });
          return pending(recordset, zone, 'DELETE');
        }),
      );
    },
  };
}

export type RecordsetUseCases = ReturnType<typeof recordsetUseCases>;
