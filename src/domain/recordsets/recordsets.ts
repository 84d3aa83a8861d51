import { limitsIn } from '../../model/access/scope.ts';
import { contentsOf } from '../../model/changes/contents.ts';
import { type ConditionalOptions, requirePrecondition } from '../../model/context/options.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError } from '../../model/errors.ts';
import { NO_FINDINGS } from '../../model/guardrails/guardrail.ts';
import type { Page } from '../../model/lists.ts';
import type { ListedRecordset, RecordsetQuery } from '../../model/recordsets/recordset.ts';
import { pipelined } from '../../runtime/pipelined.ts';
import { zoneTarget } from '../events/zone-target.ts';
import type { GuardedOptions } from '../guardrails/guardrails.ts';
import { requireUnprotected } from '../protection/protection.ts';
import { changedBy } from '../zones/change-source.ts';
import { isReachedByShare, requireSeen } from '../zones/visible-zone.ts';
import {
  lockRecordset,
  readable,
  requireFound,
  requireRecordsetRule,
  shownHider,
  withHider,
} from './own-recordset.ts';
import { recordReader } from './records.ts';
import { batchPlaceOf, type RecordsetDeps, recordsetCreation } from './recordset-creation.ts';
import { recordsetUpdate } from './recordset-update.ts';
import { pending, type WrittenRecordset, written } from './written-recordset.ts';

/** The scope of a list: one zone, or all zones within the scope of the request. */
export type RecordsetScope = { readonly zoneId: string } | undefined;

/** The use cases of recordsets. Every write increments the serial of the zone. */
export function recordsetUseCases(deps: RecordsetDeps) {
  const { store, access, unitOfWork, changes, guardrails } = deps;
  const readRecords = recordReader(deps);

  return {
    create: recordsetCreation(deps, readRecords),

    async get(
      context: RequestContext,
      zoneId: string,
      id: string,
      options: ConditionalOptions = {},
    ): Promise<ListedRecordset> {
      const [seen, stored] = await pipelined(
        store.zones.find(zoneId, context.scope),
        store.recordsets.find(zoneId, id),
      );
      const zone = requireSeen(seen);
      const found = readable(context, zone, stored);
      requireRecordsetRule(access, context, 'get_recordset', { zone, recordset: found });
      const recordset = requireFound(found);
      requirePrecondition(options, recordset);
      return withHider(store, context, recordset);
    },

    /** Finds the zone of a recordset by the recordset's id. */
    async zoneOf(context: RequestContext, id: string): Promise<string> {
      access.requirePossible(context, 'get_recordset', { projectId: context.projectId });
      const zoneId = await store.recordsets.zoneOf(id, context.scope);
      if (zoneId === undefined) throw new DomainError('recordset_not_found');
      return zoneId;
    },

    async list(
      context: RequestContext,
      query: RecordsetQuery,
      within: RecordsetScope,
    ): Promise<Page<ListedRecordset>> {
      const { scope, projectId, caller } = context;
      const shown = (page: Page<ListedRecordset>) =>
        limitsIn(scope) === undefined
          ? page
          : { ...page, items: page.items.map((one) => shownHider(context, one)) };
      const admit = (ownerProjectId: string) => {
        const isOwners = !isReachedByShare(context, { projectId: ownerProjectId });
        access.require(context, 'find_recordsets', { projectId: isOwners ? ownerProjectId : projectId });
      };
      if (within !== undefined) {
        const zone = { zoneId: within.zoneId, scope, admit };
        return shown(await store.recordsets.listOfZone(query, zone, caller.projectId, projectId));
      }
      access.require(context, 'find_recordsets', { projectId });
      const page = await store.recordsets.list(query, scope, caller.projectId);
      return shown({ ...page, items: await store.recordsets.withHiders(page.items, projectId) });
    },

    update: recordsetUpdate(deps, readRecords),

    /** Deletes a recordset and returns its last state. */
    remove(
      context: RequestContext,
      zoneId: string,
      id: string,
      options: ConditionalOptions & GuardedOptions = {},
    ): Promise<WrittenRecordset> {
      return unitOfWork.attempt(context, { kind: 'zone', id: zoneId }, async () => {
        let outcome = NO_FINDINGS;
        const done = await unitOfWork.commitBatched(
          context,
          batchPlaceOf(zoneId, false),
          async (tx, emit) => {
            const { zone, recordset } = await lockRecordset(tx, access, context, 'delete_recordset', {
              zoneId,
              id,
              ...options,
            });
            requireUnprotected(recordset);
            const part = { kind: 'removed', recordset } as const;
            const verdict = await guardrails.check(tx, context, { zone, parts: [part] }, options);
            const change = { zone, properties: {}, contents: contentsOf(part), by: changedBy(context) };
            const applied = await changes.apply(tx, { kind: 'update', ...change });
            outcome = guardrails.requirePassed(verdict);
            emit({ type: 'recordset.deleted', target: zoneTarget(zone), ...applied, ...outcome });
            return written(pending(recordset, zone, 'DELETE'), applied, outcome);
          },
        );
        guardrails.count(outcome);
        return done;
      });
    },
  };
}

export type RecordsetUseCases = ReturnType<typeof recordsetUseCases>;
