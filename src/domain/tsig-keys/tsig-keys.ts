import { randomUUID } from 'node:crypto';
import { notBefore } from '../../model/clock.ts';
import type { ImportableOptions } from '../../model/context/options.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError, invalidObject } from '../../model/errors.ts';
import type { Page } from '../../model/lists.ts';
import { keyNamesOf, type Pool } from '../../model/pools/pool.ts';
import type { Transaction } from '../../model/store.ts';
import {
  type NewTsigKey,
  opensPool,
  type TsigKey,
  type TsigKeyDraft,
  type TsigKeyQuery,
} from '../../model/tsig-keys/tsig-key.ts';
import type { UseCaseDeps } from '../unit-of-work/use-case.ts';
import { endKeys, tsigKeyTarget, withoutSecret } from '../zones/zone-keys.ts';
import { insertKey, type KeyRules, ownKeys } from './own-keys.ts';
import { completed } from './zone-key.ts';

/** Locks a key and all pools, so that no pool changes until this transaction ends. */
async function lockKey(tx: Transaction, id: string) {
  const pools = await tx.pools.lockAll();
  const key = await tx.tsigKeys.lock(id);
  if (key === undefined) throw new DomainError('tsigkey_not_found');
  return { key, pools };
}

/** The pools that use a key, for themselves or for their catalog zone. */
function usersOf(pools: readonly Pool[], name: string): readonly Pool[] {
  return pools.filter((pool) => keyNamesOf(pool).includes(name));
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

/** A key as it was written. */
export interface WrittenTsigKey extends TsigKey {
  /** What has the id of its resource, if that is not what its scope says: then the key opens nothing. */
  readonly isIdOf?: 'pool' | 'zone';
}

/**
 * Adds what the id is of, if it is of a resource of the other kind. It may be of none: import-designate creates keys
 * before their zones.
 */
async function withResource(tx: Transaction, pools: readonly Pool[], key: TsigKey): Promise<WrittenTsigKey> {
  const { scope, resourceId } = key;
  const isPool = pools.some(({ id }) => id === resourceId);
  if (scope === 'ZONE') return isPool ? { ...key, isIdOf: 'pool' } : key;
  const isZone = !isPool && (await tx.zones.find(resourceId, 'all projects')) !== undefined;
  return isZone ? { ...key, isIdOf: 'zone' } : key;
}

/** @throws DomainError `invalid_object` */
function requireNoPermissionsOfPool({ scope, permissions }: TsigKey): void {
  if (scope === 'ZONE' || permissions === undefined) return;
  const message = 'Only a key with the scope ZONE has permissions.';
  throw invalidObject([{ path: ['permissions'], message }]);
}

function isSameResource(one: TsigKey, other: TsigKey): boolean {
  return one.scope === other.scope && one.resourceId === other.resourceId;
}

/** @throws DomainError `invalid_object` */
function requireOfAdministrators({ projectId }: TsigKey): void {
  if (projectId === undefined) return;
  const message =
    'A project has made this key for its zone. It cannot be changed: delete it, or make another.';
  throw invalidObject([{ path: [], message }]);
}

async function requireFreeName(tx: Transaction, name: string): Promise<void> {
  if (await tx.tsigKeys.hasName(name)) throw new DomainError('duplicate_tsigkey');
}

const GET: KeyRules = { all: 'get_tsigkey', own: 'get_zone_tsigkey' };
const LIST: KeyRules = { all: 'find_tsigkeys', own: 'find_zone_tsigkeys' };
const DELETE: KeyRules = { all: 'delete_tsigkey', own: 'delete_zone_tsigkey' };

/** The use cases of TSIG keys. A project has those that it has made for its zones; all others are the administrators'. */
export function tsigKeyUseCases({ store, clock, access, unitOfWork }: UseCaseDeps) {
  const { reachesAll, requireOwn, createOfZone } = ownKeys({ clock, access, unitOfWork });

  return {
    /**
     * Creates a key; for callers who may only create keys of their zones, one of those.
     * @throws DomainError `duplicate_tsigkey`, `invalid_object`, and for a key of a zone `zone_not_found`, `zone_leaving`, `over_quota`
     */
    async create(
      context: RequestContext,
      asked: NewTsigKey,
      options: ImportableOptions<WrittenTsigKey> = {},
    ): Promise<WrittenTsigKey> {
      const draft = completed(asked);
      const target = { projectId: context.projectId };
      if (draft.scope === 'ZONE' && !access.allows(context, 'create_tsigkey', target))
        return createOfZone(context, draft, options);
      access.require(context, 'create_tsigkey', target);
      const always = { id: randomUUID(), createdAt: clock.now(), updatedAt: null };
      const key: TsigKey = { ...draft, ...always, ...options.kept };
      return unitOfWork.change(
        context,
        tsigKeyTarget(key),
        async (tx, emit) => {
          const pools = await tx.pools.lockAll();
          requireNoPermissionsOfPool(key);
          await insertKey(tx, emit, key);
          return withResource(tx, pools, key);
        },
        options,
      );
    },

    async get(context: RequestContext, id: string): Promise<TsigKey> {
      const isOfAll = reachesAll(context, GET);
      const key = await store.tsigKeys.find(id);
      if (!isOfAll) return requireOwn(context, key, GET);
      if (key === undefined) throw new DomainError('tsigkey_not_found');
      return key;
    },

    async list(context: RequestContext, query: TsigKeyQuery): Promise<Page<TsigKey>> {
      const within = reachesAll(context, LIST) ? 'all keys' : { madeBy: context.scope };
      return store.tsigKeys.list(query, within, context.caller.projectId);
    },

    async update(
      context: RequestContext,
      id: string,
      changes: Partial<TsigKeyDraft>,
    ): Promise<WrittenTsigKey> {
      access.require(context, 'update_tsigkey', { projectId: context.projectId });
      return unitOfWork.change(context, { kind: 'tsigkey', id }, async (tx, emit) => {
        const { key: before, pools } = await lockKey(tx, id);
        requireOfAdministrators(before);
        const updatedAt = notBefore(clock.now(), before.createdAt, before.updatedAt);
        const after: TsigKey = { ...before, ...changes, updatedAt };
        const isMoved = !isSameResource(before, after);
        const isRenamed = after.name !== before.name;
        requireNoPermissionsOfPool(after);
        if (isMoved || isRenamed) requireUsable(pools, before, after);
        if (isRenamed) await requireFreeName(tx, after.name);
        tx.tsigKeys.update(after);
        emit({
          type: 'tsigkey.changed',
          target: tsigKeyTarget(after),
          before: withoutSecret(before),
          after: withoutSecret(after),
        });
        return withResource(tx, pools, after);
      });
    },

    async remove(context: RequestContext, id: string): Promise<void> {
      const isOfAll = reachesAll(context, DELETE);
      await unitOfWork.change(context, { kind: 'tsigkey', id }, async (tx, emit) => {
        if (!isOfAll) return endKeys(tx, [requireOwn(context, await tx.tsigKeys.lock(id), DELETE)], emit);
        const { key, pools } = await lockKey(tx, id);
        requireUsable(pools, key);
        endKeys(tx, [key], emit);
      });
    },
  };
}

export type TsigKeyUseCases = ReturnType<typeof tsigKeyUseCases>;
