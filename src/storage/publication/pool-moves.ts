/** Moves a zone from one pool to another: its own order, and the order for the former pool. */
import { type Kysely, sql } from 'kysely';
import { formerOrderId } from '../../model/publication/publication.ts';
import type { PoolMoveWrites } from '../../model/publication/store.ts';
import type { Zone } from '../../model/zones/zone.ts';
import type { OpenTransaction } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { leaveCatalog } from './catalog.ts';
import { orderFromRow, orders } from './rows.ts';

const NOT_MOVING = { moving: '', moving_serial: 0 };

/** Resets an order, as if no server had been checked for it. */
function anew(now: string) {
  return { attempts: 0, due_at: now, pending_since: now, error: '' };
}

function removing(now: string) {
  return { ...anew(now), removal: 1, joining: 0 };
}

/** Renames an order, and its catalog members. */
function renamed(db: Kysely<Schema>, from: string, to: string) {
  return [
    db.updateTable('publications').set({ zone_id: to }).where('zone_id', '=', from),
    db
      .updateTable('catalog_members')
      .set({ zone_id: to })
      .where('zone_id', '=', from)
      .where('to_serial', '=', 0),
  ];
}

/** The order of a zone in its new pool; none if that pool does not publish. */
function placed(db: Kysely<Schema>, { id, pool, serial }: Zone, now: string) {
  return sql`
    insert into publications (zone_id, pool_id, joining, serial, pending_since, due_at, moving, moving_serial)
    select cast(${id} as text), id, case when catalog_fqdn = '' then 0 else 1 end, cast(${serial} as bigint),
      cast(${now} as text), cast(${now} as text), id, cast(${serial} as bigint)
    from pools where id = ${pool.id} and publishes = 1
    on conflict (zone_id) do update set pool_id = excluded.pool_id, joining = excluded.joining, removal = 0,
      serial = excluded.serial, published_serial = null, servers = '[]', error = '', attempts = 0,
      pending_since = excluded.pending_since, due_at = excluded.due_at, moving = excluded.moving,
      moving_serial = excluded.moving_serial`.compile(db);
}

export function poolMoveWrites({ now: db, later }: OpenTransaction): PoolMoveWrites {
  const own = (zoneId: string) => db.updateTable('publications').where('zone_id', '=', zoneId);
  const renameAll = (...names: readonly (readonly [from: string, to: string])[]): void => {
    for (const [from, to] of names) for (const statement of renamed(db, from, to)) later(statement);
  };

  return {
    async ordersOf(zoneId) {
      const formerId = formerOrderId(zoneId);
      const rows = await orders(db).where('publications.zone_id', 'in', [zoneId, formerId]).execute();
      const found = rows.map(orderFromRow);
      return { own: found.find(({ id }) => id === zoneId), former: found.find(({ id }) => id === formerId) };
    },

    moveBeside({ id, serial }, poolId, now) {
      const former = formerOrderId(id);
      // First: this waits for a catalog batch that is adding the zone.
      later(own(id).set({ joining: 0 }));
      later(
        sql`insert into publications (zone_id, pool_id, serial, published_serial, pending_since, due_at, error, servers)
          select cast(${former} as text), pool_id, serial, published_serial, pending_since, due_at, error, servers
          from publications where zone_id = ${id}`.compile(db),
      );
      later(
        db
          .updateTable('catalog_members')
          .set({ zone_id: former })
          .where('zone_id', '=', id)
          .where('to_serial', '=', 0),
      );
      later(
        own(id).set({
          ...anew(now),
          pool_id: poolId,
          joining: sql`(select case when catalog_fqdn = '' then 0 else 1 end from pools where id = ${poolId})`,
          published_serial: null,
          servers: '[]',
          moving: poolId,
          moving_serial: serial,
        }),
      );
    },

    moveAfter({ id, serial }, poolId, now) {
      later(own(id).set({ ...removing(now), published_serial: null, moving: poolId, moving_serial: serial }));
      later(db.deleteFrom('zone_journal').where('zone_id', '=', id));
      later(leaveCatalog(db, id));
    },

    destination: (zoneId, poolId) => later(own(zoneId).set({ moving: poolId })),
    awaitSerial: ({ id, serial }) => later(own(id).set({ moving_serial: serial })),

    place(zone, now) {
      later(leaveCatalog(db, zone.id));
      if (!zone.pool.publishes) {
        later(db.deleteFrom('publications').where('zone_id', '=', zone.id));
        later(db.deleteFrom('zone_journal').where('zone_id', '=', zone.id));
      } else later(placed(db, zone, now));
    },

    takeBack({ id, pool, serial }, now) {
      const former = formerOrderId(id);
      renameAll([id, `${id}/between`], [former, id], [`${id}/between`, former]);
      later(own(id).set({ ...anew(now), moving: pool.id, moving_serial: serial }));
      later(own(former).set({ ...removing(now), ...NOT_MOVING }));
      later(leaveCatalog(db, former));
    },

    removeFormer(zoneId, now) {
      const former = formerOrderId(zoneId);
      later(own(former).set(removing(now)).where('removal', '=', 0));
      later(leaveCatalog(db, former));
    },

    promoteFormer(zoneId, now) {
      later(own(formerOrderId(zoneId)).set(removing(now)).where('removal', '=', 0));
      later(
        sql`update publications set moving = (select moving from publications where zone_id = ${zoneId})
          where zone_id = ${formerOrderId(zoneId)}`.compile(db),
      );
      later(db.deleteFrom('publications').where('zone_id', '=', zoneId));
      // After the order, because a catalog batch may just have added it.
      later(leaveCatalog(db, zoneId));
      renameAll([formerOrderId(zoneId), zoneId]);
      later(own(zoneId).set({ attempts: 0, due_at: now }));
      later(leaveCatalog(db, zoneId));
    },

    endMove(zoneId, now) {
      later(leaveCatalog(db, formerOrderId(zoneId)));
      later(db.deleteFrom('publications').where('zone_id', '=', formerOrderId(zoneId)));
      later(
        own(zoneId)
          .set({ ...NOT_MOVING, attempts: 0, due_at: now })
          .where('moving', '<>', '')
          .where('removal', '=', 0),
      );
    },
  };
}
