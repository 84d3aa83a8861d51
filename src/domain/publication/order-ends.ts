import { zoneIdOf } from '../../model/publication/publication.ts';
import type { Store, Transaction } from '../../model/store.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { type MoveStepDeps, moveSteps } from './move-steps.ts';

/** Completes orders once name servers have carried them out. */
export function orderEnds({ store, ...deps }: MoveStepDeps & { readonly store: Store }) {
  const { clock, changes } = deps;
  const steps = moveSteps(deps);

  /** Frees the name and the quota of a deleted zone once the servers of every pool have dropped it. */
  async function endDeletion(tx: Transaction, zone: Zone): Promise<void> {
    const { former } = await tx.publications.ordersOf(zone.id);
    if (former === undefined) await changes.apply(tx, { kind: 'deletion', zone, waits: false });
    else tx.publications.promoteFormer(zone.id, clock.now());
  }

  /** Takes the next step of a move. A zone enters a pool under the lock on its name, as at its creation. */
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

  /**
   * Completes an order.
   * @returns the zone if it is moving and needs its next step
   */
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
     * Completes an order: a zone being removed is deleted for good, one that moves takes its next step. Does nothing if
     * the state has changed meanwhile.
     * @param isGone true if the servers have dropped the zone, as ordered
     */
    async finish(orderId: string, isGone: boolean): Promise<void> {
      const moving = await store.transaction((tx) => end(tx, orderId));
      if (moving !== undefined) await proceed(moving, isGone);
    },
  };
}
