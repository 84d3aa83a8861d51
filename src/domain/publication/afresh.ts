/**
 * Makes name servers fetch zones for which they have a later serial than the store: after a master's serial went back,
 * or the store was restored.
 */
import { isLaterSerial } from '../../dns/serial.ts';
import { NO_CONTENTS } from '../../model/changes/contents.ts';
import { epochSeconds } from '../../model/clock.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { formerOrderId, type Order } from '../../model/publication/publication.ts';
import { nextSerial, serialAhead } from '../../model/zones/serial.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { zoneTarget } from '../events/zone-target.ts';
import type { UseCaseDeps } from '../unit-of-work/use-case.ts';
import { changedBy } from '../zones/change-source.ts';
import type { ZoneChanges } from '../zones/zone-changes.ts';

const PAGE = 500;

/** `raised`: the zone has a later serial. `relabelled`: its label in the catalog is new. */
export type Afresh = 'raised' | 'relabelled' | 'no catalog' | 'not published';

export interface Restored {
  readonly raised: number;
  readonly others: number;
}

export function afreshUseCases(deps: UseCaseDeps & { readonly changes: ZoneChanges }) {
  const { store, access, unitOfWork, clock, changes } = deps;

  const requireAdministrator = (context: RequestContext) =>
    access.require(context, 'update_pool', { projectId: context.projectId });

  const now = (): number => epochSeconds(clock.now());

  /** The serial after those of all servers; undefined if one is later than any that this service may have issued. */
  function serialAfter({ servers }: Order): number | undefined {
    const known = servers.flatMap(({ serial }) => serial ?? []);
    if (known.some((serial) => isLaterSerial(serial, serialAhead(now())))) return undefined;
    return known.reduce((least, serial) => nextSerial(serial, least), now());
  }

  /**
   * Raises the serial of a primary zone.
   * @returns false for a deleted zone, or one without a serial of its own
   */
  const raise = (context: RequestContext, id: string, minSerial: number): Promise<boolean> =>
    unitOfWork.commit(context, async (tx, emit) => {
      const zone = await tx.zones.lock(id, 'all projects');
      if (zone?.type !== 'PRIMARY' || zone.action === 'DELETE') return false;
      const contents = { ...NO_CONTENTS, steps: true };
      const by = changedBy(context);
      const change = { kind: 'update', zone, properties: {}, contents, minSerial, by } as const;
      const applied = await changes.apply(tx, change);
      emit({ type: 'zone.changed', target: zoneTarget(zone), ...applied });
      return true;
    });

  const relabel = (context: RequestContext, { id }: Zone): Promise<boolean> =>
    unitOfWork.commit(context, async (tx, emit) => {
      const zone = await tx.zones.lock(id, 'all projects');
      if (zone === undefined || !(await tx.publications.relabel(id, clock.now()))) return false;
      emit({ type: 'zone.relabelled', target: zoneTarget(zone) });
      return true;
    });

  async function restorePage(context: RequestContext, orders: readonly Order[]): Promise<number> {
    let raised = 0;
    const others: string[] = [];
    for (const { zoneId } of orders) {
      if (await raise(context, zoneId, serialAhead(now()))) raised += 1;
      else others.push(zoneId, formerOrderId(zoneId));
    }
    await store.transaction(async (tx) => tx.publications.orderAnew(others, clock.now()));
    return raised;
  }

  return {
    /**
     * Raises the serial of a primary zone, if a later one can be reached. Any other zone gets a new catalog label;
     * servers that sign it lose its keys.
     */
    async afresh(context: RequestContext, zone: Zone): Promise<Afresh> {
      requireAdministrator(context);
      const order = await store.publications.find(zone.id);
      if (order === undefined) return 'not published';
      const least = serialAfter(order);
      if (least !== undefined && (await raise(context, zone.id, least))) return 'raised';
      return (await relabel(context, zone)) ? 'relabelled' : 'no catalog';
    },

    /**
     * Publishes anew after the store was restored, past what servers got from the lost store: catalogs are fetched
     * whole, primary zones get serials a day ahead of the current time, and the servers of other zones are queried
     * again. Can be interrupted and rerun.
     */
    async restored(context: RequestContext): Promise<Restored> {
      requireAdministrator(context);
      let raised = 0;
      let others = 0;
      for (const { id } of await store.pools.all()) {
        await store.transaction((tx) => tx.publications.renewCatalog(id));
        for (let after = ''; ; ) {
          const orders = await store.publications.page(id, after, PAGE);
          const count = await restorePage(context, orders);
          raised += count;
          others += orders.length - count;
          if (orders.length < PAGE) break;
          after = orders.at(-1)!.id;
        }
      }
      return { raised, others };
    },
  };
}
