/** Brings the pools of the store to what a file says. */
import { isDeepStrictEqual } from 'node:util';
import type { Act } from '../../model/acts/act.ts';
import { DomainError } from '../../model/errors.ts';
import type { Transaction } from '../../model/store.ts';
import type { Tell } from '../acts/acts.ts';
import { type PoolSpec, poolToFile } from './pool-file.ts';
import { differencesOf, type PoolDifference, type PoolPlan, planPools } from './pool-plan.ts';
import { addPool, changePool, type PoolDeps, removePool } from './pools.ts';

/** The pools that there are to be. */
export interface WantedPools {
  readonly pools: readonly PoolSpec[];
  /** Whether those that are not listed are removed, except the default one. */
  readonly removesOthers: boolean;
}

/** Ends a transaction that only looks. */
class Looked extends Error {
  differences: readonly PoolDifference[] = [];
}

/** The use cases of pool files. */
export function poolFileUseCases({ store, clock, access, acts, nameServers }: PoolDeps) {
  /** Those that the service goes by; before its first start, those that it will. */
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
      keys: await tx.tsigKeys.all(),
      zoneNames: await tx.zones.namesAmong(catalogs),
    };
    return planPools(specs, present, { removesOthers, now: () => clock.now() });
  }

  async function carryOut(tx: Transaction, tell: Tell, { added, changed, removed }: PoolPlan): Promise<void> {
    for (const pool of removed) await removePool(tx, tell, pool);
    for (const change of changed) changePool(tx, tell, change);
    for (const pool of added) addPool(tx, tell, pool);
  }

  return {
    /** Every pool, as a file describes it. */
    async show(act: Act): Promise<readonly object[]> {
      access.require(act, 'find_pools', { projectId: act.projectId });
      return (await store.pools.all()).map(poolToFile);
    },

    /**
     * What `apply` would change. Nothing is changed.
     * @throws DomainError what `apply` throws
     */
    async compare(act: Act, wanted: WantedPools): Promise<readonly PoolDifference[]> {
      access.require(act, 'update_pool', { projectId: act.projectId });
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
     * Brings the pools to what is wanted, in one transaction.
     * @param agreed what is to change: if it is something else by now, nothing is changed
     * @throws DomainError `invalid_object` with all faults at once, `pool_has_zones`, `pools_moved`
     */
    async apply(act: Act, wanted: WantedPools, agreed: readonly PoolDifference[]): Promise<void> {
      access.require(act, 'update_pool', { projectId: act.projectId });
      const option = await optionNs();
      await acts.change(act, { kind: 'pool' }, async (tx, tell) => {
        const plan = await planIn(tx, wanted, option);
        if (!isDeepStrictEqual(differencesOf(plan), agreed)) throw new DomainError('pools_moved');
        await carryOut(tx, tell, plan);
      });
    },
  };
}
