import { randomUUID } from 'node:crypto';
import type { Scope } from '../access/scope.ts';
import { notBefore } from '../clock.ts';
import { DomainError } from '../errors.ts';
import { createIn, type Once } from '../idempotency/once.ts';
import { HISTORY_KEPT, type Page } from '../lists.ts';
import type { Log } from '../log.ts';
import { type Limits, limitsOf, requireRoom, UNLIMITED } from '../quotas/quota.ts';
import type { Store, Transaction } from '../store.ts';
import { soaRdata } from '../zones/apex.ts';
import type { Zone } from '../zones/zone.ts';
import { requireRoomInZone, steppedZone, type ZoneChangeDeps } from '../zones/zone-change.ts';
import type { TransferAccept, TransferQuery, TransferRequest } from './transfer.ts';
import { isSameKey } from './transfer-key.ts';

/** After so many wrong keys a request takes no key any more, the right one included. */
const MOST_WRONG_KEYS = 10;

export interface TransferAcceptDraft {
  readonly requestId: string;
  readonly key: string;
}

export interface TransferAcceptDeps extends ZoneChangeDeps {
  readonly store: Store;
  readonly log: Log;
}

const SPENT = `The request has been tried with ${MOST_WRONG_KEYS} wrong keys and takes none any more. Ask the owner of the zone to make a new one.`;

/** Everything about the request but its key. */
function requireAcceptable(request: TransferRequest, receiver: string): void {
  if (request.targetProjectId !== null && request.targetProjectId !== receiver) {
    throw new DomainError('foreign_transfer_request', 'The zone is offered to another project.');
  }
  if (request.status === 'COMPLETE') throw new DomainError('invalid_transfer_request');
  if (request.projectId === receiver) {
    throw new DomainError('invalid_transfer_request', 'The zone belongs to your project already.');
  }
  if (request.status === 'ERROR') throw new DomainError('wrong_transfer_key', SPENT);
}

/** The one departure from "nothing has been changed": a wrong key is counted, so the refusal is thrown later. */
async function countWrongKey(tx: Transaction, request: TransferRequest, now: string): Promise<DomainError> {
  const wrongKeys = request.wrongKeys + 1;
  const left = MOST_WRONG_KEYS - wrongKeys;
  const updatedAt = notBefore(now, request.createdAt, request.updatedAt);
  await tx.transfers.updateRequest(
    left > 0 ? { ...request, wrongKeys } : { ...request, wrongKeys, status: 'ERROR', updatedAt },
  );
  const message = `The key is not that of the request. After ${left} more wrong ${left === 1 ? 'key' : 'keys'} it takes none any more.`;
  return new DomainError('wrong_transfer_key', left > 0 ? message : SPENT);
}

async function requireNoForeignKin(tx: Transaction, zone: Zone, receiver: string): Promise<void> {
  const { foreignParent, foreignChild } = await tx.zones.conflicts(zone.name, receiver);
  if (foreignParent) {
    throw new DomainError('illegal_child', 'The zone would lie below a zone of another project.');
  }
  if (foreignChild) {
    throw new DomainError('illegal_parent', 'A zone of another project would lie below the zone.');
  }
}

/** The request and its zone, locked in the order in which everybody locks: name, zone, request. */
async function lockOffer(tx: Transaction, id: string): Promise<{ zone: Zone; request: TransferRequest }> {
  const found = await tx.transfers.findRequest(id);
  if (found === undefined) throw new DomainError('transfer_request_not_found');
  await tx.zones.lockName(found.zoneName);
  const zone = await tx.zones.lock(found.zoneId, 'all projects');
  const request = await tx.transfers.lockRequest(id);
  if (zone === undefined || request === undefined) throw new DomainError('transfer_request_not_found');
  return { zone, request };
}

/** For the receiver all of the zone is growth, so every limit of his holds for what it brings. */
async function requireRoomForZone(tx: Transaction, zone: Zone, limits: Limits): Promise<void> {
  const { recordsets, records } = zone;
  requireRoomInZone({ ...zone, recordsets: 0, records: 0 }, { recordsets, records }, limits);
  const limit = limits.recordset_records;
  if (limit === UNLIMITED || zone.records <= limit) return;
  const largest = await tx.recordsets.mostRecords(zone.id);
  requireRoom('recordset_records', limit, largest, largest);
}

/** Moves what is counted. The rows are locked in the order of the ids, so that two transfers never wait in a ring. */
async function moveCounters(tx: Transaction, zone: Zone, receiver: string, quotas: Limits): Promise<Limits> {
  const { projectId: giver, recordsets } = zone;
  let limits = quotas;
  for (const project of [giver, receiver].sort()) {
    const state = await tx.projects.lock(project);
    if (project !== receiver) continue;
    limits = limitsOf(state, quotas);
    requireRoom('zones', limits.zones, state.zones + 1, 1);
  }
  await tx.projects.grow(giver, { zones: -1, recordsets: -recordsets });
  await tx.projects.grow(receiver, { zones: 1, recordsets });
  return limits;
}

/** The use cases of zone transfer accepts. */
export function transferAcceptUseCases(deps: TransferAcceptDeps) {
  const { store, clock, log, quotas, apex } = deps;

  async function handOver(
    tx: Transaction,
    zone: Zone,
    request: TransferRequest,
    receiver: string,
  ): Promise<void> {
    await requireRoomForZone(tx, zone, await moveCounters(tx, zone, receiver, quotas));
    await requireNoForeignKin(tx, zone, receiver);
    const now = clock.now();
    const moved = steppedZone(zone, { projectId: receiver, transferredAt: now }, now);
    await tx.zones.update(moved, soaRdata(moved, apex));
    await tx.recordsets.moveTo(zone.id, receiver);
    const updatedAt = notBefore(now, request.createdAt, request.updatedAt);
    await tx.transfers.updateRequest({ ...request, status: 'COMPLETE', updatedAt });
  }

  async function accept(
    tx: Transaction,
    draft: TransferAcceptDraft,
    receiver: string,
  ): Promise<TransferAccept | DomainError> {
    const { zone, request } = await lockOffer(tx, draft.requestId);
    requireAcceptable(request, receiver);
    if (!isSameKey(draft.key, request.key)) return countWrongKey(tx, request, clock.now());
    await handOver(tx, zone, request, receiver);
    const { id: requestId, zoneId, key } = request;
    const done = { id: randomUUID(), requestId, zoneId, projectId: receiver, key, createdAt: clock.now() };
    await tx.transfers.insertAccept(done);
    await tx.transfers.keepNewest(receiver, HISTORY_KEPT);
    return done;
  }

  return {
    /**
     * Takes a zone over for the receiver. Checks in this order: target, use, owner, key, quotas, zones above and below.
     * The blacklists are not asked: no zone is created.
     */
    async create(
      draft: TransferAcceptDraft,
      receiver: string,
      once?: Once<TransferAccept>,
    ): Promise<TransferAccept> {
      const outcome = await createIn(store, once, (tx) => accept(tx, draft, receiver));
      const event = { audit: true, transfer_request: draft.requestId, project: receiver };
      if (outcome instanceof DomainError) {
        log.warn(event, 'refused a zone transfer for a wrong key');
        throw outcome;
      }
      log.info({ ...event, zone: outcome.zoneId }, 'transferred a zone');
      return outcome;
    },

    async get(id: string, scope: Scope): Promise<TransferAccept> {
      const accept = await store.transfers.findAccept(id, scope);
      if (accept === undefined) throw new DomainError('transfer_accept_not_found');
      return accept;
    },

    list(query: TransferQuery, scope: Scope): Promise<Page<TransferAccept>> {
      return store.transfers.listAccepts(query, scope);
    },
  };
}

export type TransferAcceptUseCases = ReturnType<typeof transferAcceptUseCases>;
