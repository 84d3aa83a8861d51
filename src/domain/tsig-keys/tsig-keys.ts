import { randomUUID } from 'node:crypto';
import { notBefore } from '../../model/clock.ts';
import type { ImportableOptions } from '../../model/context/options.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError, invalidObject } from '../../model/errors.ts';
import type { Target } from '../../model/event-types/event.ts';
import type { Page } from '../../model/lists.ts';
import type { Pool } from '../../model/pools/pool.ts';
import type { Transaction } from '../../model/store.ts';
import {
  opensPool,
  type TsigKey,
  type TsigKeyDraft,
  type TsigKeyQuery,
  type TsigKeyWithoutSecret,
} from '../../model/tsig-keys/tsig-key.ts';
import type { UseCaseDeps } from '../unit-of-work/use-case.ts';

function targetOf({ id, name }: { id: string; name?: string }): Target {
  return { kind: 'tsigkey', id, name };
}

function withoutSecret({ secret: _, ...key }: TsigKey): TsigKeyWithoutSecret {
  return key;
}

/** Locks a key and all pools, so that no pool changes until this transaction ends. */
async function lockKey(tx: Transaction, id: string) {
  const pools = await tx.pools.lockAll();
  const key = await tx.tsigKeys.lock(id);
  if (key === undefined) throw new DomainError('tsigkey_not_found');
  return { key, pools };
}

/** The pools that use a key, for themselves or for their catalog zone. */
function usersOf(pools: readonly Pool[], name: string): readonly Pool[] {
  return pools.filter(({ tsigKey, catalogZone }) => tsigKey === name || catalogZone?.tsigKey === name);
}

/** @param after the key after its change; undefined for its removal */
function requireUsable(pools: readonly Pool[], before: TsigKey, after?: TsigKey): void {
  const loser = usersOf(pools, before.name).find(
    ({ id }) => after === undefined || after.name !== before.name || !opensPool(after, id),
  );
  if (loser === undefined) return;
  const message = `The pool ${loser.name} uses the TSIG key. Assign another key to the pool first.`;
  throw new DomainError('tsigkey_in_use', message);
}

/**
 * The id must not be of a resource of the other kind. It may be of none: import-designate creates keys before their
 * zones.
 * @throws DomainError `invalid_object`
 */
async function requireMatchingResource(
  tx: Transaction,
  pools: readonly Pool[],
  { scope, resourceId }: Pick<TsigKey, 'scope' | 'resourceId'>,
): Promise<void> {
  const isPool = pools.some(({ id }) => id === resourceId);
  const refuse = (message: string) => invalidObject([{ path: ['resource_id'], message }]);
  if (scope === 'ZONE' && isPool) {
    throw refuse('This is the ID of a pool. Use the ID of a zone, or the scope POOL.');
  }
  if (scope === 'POOL' && !isPool && (await tx.zones.find(resourceId, 'all projects')) !== undefined) {
    throw refuse('This is the ID of a zone. Use the ID of a pool, or the scope ZONE.');
  }
}

function isSameResource(one: TsigKey, other: TsigKey): boolean {
  return one.scope === other.scope && one.resourceId === other.resourceId;
}

async function requireFreeName(tx: Transaction, name: string): Promise<void> {
  if (await tx.tsigKeys.hasName(name)) throw new DomainError('duplicate_tsigkey');
}

/** The use cases of TSIG keys. */
export function tsigKeyUseCases({ store, clock, access, unitOfWork }: UseCaseDeps) {
  return {
    async create(
      context: RequestContext,
      draft: TsigKeyDraft,
      options: ImportableOptions<TsigKey> = {},
    ): Promise<TsigKey> {
      access.require(context, 'create_tsigkey', { projectId: context.projectId });
      const key = { id: randomUUID(), ...draft, createdAt: clock.now(), updatedAt: null, ...options.kept };
      return unitOfWork.change(
        context,
        targetOf(key),
        async (tx, emit) => {
          const pools = await tx.pools.lockAll();
          await requireMatchingResource(tx, pools, key);
          await requireFreeName(tx, key.name);
          tx.tsigKeys.insert(key);
          emit({ type: 'tsigkey.created', target: targetOf(key), after: withoutSecret(key) });
          return key;
        },
        options,
      );
    },

    async get(context: RequestContext, id: string): Promise<TsigKey> {
      access.require(context, 'get_tsigkey', { projectId: context.projectId });
      const key = await store.tsigKeys.find(id);
      if (key === undefined) throw new DomainError('tsigkey_not_found');
      return key;
    },

    async list(context: RequestContext, query: TsigKeyQuery): Promise<Page<TsigKey>> {
      access.require(context, 'find_tsigkeys', { projectId: context.projectId });
      return store.tsigKeys.list(query, undefined, context.caller.projectId);
    },

    async update(context: RequestContext, id: string, changes: Partial<TsigKeyDraft>): Promise<TsigKey> {
      access.require(context, 'update_tsigkey', { projectId: context.projectId });
      return unitOfWork.change(context, targetOf({ id }), async (tx, emit) => {
        const { key: before, pools } = await lockKey(tx, id);
        const updatedAt = notBefore(clock.now(), before.createdAt, before.updatedAt);
        const after: TsigKey = { ...before, ...changes, updatedAt };
        const isMoved = !isSameResource(before, after);
        const isRenamed = after.name !== before.name;
        if (isMoved) await requireMatchingResource(tx, pools, after);
        if (isMoved || isRenamed) requireUsable(pools, before, after);
        if (isRenamed) await requireFreeName(tx, after.name);
        tx.tsigKeys.update(after);
        emit({
          type: 'tsigkey.changed',
          target: targetOf(after),
          before: withoutSecret(before),
          after: withoutSecret(after),
        });
        return after;
      });
    },

    async remove(context: RequestContext, id: string): Promise<void> {
      access.require(context, 'delete_tsigkey', { projectId: context.projectId });
      await unitOfWork.change(context, targetOf({ id }), async (tx, emit) => {
        const { key: before, pools } = await lockKey(tx, id);
        requireUsable(pools, before);
        tx.tsigKeys.remove(id);
        emit({ type: 'tsigkey.deleted', target: targetOf(before), before: withoutSecret(before) });
      });
    },
  };
}

export type TsigKeyUseCases = ReturnType<typeof tsigKeyUseCases>;
