/**
 * The steps of moving a zone from its pool to another one. Each is one transaction. The store determines the next step,
 * so that any process can continue after a crash.
 *
 * No server in common: the new pool serves the zone alongside the old one. Once its servers have the zone, the apex
 * changes to that of the new pool. Once they have that, the old pool drops the zone. Once that is confirmed, the move
 * is complete.
 *
 * A server in common, or no servers in the new pool: the old pool drops the zone. Once that is confirmed, the apex
 * changes to that of the new pool, which then serves the zone. Once its servers have it, the move is complete.
 *
 * The apex and the serial of a secondary zone are its master's: they do not change, and no step waits for them. A zone
 * that awaits its first transfer is not published, and an expired one is not served: no step waits until servers have
 * it.
 */
import { isLaterSerial } from '../../dns/serial.ts';
import { NO_CONTENTS } from '../../model/changes/contents.ts';
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

/** The progress of a move. */
interface MoveState {
  readonly own: Order;
  readonly former: Order | undefined;
  /** True if the pool of its own order no longer has servers. */
  readonly isUnserved: boolean;
}

/** True if the servers of an order have this serial or a later one. */
function have({ publishedSerial }: Order, serial: number): boolean {
  return publishedSerial !== null && !isLaterSerial(serial, publishedSerial);
}

/** True if the hidden primary refuses the zone until one of its masters responds. */
export async function hasExpired(tx: Transaction, { id, type }: Zone): Promise<boolean> {
  return type === 'SECONDARY' && (await tx.secondaries.retryOf(id))?.isExpired === true;
}

export function moveSteps({ clock, changes, apex }: MoveStepDeps) {
  /**
   * Puts the zone into its new pool, with that pool's apex, in one step of its serial. A secondary zone keeps its apex
   * and serial.
   */
  async function enter(tx: Transaction, zone: Zone, to: Pool): Promise<Zone> {
    const pool = (await tx.pools.findForZone(to.id))!;
    const keepsApex = zone.type === 'SECONDARY';
    const contents = keepsApex ? undefined : await apexChange(tx, zone, nameServersOf({ pool }, apex), clock);
    const applied = await changes.apply(tx, { kind: 'move', zone, pool, contents: contents ?? NO_CONTENTS });
    return applied.after;
  }

  /** Puts a zone that no server has into its new pool. */
  async function enterAnew(tx: Transaction, zone: Zone, to: Pool): Promise<void> {
    const placed = await enter(tx, zone, to);
    if (placed.isAwaited) return;
    tx.publications.place(placed, clock.now());
    if (await hasExpired(tx, placed)) tx.publications.endMove(placed.id, clock.now());
  }

  /** Continues the move once the new pool serves the zone, alongside the old one or alone. */
  async function resumeBeside(
    tx: Transaction,
    zone: Zone,
    to: Pool,
    { own, former }: MoveState,
  ): Promise<void> {
    if (zone.pool.id !== to.id) {
      const entered = await enter(tx, zone, to);
      tx.publications.awaitSerial(entered);
      if (!have(own, entered.serial)) return;
    }
    if (former === undefined) tx.publications.endMove(zone.id, clock.now());
    else tx.publications.removeFormer(zone.id, clock.now());
  }

  /** Continues a move whose order is not a removal. */
  async function resume(tx: Transaction, zone: Zone, to: Pool, standing: MoveState): Promise<void> {
    const { own, former, isUnserved } = standing;
    if (isUnserved && former === undefined) await enterAnew(tx, zone, to);
    else if (isUnserved) tx.publications.promoteFormer(zone.id, clock.now());
    else if (own.move !== null && have(own, own.move.serial)) await resumeBeside(tx, zone, to, standing);
  }

  return {
    enterAnew,

    /**
     * Takes the next step of moving a locked zone, if it is due.
     * @param isGone true if the zone's own order is its removal, and the servers of the old pool have dropped the zone
     */
    async proceed(tx: Transaction, zone: Zone, isGone: boolean): Promise<void> {
      const { own, former } = await tx.publications.ordersOf(zone.id);
      const pools = await tx.pools.all();
      const to = pools.find(({ id }) => id === zone.movesTo);
      if (own === undefined || to === undefined) return;
      const isUnserved = pools.every((pool) => pool.id !== own.poolId || !publishes(pool));
      if (!own.isRemoval) await resume(tx, zone, to, { own, former, isUnserved });
      else if (isGone || isUnserved) await enterAnew(tx, zone, to);
    },
  };
}
