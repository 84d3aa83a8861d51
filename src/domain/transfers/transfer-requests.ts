import { randomUUID } from 'node:crypto';
import type { Scope } from '../access/scope.ts';
import { type Clock, notBefore } from '../clock.ts';
import { DomainError, invalidObject } from '../errors.ts';
import { createIn, type Once } from '../idempotency/once.ts';
import { HISTORY_KEPT, type Page } from '../lists.ts';
import type { Store, Transaction } from '../store.ts';
import type { Zone } from '../zones/zone.ts';
import { lockZone } from '../zones/zone-change.ts';
import {
  type SeenTransferRequest,
  seenBy,
  type TransferQuery,
  type TransferRequest,
  type TransferRequestDraft,
} from './transfer.ts';
import { drawTransferKey } from './transfer-key.ts';

function requireOtherProject(owner: string, target: string | null): void {
  if (target !== owner) return;
  const message = 'The zone belongs to this project already. Name another one, or none.';
  throw invalidObject([{ path: ['target_project_id'], message }]);
}

/** The request, which the scope may change. */
async function lockOwn(tx: Transaction, id: string, scope: Scope): Promise<TransferRequest> {
  const request = await tx.transfers.lockRequest(id);
  if (request === undefined || seenBy(scope, request) === undefined) {
    throw new DomainError('transfer_request_not_found');
  }
  if (scope !== 'all projects' && scope.projectId !== request.projectId) {
    throw new DomainError('foreign_transfer_request');
  }
  return request;
}

/** The use cases of zone transfer requests. */
export function transferRequestUseCases({ store, clock }: { store: Store; clock: Clock }) {
  function draw(draft: TransferRequestDraft, zone: Zone): TransferRequest {
    return {
      id: randomUUID(),
      zoneId: zone.id,
      zoneName: zone.name,
      projectId: zone.projectId,
      targetProjectId: draft.targetProjectId ?? null,
      description: draft.description ?? null,
      key: drawTransferKey(),
      status: 'ACTIVE',
      wrongKeys: 0,
      createdAt: clock.now(),
      updatedAt: null,
    };
  }

  return {
    /** Offers a zone. A zone has one open request at the most. */
    create(
      zoneId: string,
      draft: TransferRequestDraft,
      scope: Scope,
      once?: Once<TransferRequest>,
    ): Promise<TransferRequest> {
      return createIn(store, once, async (tx) => {
        const zone = await lockZone(tx, zoneId, scope);
        const request = draw(draft, zone);
        requireOtherProject(zone.projectId, request.targetProjectId);
        if (!(await tx.transfers.insertRequest(request))) throw new DomainError('duplicate_transfer_request');
        await tx.transfers.keepNewest(zone.projectId, HISTORY_KEPT);
        return request;
      });
    },

    async get(id: string, scope: Scope): Promise<SeenTransferRequest> {
      const request = await store.transfers.findRequest(id);
      const seen = request && seenBy(scope, request);
      if (seen === undefined) throw new DomainError('transfer_request_not_found');
      return seen;
    },

    /** A project's own requests, and those that name it as their target. */
    async list(query: TransferQuery, scope: Scope): Promise<Page<SeenTransferRequest>> {
      const { items, more } = await store.transfers.listRequests(query, scope);
      return { items: items.flatMap((request) => seenBy(scope, request) ?? []), more };
    },

    update(id: string, changes: TransferRequestDraft, scope: Scope): Promise<TransferRequest> {
      return store.transaction(async (tx) => {
        const current = await lockOwn(tx, id, scope);
        if (current.status !== 'ACTIVE') {
          throw new DomainError('invalid_transfer_request', 'Only an open transfer request can be changed.');
        }
        const { description = current.description, targetProjectId = current.targetProjectId } = changes;
        requireOtherProject(current.projectId, targetProjectId);
        const updatedAt = notBefore(clock.now(), current.createdAt, current.updatedAt);
        const changed = { ...current, description, targetProjectId, updatedAt };
        await tx.transfers.updateRequest(changed);
        return changed;
      });
    },

    async remove(id: string, scope: Scope): Promise<void> {
      await store.transaction(async (tx) => {
        await tx.transfers.removeRequest((await lockOwn(tx, id, scope)).id);
      });
    },
  };
}

export type TransferRequestUseCases = ReturnType<typeof transferRequestUseCases>;
