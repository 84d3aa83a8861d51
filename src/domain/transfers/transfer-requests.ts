import { randomUUID } from 'node:crypto';
import type { RuleName } from '../../model/access/rule-name.ts';
import { notBefore } from '../../model/clock.ts';
import type { CreateOptions } from '../../model/context/options.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError } from '../../model/errors.ts';
import type { Target } from '../../model/event-types/event.ts';
import type { ImportedMetadata } from '../../model/imported-metadata.ts';
import { HISTORY_KEPT, type Page } from '../../model/lists.ts';
import type { Transaction } from '../../model/store.ts';
import {
  type SeenTransferRequest,
  seenBy,
  type TransferQuery,
  type TransferRequest,
  type TransferRequestDraft,
} from '../../model/transfers/transfer.ts';
import type { Zone } from '../../model/zones/zone.ts';
import type { UseCaseDeps } from '../unit-of-work/use-case.ts';
import { lockZone } from '../zones/visible-zone.ts';
import { newTransferKey } from './transfer-key.ts';

function targetOf({ id, zoneName, projectId }: TransferRequest): Target {
  return { kind: 'transfer request', id, name: zoneName, projectId };
}

/** A request as events show it. */
function withoutKey({ key: _, ...request }: TransferRequest): Omit<TransferRequest, 'key'> {
  return request;
}

/** The use cases of zone transfer requests. */
export function transferRequestUseCases({ store, clock, access, unitOfWork }: UseCaseDeps) {
  function newRequest(draft: TransferRequestDraft, zone: Zone): TransferRequest {
    return {
      id: randomUUID(),
      zoneId: zone.id,
      zoneName: zone.name,
      projectId: zone.projectId,
      targetProjectId: draft.targetProjectId ?? null,
      description: draft.description ?? null,
      key: newTransferKey(),
      status: 'ACTIVE',
      wrongKeys: 0,
      createdAt: clock.now(),
      updatedAt: null,
    };
  }

  /**
   * Locks a request that the caller may change.
   * @throws DomainError `transfer_request_not_found`, `foreign_transfer_request`, `access_denied`
   */
  async function lockOwn(
    tx: Transaction,
    context: RequestContext,
    rule: RuleName,
    id: string,
  ): Promise<TransferRequest> {
    const request = await tx.transfers.lockRequest(id);
    if (request === undefined || seenBy(context.scope, request) === undefined) {
      throw new DomainError('transfer_request_not_found');
    }
    if (context.scope !== 'all projects' && context.scope.projectId !== request.projectId) {
      throw new DomainError('foreign_transfer_request');
    }
    access.require(context, rule, { projectId: request.projectId });
    return request;
  }

  return {
    /**
     * Offers a zone. A zone has at most one open request.
     */
    create(
      context: RequestContext,
      zoneId: string,
      draft: TransferRequestDraft,
      options: CreateOptions<TransferRequest> & {
        readonly kept?: ImportedMetadata & Pick<TransferRequest, 'key'>;
      } = {},
    ): Promise<TransferRequest> {
      return unitOfWork.change(
        context,
        { kind: 'zone', id: zoneId },
        async (tx, emit) => {
          const zone = await lockZone(tx, access, context, 'create_zone_transfer_request', zoneId);
          const request = { ...newRequest(draft, zone), ...options.kept };
          if (!(await tx.transfers.insertRequest(request)))
            throw new DomainError('duplicate_transfer_request');
          tx.transfers.keepNewest(zone.projectId, HISTORY_KEPT);
          emit({ type: 'transfer_request.created', target: targetOf(request), after: withoutKey(request) });
          return request;
        },
        options,
      );
    },

    /** A request by its id. A caller who may act for all projects sees any request by default. */
    async get(context: RequestContext, id: string): Promise<SeenTransferRequest> {
      const scope = access.allows(context, 'all_tenants', {}) ? 'all projects' : context.scope;
      const request = await store.transfers.requests.find(id);
      const seen = request && seenBy(scope, request);
      if (seen === undefined) throw new DomainError('transfer_request_not_found');
      // The target project may see the offer, and so may the owner.
      const projectId = scope === 'all projects' ? seen.projectId : context.projectId;
      access.require(context, 'get_zone_transfer_request', { projectId });
      return seen;
    },

    /** A project's own requests, and those that name it as their target. */
    async list(context: RequestContext, query: TransferQuery): Promise<Page<SeenTransferRequest>> {
      access.require(context, 'find_zone_transfer_requests', { projectId: context.projectId });
      const { items, more } = await store.transfers.requests.list(
        query,
        context.scope,
        context.caller.projectId,
      );
      return { items: items.flatMap((request) => seenBy(context.scope, request) ?? []), more };
    },

    update(context: RequestContext, id: string, changes: TransferRequestDraft): Promise<TransferRequest> {
      return unitOfWork.change(context, { kind: 'transfer request', id }, async (tx, emit) => {
        const current = await lockOwn(tx, context, 'update_zone_transfer_request', id);
        if (current.status !== 'ACTIVE') {
          throw new DomainError('invalid_transfer_request', 'Only an open transfer request can be changed.');
        }
        const { description = current.description, targetProjectId = current.targetProjectId } = changes;
        const updatedAt = notBefore(clock.now(), current.createdAt, current.updatedAt);
        const changed = { ...current, description, targetProjectId, updatedAt };
        tx.transfers.updateRequest(changed);
        const versions = { before: withoutKey(current), after: withoutKey(changed) };
        emit({ type: 'transfer_request.changed', target: targetOf(changed), ...versions });
        return changed;
      });
    },

    async remove(context: RequestContext, id: string): Promise<void> {
      await unitOfWork.change(context, { kind: 'transfer request', id }, async (tx, emit) => {
        const request = await lockOwn(tx, context, 'delete_zone_transfer_request', id);
        tx.transfers.removeRequest(id);
        emit({ type: 'transfer_request.deleted', target: targetOf(request), before: withoutKey(request) });
      });
    },
  };
}

export type TransferRequestUseCases = ReturnType<typeof transferRequestUseCases>;
