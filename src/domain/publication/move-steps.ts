/**
 * The steps of moving a zone from its pool to another one. Each is one transaction, and what stands in the store says which is
 * the next one, so that any process goes on after a crash.
 *
 * No server in common: the new pool gets the zone beside the old one; once its servers have it, the apex becomes that of
 * the new pool; once they have that, the old pool drops the zone; once that is seen, the move is over.
 *
 * A server in common, or none in the new pool: the old pool drops the zone; once that is seen, the apex becomes that of the
 * new pool, which gets the zone; once its servers have it, the move is over.
 *
 * The apex and the serial of a secondary zone are its master's: they stay, and nothing waits for them. Of one that is awaited
 * nothing is published, and one that has expired is not answered: no step waits until servers have it.
 */
import { isLaterSerial } from '../../dns/serial.ts';
import { NO_CONTENTS } from '../../model/changes/zone-change.ts';
import type { Clock } from '../../model/clock.ts';
import { type Pool, publishes } from '../../model/pools/pool.ts';
import type { Order } from '../../model/publication/publication.ts';
import type { Transaction } from '../../model/store.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { type ApexSettings, nameServersOf } from '../zones/apex.ts';
import { apexChange } from '../zones/apex-change.ts';
import type { ZoneChanges } from '../zones/zone-changes.ts';

export interface MoveStepDeps {
  readonly clock: Clock;
  readonly changes: ZoneChanges;
  readonly apex: ApexSettings;
}

/** How far a move has come. */
interface Standing {
  readonly own: Order;
  readonly former: Order | undefined;
  /** Whether the pool of its own order has no servers any more. */
  readonly isUnserved: boolean;
}

/** Whether the servers of an order have a serial, or a later one. */
function have({ publishedSerial }: Order, serial: number): boolean {
  return publishedSerial !== null && !isLaterSerial(serial, publishedSerial);
}

/** Whether the hidden primary refuses the zone until one of its masters is heard. */
export async function hasExpired(tx: Transaction, { id, type }: Zone): Promise<boolean> {
  return type === 'SECONDARY' && (await tx.secondaries.retryOf(id))?.isExpired === true;
}

export function moveSteps({ clock, changes, apex }: MoveStepDeps) {
  /** Gives the zone its pool and the apex of it: one step of its serial. A secondary zone keeps both. */
  async function enter(tx: Transaction, zone: Zone, to: Pool): Promise<Zone> {
    const pool = (await tx.pools.findForZone(to.id))!;
    const keepsApex = zone.type === 'SECONDARY';
    const contents = keepsApex ? undefined : await apexChange(tx, zone, nameServersOf({ pool }, apex), clock);
    const applied = await changes.apply(tx, { kind: 'move', zone, pool, contents: contents ?? NO_CONTENTS });
    return applied.after!;
  }

  /** For a zone that no server has, or has any more. */
  async function enterAnew(tx: Transaction, zone: Zone, to: Pool): Promise<void> {
    const placed = await enter(tx, zone, to);
    if (placed.isAwaited) return;
    tx.publications.place(placed, clock.now());
    if (await hasExpired(tx, placed)) tx.publications.endMove(placed.id, clock.now());
  }

  /** The new pool has the zone beside the old one, or alone. */
  async function goOnBeside(tx: Transaction, zone: Zone, to: Pool, { own, former }: Standing): Promise<void> {
    if (zone.pool.id !== to.id) {
      const entered = await enter(tx, zone, to);
      tx.publications.awaitSerial(entered);
      if (!have(own, entered.serial)) return;
    }
    if (former === undefined) tx.publications.endMove(zone.id, clock.now());
    else tx.publications.removeFormer(zone.id, clock.now());
  }

  /** The order says that the zone is to be on servers. */
  async function goOn(tx: Transaction, zone: Zone, to: Pool, standing: Standing): Promise<void> {
    const { own, former, isUnserved } = standing;
    if (isUnserved && former === undefined) await enterAnew(tx, zone, to);
    else if (isUnserved) tx.publications.promoteFormer(zone.id, clock.now());
    else if (own.move !== null && have(own, own.move.serial)) await goOnBeside(tx, zone, to, standing);
  }

  return {
    enterAnew,

    /**
     * Does the next step of the move of a locked zone, if it is time for it.
     * @param isGone whether the servers of the pool that the zone leaves have dropped it, where its own order is its removal
     */
    async proceed(tx: Transaction, zone: Zone, isGone: boolean): Promise<void> {
      const { own, former } = await tx.publications.ordersOf(zone.id);
      const pools = await tx.pools.all();
      const to = pools.find(({ id }) => id === zone.movesTo);
      if (own === undefined || to === undefined) return;
      const isUnserved = pools.every((pool) => pool.id !== own.poolId || !publishes(pool));
      if (!own.isRemoval) await goOn(tx, zone, to, { own, former, isUnserved });
      else if (isGone || isUnserved) await enterAnew(tx, zone, to);
    },
  };
}
