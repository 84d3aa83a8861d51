import { contentsOf } from '../../model/changes/contents.ts';
import { type ConditionalOptions, requirePrecondition } from '../../model/context/options.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError } from '../../model/errors.ts';
import type { Page } from '../../model/lists.ts';
import type { ListedRecordset, RecordsetQuery } from '../../model/recordsets/recordset.ts';
import { zoneTarget } from '../events/zone-target.ts';
import { getZone, isReachedByShare, requireSeen } from '../zones/visible-zone.ts';
import { lockRecordset, requireFound, withHider } from './own-recordset.ts';
import {
  batchPlaceOf,
  pending,
  type RecordsetDeps,
  recordReader,
  recordsetCreation,
} from './recordset-creation.ts';
import { recordsetUpdate } from './recordset-update.ts';

/** The scope of a list: one zone, or all zones within the scope of the request. */
export type RecordsetScope = { readonly zoneId: string } | undefined;

/** The use cases of recordsets. Every write increments the serial of the zone. */
export function recordsetUseCases(deps: RecordsetDeps) {
  const { store, access, unitOfWork, changes } = deps;
  const readRecords = recordReader(deps);

  return {
    create: recordsetCreation(deps, readRecords),

    async get(
      context: RequestContext,
      zoneId: string,
      id: string,
      options: ConditionalOptions = {},
    ): Promise<ListedRecordset> {
      await getZone(store, access, context, 'get_recordset', zoneId);
      const recordset = requireFound(await store.recordsets.find(zoneId, id));
      requirePrecondition(options, recordset);
      return withHider(store, context, recordset);
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

    update: recordsetUpdate(deps, readRecords),

    /** Deletes a recordset and returns its last state. */
    remove(
      context: RequestContext,
      zoneId: string,
      id: string,
      options: ConditionalOptions = {},
    ): Promise<ListedRecordset> {
      return unitOfWork.attempt(context, { kind: 'zone', id: zoneId }, () =>
        unitOfWork.commitBatched(context, batchPlaceOf(zoneId, false), async (tx, emit) => {
          const { zone, recordset } = await lockRecordset(tx, access, context, 'delete_recordset', {
            zoneId,
            id,
            ...options,
          });
          const contents = contentsOf({ kind: 'removed', recordset });
          const applied = await changes.apply(tx, { kind: 'update', zone, properties: {}, contents });
          emit({ type: 'recordset.deleted', target: zoneTarget(zone), ...applied });
          return pending(recordset, zone, 'DELETE');
        }),
      );
    },
  };
}

export type RecordsetUseCases = ReturnType<typeof recordsetUseCases>;
