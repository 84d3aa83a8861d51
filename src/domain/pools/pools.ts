import { randomUUID } from 'node:crypto';
import { canonicalName, type Fqdn } from '../../dns/names.ts';
import { notBefore } from '../../model/clock.ts';
import type { ImportableOptions } from '../../model/context/options.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError } from '../../model/errors.ts';
import type { Target } from '../../model/event-types/event.ts';
import type { Page } from '../../model/lists.ts';
import { DEFAULT_POOL_ID, type NsRecord, type Pool, type PoolQuery } from '../../model/pools/pool.ts';
import type { Transaction } from '../../model/store.ts';
import type { Emit } from '../unit-of-work/unit-of-work.ts';
import type { UseCaseDeps } from '../unit-of-work/use-case.ts';
import { getZone } from '../zones/visible-zone.ts';
import { type ChangedPool, consequencesOf } from './pool-plan.ts';

/** The changeable fields of a pool. */
export type PoolChanges = Partial<Omit<PoolDraft, 'projectId'>>;
/** The fields of a pool in the API. The addresses of servers are only in the pool file of the command line. */
export type PoolDraft = Pick<Pool, 'name' | 'description' | 'attributes' | 'projectId'> & {
  readonly nsRecords: readonly NsRecord[];
};

export function poolTarget({ id, name }: { id: string; name?: string }): Target {
  return { kind: 'pool', id, name };
}

export function addPool(tx: Transaction, emit: Emit, pool: Pool): void {
  tx.pools.insert(pool);
  emit({ type: 'pool.created', target: poolTarget(pool), after: pool });
}

export function changePool(tx: Transaction, emit: Emit, change: ChangedPool): void {
  tx.pools.update(change.after, consequencesOf(change));
  emit({ type: 'pool.changed', target: poolTarget(change.after), ...change });
}

/** @throws DomainError `pool_has_zones`, or `default_pool` */
export async function removePool(tx: Transaction, emit: Emit, pool: Pool): Promise<void> {
  if (pool.id === DEFAULT_POOL_ID) throw new DomainError('default_pool');
  if (await tx.pools.hasZones(pool.id)) {
    throw new DomainError(
      'pool_has_zones',
      `The pool ${pool.name} has zones. Only an empty pool can be deleted.`,
    );
  }
  tx.pools.remove(pool.id);
  emit({ type: 'pool.deleted', target: poolTarget(pool), before: pool });
}

function requireFound(pool: Pool | undefined): Pool {
  if (pool === undefined) throw new DomainError('pool_not_found');
  return pool;
}

function requireFreeName(name: string, others: readonly Pool[]): void {
  if (others.some((pool) => pool.name === name)) throw new DomainError('duplicate_pool');
}

function newPool(draft: PoolDraft, now: string): Pool {
  return {
    id: randomUUID(),
    ...draft,
    nameservers: [],
    alsoNotifies: [],
    catalogZone: null,
    threshold: null,
    tsigKey: null,
    signing: false,
    createdAt: now,
    updatedAt: null,
  };
}

/** A pool with the NS records of its zones. */
export type ShownPool = Pool & { readonly nsRecords: readonly NsRecord[] };

export interface PoolDeps extends UseCaseDeps {
  /** The name servers of the option `ns_records`; the first is the primary one. */
  readonly nameServers: readonly string[];
}

/** The use cases of pools. */
export function poolUseCases({ store, clock, access, unitOfWork, nameServers }: PoolDeps) {
  const option = nameServers.map((hostname, place) => ({
    hostname: canonicalName<Fqdn>(hostname),
    priority: place + 1,
  }));
  const shown = (pool: Pool): ShownPool => ({ ...pool, nsRecords: pool.nsRecords ?? option });

  return {
    async create(
      context: RequestContext,
      draft: PoolDraft,
      options: ImportableOptions<ShownPool> = {},
    ): Promise<ShownPool> {
      access.require(context, 'create_pool', { projectId: context.projectId });
      const pool = { ...newPool(draft, clock.now()), ...options.kept };
      return unitOfWork.change(
        context,
        poolTarget(pool),
        async (tx, emit) => {
          requireFreeName(pool.name, await tx.pools.lockAll());
          addPool(tx, emit, pool);
          return shown(pool);
        },
        options,
      );
    },

    async get(context: RequestContext, id: string): Promise<ShownPool> {
      access.require(context, 'get_pool', { projectId: context.projectId });
      return shown(requireFound(await store.pools.find(id)));
    },

    async list(context: RequestContext, query: PoolQuery): Promise<Page<ShownPool>> {
      access.require(context, 'find_pools', { projectId: context.projectId });
      const page = await store.pools.list(query, undefined, context.caller.projectId);
      return { ...page, items: page.items.map(shown) };
    },

    async update(context: RequestContext, id: string, changes: PoolChanges): Promise<ShownPool> {
      access.require(context, 'update_pool', { projectId: context.projectId });
      return unitOfWork.change(context, poolTarget({ id }), async (tx, emit) => {
        const pools = await tx.pools.lockAll();
        const before = requireFound(pools.find((pool) => pool.id === id));
        const others = pools.filter((pool) => pool !== before);
        const updatedAt = notBefore(clock.now(), before.createdAt, before.updatedAt);
        const after: Pool = { ...before, ...changes, updatedAt };
        requireFreeName(after.name, others);
        changePool(tx, emit, { before, after });
        return shown(after);
      });
    },

    async remove(context: RequestContext, id: string): Promise<void> {
      access.require(context, 'delete_pool', { projectId: context.projectId });
      await unitOfWork.change(context, poolTarget({ id }), async (tx, emit) => {
        const pools = await tx.pools.lockAll();
        await removePool(tx, emit, requireFound(pools.find((pool) => pool.id === id)));
      });
    },

    /** The name servers of a zone, by priority. */
    async nameServersOf(context: RequestContext, zoneId: string): Promise<readonly NsRecord[]> {
      const zone = await getZone(store, access, context, 'get_zone_ns_records', zoneId);
      return shown(requireFound(await store.pools.find(zone.pool.id))).nsRecords;
    },
  };
}

export type PoolUseCases = ReturnType<typeof poolUseCases>;
