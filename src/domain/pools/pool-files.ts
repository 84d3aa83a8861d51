/** Makes the pools in the store match a file. */
import { isDeepStrictEqual } from 'node:util';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError } from '../../model/errors.ts';
import { keyNamesOf } from '../../model/pools/pool.ts';
import type { Transaction } from '../../model/store.ts';
import type { Emit } from '../unit-of-work/unit-of-work.ts';
import { type PoolSpec, poolToFile } from './pool-file.ts';
import { differencesOf, type PoolDifference, type PoolPlan, planPools } from './pool-plan.ts';
import { addPool, changePool, type PoolDeps, removePool } from './pools.ts';

/** The desired pools. */
export interface WantedPools {
  readonly pools: readonly PoolSpec[];
  /** True to remove pools that are not listed, except the default one. */
  readonly removesOthers: boolean;
}

/** Rolls back the transaction of a dry run. */
class Looked extends Error {
  differences: readonly PoolDifference[] = [];
}

/** The use cases of pool files. */
export function poolFileUseCases({ store, clock, access, unitOfWork, nameServers }: PoolDeps) {
  /** The name servers in force; before the first start, those of the configuration. */
  const optionNs = async () => (await store.pools.option()) ?? nameServers;

  async function planIn(
    tx: Transaction,
    { pools: specs, removesOthers }: WantedPools,
    option: readonly string[],
  ): Promise<PoolPlan> {
    const pools = await tx.pools.lockAll();
    const catalogs = specs.flatMap(({ catalogZone }) => catalogZone?.fqdn ?? []);
    const present = {
      pools,
      optionNs: option,
      keys: await tx.tsigKeys.named(specs.flatMap(keyNamesOf)),
      zoneNames: await tx.zones.namesAmong(catalogs),
    };
    return planPools(specs, present, { removesOthers, now: () => clock.now() });
  }

  async function carryOut(tx: Transaction, emit: Emit, { added, changed, removed }: PoolPlan): Promise<void> {
    for (const pool of removed) await removePool(tx, emit, pool);
    for (const change of changed) changePool(tx, emit, change);
    for (const pool of added) addPool(tx, emit, pool);
  }

  return {
    /** Every pool, as a file describes it. */
    async show(context: RequestContext): Promise<readonly object[]> {
      access.require(context, 'find_pools', { projectId: context.projectId });
      return (await store.pools.all()).map(poolToFile);
    },

    /**
     * Returns what `apply` would change, and changes nothing.
     * @throws DomainError any error of `apply`
     */
    async compare(context: RequestContext, wanted: WantedPools): Promise<readonly PoolDifference[]> {
      access.require(context, 'update_pool', { projectId: context.projectId });
      const option = await optionNs();
      const looked = new Looked();
      try {
        await store.transaction(async (tx) => {
          const plan = await planIn(tx, wanted, option);
          await carryOut(tx, () => {}, plan);
          looked.differences = differencesOf(plan);
          throw looked;
        });
      } catch (error) {
        if (error !== looked) throw error;
      }
      return looked.differences;
    },

    /**
     * Makes the pools match the file, in one transaction.
     * @param agreed the expected changes; if they no longer match, nothing is changed
     * @throws DomainError `invalid_object` with all faults, `pool_has_zones`, `pools_moved`
     */
    async apply(
      context: RequestContext,
      wanted: WantedPools,
      agreed: readonly PoolDifference[],
    ): Promise<void> {
      access.require(context, 'update_pool', { projectId: context.projectId });
      const option = await optionNs();
      await unitOfWork.change(context, { kind: 'pool' }, async (tx, emit) => {
        const plan = await planIn(tx, wanted, option);
        if (!isDeepStrictEqual(differencesOf(plan), agreed)) throw new DomainError('pools_moved');
        await carryOut(tx, emit, plan);
      });
    },
  };
}
