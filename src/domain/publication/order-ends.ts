import { zoneIdOf } from '../../model/publication/publication.ts';
import type { Store, Transaction } from '../../model/store.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { type MoveStepDeps, moveSteps } from './move-steps.ts';

/** What comes next once name servers have what an order says. */
export function orderEnds({ store, ...deps }: MoveStepDeps & { readonly store: Store }) {
  const { clock, changes } = deps;
  const steps = moveSteps(deps);

  /** The name and the place in the quota are free again once the servers of every pool have dropped the zone. */
  async function endDeletion(tx: Transaction, zone: Zone): Promise<void> {
    const { former } = await tx.publications.ordersOf(zone.id);
    if (former === undefined) await changes.apply(tx, { kind: 'deletion', zone, waits: false });
    else tx.publications.promoteFormer(zone.id, clock.now());
  }

  /** A zone comes into a pool under the lock on its name, as when it is created. */
  async function proceed({ id, name }: Zone, isGone: boolean): Promise<void> {
    await store.transaction(async (tx) => {
      await tx.zones.lockName(name);
      const zone = await tx.zones.lock(id, 'all projects');
      if (zone !== undefined && zone.movesTo !== null) await steps.proceed(tx, zone, isGone);
    });
  }

  async function endFormer(tx: Transaction, zoneId: string): Promise<void> {
    const { former } = await tx.publications.ordersOf(zoneId);
    if (former?.isRemoval === true) tx.publications.endMove(zoneId, clock.now());
  }

  /** A zone that moves and is to go on; undefined where all is done. */
  async function end(tx: Transaction, orderId: string): Promise<Zone | undefined> {
    const id = zoneIdOf(orderId);
    const zone = await tx.zones.lock(id, 'all projects');
    if (zone === undefined) return undefined;
    if (orderId !== id) await endFormer(tx, id);
    else if (zone.action === 'DELETE') await endDeletion(tx, zone);
    else if (zone.movesTo !== null) return zone;
    return undefined;
  }

  return {
    /**
     * Does what comes next: a zone that is being removed is gone for good, one that moves goes on. Does nothing where
     * something else has happened meanwhile.
     * @param isGone whether the servers have dropped the zone, as the order says
     */
    async finish(orderId: string, isGone: boolean): Promise<void> {
      const moving = await store.transaction((tx) => end(tx, orderId));
      if (moving !== undefined) await proceed(moving, isGone);
    },
  };
}
