import { randomUUID } from 'node:crypto';
import { type Contents, NO_CONTENTS } from '../../model/changes/contents.ts';
import type { AppliedUpdate } from '../../model/changes/zone-change.ts';
import { notBefore } from '../../model/clock.ts';
import type { CreateOptions } from '../../model/context/options.ts';
import { type RequestContext, requireProject } from '../../model/context/request-context.ts';
import { DomainError } from '../../model/errors.ts';
import { HISTORY_KEPT, type Page } from '../../model/lists.ts';
import { type Limits, limitsOf, UNLIMITED } from '../../model/quotas/quota.ts';
import type { Transaction } from '../../model/store.ts';
import type { TransferAccept, TransferQuery, TransferRequest } from '../../model/transfers/transfer.ts';
import type { TsigKey } from '../../model/tsig-keys/tsig-key.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { pipelined } from '../../runtime/pipelined.ts';
import type { AccessControl } from '../access/access-control.ts';
import { zoneTarget } from '../events/zone-target.ts';
import { requireNothingProtected } from '../protection/protection.ts';
import type { UseCaseDeps } from '../unit-of-work/use-case.ts';
import { changedBy } from '../zones/change-source.ts';
import { lockOwners, type Owners, type ZoneChanges } from '../zones/zone-changes.ts';
import { endKeys } from '../zones/zone-keys.ts';
import { isSameKey } from './transfer-key.ts';

/** After this many wrong keys, a request accepts no more keys, not even the right one. */
const MAX_WRONG_KEYS = 10;

export interface TransferAcceptDraft {
  readonly requestId: string;
  readonly key: string;
}

export interface TransferAcceptDeps extends UseCaseDeps {
  readonly changes: ZoneChanges;
  /** Limits of projects without their own. */
  readonly quotas: Limits;
}

const PROTECTED = 'The zone, or a recordset in it, is protected. Ask its owner to remove the protection.';
const SPENT = `The request has received ${MAX_WRONG_KEYS} wrong keys and accepts no more. Ask the owner of the zone to create a new request.`;

/** Checks everything about the request except its target and key. */
function requireOpen(request: TransferRequest): void {
  if (request.status === 'COMPLETE') throw new DomainError('invalid_transfer_request');
  if (request.status === 'ERROR') throw new DomainError('wrong_transfer_key', SPENT);
}

/**
 * Counts a wrong key. The count must be stored even though the request is refused, so the refusal is thrown after the
 * commit.
 */
function countWrongKey(tx: Transaction, request: TransferRequest, now: string): DomainError {
  const wrongKeys = request.wrongKeys + 1;
  const left = MAX_WRONG_KEYS - wrongKeys;
  const updatedAt = notBefore(now, request.createdAt, request.updatedAt);
  tx.transfers.updateRequest(
    left > 0 ? { ...request, wrongKeys } : { ...request, wrongKeys, status: 'ERROR', updatedAt },
  );
  const message = `The key does not match the transfer request. After ${left} more wrong ${left === 1 ? 'key' : 'keys'} the request accepts no more.`;
  return new DomainError('wrong_transfer_key', left > 0 ? message : SPENT);
}

async function requireNoForeignKin(tx: Transaction, zone: Zone, receiver: string): Promise<void> {
  const [conflicts] = await tx.zones.conflicts([{ name: zone.name, projectId: receiver }]);
  const { foreignParent, foreignChild } = conflicts!;
  if (foreignParent) {
    throw new DomainError('illegal_child', 'The zone would lie below a zone of another project.');
  }
  if (foreignChild) {
    throw new DomainError('illegal_parent', 'A zone of another project would lie below the zone.');
  }
}

/** @throws DomainError `protected` if the zone would get another owner, and it or one of its recordsets is protected */
async function requireGivable(tx: Transaction, zone: Zone, receiver: string): Promise<void> {
  if (receiver === zone.projectId) return;
  try {
    await requireNothingProtected(tx, zone);
  } catch (error) {
    // The receiver does not see the zone yet.
    if (error instanceof DomainError && error.kind === 'protected')
      throw new DomainError('protected', PROTECTED);
    throw error;
  }
}

/** The TSIG keys that end if the zone gets another owner: those that its owner has made. */
async function lockOwnersKeys(tx: Transaction, zone: Zone, receiver: string): Promise<readonly TsigKey[]> {
  if (receiver === zone.projectId) return [];
  return (await tx.tsigKeys.lockOfZone(zone.id)).filter(({ projectId }) => projectId !== undefined);
}

/** Locks the request and its zone in the common order: name, zone, request. */
async function lockOffer(tx: Transaction, id: string): Promise<{ zone: Zone; request: TransferRequest }> {
  const found = await tx.transfers.findRequest(id);
  if (found === undefined) throw new DomainError('transfer_request_not_found');
  await tx.zones.lockName(found.zoneName);
  const zone = await tx.zones.lock(found.zoneId, 'all projects');
  const request = await tx.transfers.lockRequest(id);
  if (zone === undefined || request === undefined) throw new DomainError('transfer_request_not_found');
  return { zone, request };
}

/** The rule decides who may accept a zone offered to another project. */
function requireTarget(
  access: AccessControl,
  context: RequestContext,
  { targetProjectId }: TransferRequest,
): void {
  if (targetProjectId === null || targetProjectId === context.projectId) return;
  if (access.allows(context, 'create_zone_transfer_accept', { projectId: targetProjectId })) return;
  throw new DomainError('foreign_transfer_request', 'The zone is offered to another project.');
}

/** The use cases of zone transfer accepts. */
export function transferAcceptUseCases(deps: TransferAcceptDeps) {
  const { store, clock, access, unitOfWork, changes, quotas } = deps;

  /** No recordset changes, but for the receiver they are all growth, and the largest one must fit its limit. */
  async function contentsFor(
    tx: Transaction,
    zone: Zone,
    receiver: string,
    owners: Owners,
  ): Promise<Contents> {
    const limit = limitsOf(owners.get(receiver)!, quotas).recordset_records;
    const isOwn = receiver === zone.projectId;
    if (isOwn || limit === UNLIMITED || zone.records <= limit) return NO_CONTENTS;
    const now = await tx.recordsets.maxRecords(zone.id);
    return { ...NO_CONTENTS, largest: { now, before: 0 } };
  }

  async function handOver(
    tx: Transaction,
    context: RequestContext,
    zone: Zone,
    request: TransferRequest,
  ): Promise<AppliedUpdate> {
    const receiver = requireProject(context);
    const [owners] = await pipelined(
      lockOwners(tx, zone.projectId, receiver),
      requireGivable(tx, zone, receiver),
    );
    const properties = { projectId: receiver };
    const contents = await contentsFor(tx, zone, receiver, owners);
    const by = changedBy(context, 'transfer');
    const planned = changes.plan({ kind: 'update', zone, properties, contents, by }, owners);
    await requireNoForeignKin(tx, zone, receiver);
    const applied = await changes.write(tx, planned);
    const updatedAt = notBefore(clock.now(), request.createdAt, request.updatedAt);
    tx.transfers.updateRequest({ ...request, status: 'COMPLETE', updatedAt });
    return applied;
  }

  return {
    /**
     * Transfers the zone to the project acted for, and ends the TSIG keys of its owner. If that is already the owner, the zone stays where it is. Checks in
     * this order: target, use, key, protection, quotas, zones above and below. The blacklists are not checked, since no zone is
     * created.
     */
    async create(
      context: RequestContext,
      draft: TransferAcceptDraft,
      options: CreateOptions<TransferAccept> = {},
    ): Promise<TransferAccept> {
      const receiver = requireProject(context);
      access.require(context, 'create_zone_transfer_accept', { projectId: receiver });
      const target = { kind: 'transfer request', id: draft.requestId } as const;
      return unitOfWork.change(
        context,
        target,
        async (tx, emit): Promise<TransferAccept | DomainError> => {
          const { zone, request } = await lockOffer(tx, draft.requestId);
          requireTarget(access, context, request);
          requireOpen(request);
          if (!isSameKey(draft.key, request.key)) return countWrongKey(tx, request, clock.now());
          const keys = await lockOwnersKeys(tx, zone, receiver);
          const applied = await handOver(tx, context, zone, request);
          const { key, ...visibleRequest } = request;
          const done = {
            id: randomUUID(),
            requestId: request.id,
            zoneId: zone.id,
            projectId: receiver,
            key,
            createdAt: clock.now(),
          };
          tx.transfers.insertAccept(done);
          tx.transfers.keepNewest(receiver, HISTORY_KEPT);
          emit({
            type: 'zone.transferred',
            target: zoneTarget(applied.after),
            ...applied,
            request: visibleRequest,
          });
          endKeys(tx, keys, emit);
          return done;
        },
        options,
      );
    },

    async get(context: RequestContext, id: string): Promise<TransferAccept> {
      const accept = await store.transfers.accepts.find(id, context.scope);
      if (accept === undefined) throw new DomainError('transfer_accept_not_found');
      access.require(context, 'get_zone_transfer_accept', { projectId: accept.projectId });
      return accept;
    },

    async list(context: RequestContext, query: TransferQuery): Promise<Page<TransferAccept>> {
      access.require(context, 'find_zone_transfer_accepts', { projectId: context.projectId });
      return store.transfers.accepts.list(query, context.scope, context.caller.projectId);
    },
  };
}

export type TransferAcceptUseCases = ReturnType<typeof transferAcceptUseCases>;
