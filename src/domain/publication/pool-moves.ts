import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError } from '../../model/errors.ts';
import { formatAddress, type Pool, publishes } from '../../model/pools/pool.ts';
import type { Transaction } from '../../model/store.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { zoneTarget } from '../events/zone-target.ts';
import type { UseCaseDeps } from '../unit-of-work/use-case.ts';
import { getZone, lockZone } from '../zones/visible-zone.ts';
import { hasExpired, type MoveStepDeps, moveSteps } from './move-steps.ts';

const NO_OTHER = 'No other pool matches the attributes of the zone. Set "pool_id".';
const UNKNOWN = 'No pool has this "pool_id".';

function shareServer(one: Pool, other: Pool): boolean {
  const addresses = new Set(one.nameservers.map(formatAddress));
  return other.nameservers.some((server) => addresses.has(formatAddress(server)));
}

/** Moves zones from their pool to another one. */
export function poolMoveUseCases({ store, access, unitOfWork, ...deps }: UseCaseDeps & MoveStepDeps) {
  const { clock } = deps;
  const steps = moveSteps(deps);

  /** The requested pool, or else the one that a new zone with the same attributes would get. */
  async function targetId(tx: Transaction, zone: Zone, named: string | undefined): Promise<string> {
    if (named !== undefined) return named;
    const { pool_id: _, ...attributes } = zone.attributes;
    const chosen = (await tx.pools.chooser())(zone.name, attributes);
    if (typeof chosen !== 'object' || chosen.id === (zone.movesTo ?? zone.pool.id)) {
      throw new DomainError('same_pool', NO_OTHER);
    }
    return chosen.id;
  }

  async function poolsOf(tx: Transaction, zone: Zone, named: string | undefined) {
    const id = await targetId(tx, zone, named);
    const pools = await tx.pools.all();
    const to = pools.find((pool) => pool.id === id);
    if (to === undefined) throw new DomainError('unknown_pool', UNKNOWN);
    if (id === (zone.movesTo ?? zone.pool.id)) throw new DomainError('same_pool');
    return { from: pools.find((pool) => pool.id === zone.pool.id)!, to };
  }

  async function begin(tx: Transaction, zone: Zone, from: Pool, to: Pool): Promise<void> {
    const now = clock.now();
    if (await tx.publications.forgetUnseen(zone.id)) return steps.enterAnew(tx, zone, to);
    const cannotBeBeside = !publishes(to) || shareServer(from, to) || (await hasExpired(tx, zone));
    if (cannotBeBeside) tx.publications.moveAfter(zone, to.id, now);
    else tx.publications.moveBeside(zone, to.id, now);
  }

  /**
   * Redirects a move. Until the zone has left its pool, the move can be cancelled; while it is in no pool, it can go to
   * any.
   */
  async function redirect(tx: Transaction, zone: Zone, to: Pool): Promise<void> {
    const { own, former } = await tx.publications.ordersOf(zone.id);
    if (own?.isRemoval === true) tx.publications.destination(zone.id, to.id);
    else if (former?.isRemoval === true) throw new DomainError('zone_move_ending');
    else if (former === undefined || zone.pool.id !== to.id) throw new DomainError('zone_moving');
    else tx.publications.takeBack(zone, clock.now());
  }

  return {
    /**
     * Begins to move a zone to another pool.
     * @param poolId undefined to choose the pool by the attributes of the zone
     * @throws DomainError `zone_not_found`, `access_denied`, `zone_leaving`, `unknown_pool`, `same_pool`, `zone_moving`
     *   or `zone_move_ending`
     */
    async move(context: RequestContext, zoneId: string, poolId: string | undefined): Promise<void> {
      const { name } = await getZone(store, access, context, 'pool_move_zone', zoneId);
      await unitOfWork.change(context, { kind: 'zone', id: zoneId }, async (tx, emit) => {
        // Prevents changes of pools meanwhile.
        await tx.zones.lockName(name);
        const zone = await lockZone(tx, access, context, 'pool_move_zone', zoneId);
        const { from, to } = await poolsOf(tx, zone, poolId);
        if (zone.movesTo === null) await begin(tx, zone, from, to);
        else await redirect(tx, zone, to);
        emit({ type: 'zone.pool_move_started', target: zoneTarget(zone), from: from.id, to: to.id });
      });
    },
  };
}

export type PoolMoveUseCases = ReturnType<typeof poolMoveUseCases>;
