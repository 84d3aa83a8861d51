import { type Kysely, sql } from 'kysely';
import { subtreeKey } from '../../dns/names.ts';
import {
  type ClaimedOrder,
  formerOrderId,
  type JournalEntry,
  type OrderOutcome,
} from '../../model/publication/publication.ts';
import type { JournalBounds, PublicationWrites } from '../../model/publication/store.ts';
import type { Zone } from '../../model/zones/zone.ts';
import type { OpenTransaction } from '../database/database.ts';
import { dialectOf } from '../database/dialect.ts';
import { prepared } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';
import { isAmong } from '../lists/list-conditions.ts';
import { isBehind } from '../publication-status.ts';
import { moveCatalog, pruneCatalogs, relabelMembers, renewCatalog } from './catalog.ts';
import { publicationEnds } from './ends.ts';
import { poolMoveWrites } from './pool-moves.ts';
import { reconcile } from './reconcile.ts';
import { orderFromRow, orders } from './rows.ts';

const TRANSFERS_KEPT = 8;

/** The orders of new zones, as one JSON text. */
const enrolled = prepared<readonly Zone[]>((db, slot) => {
  const wanted = slot((zones) =>
    JSON.stringify(
      zones.map(({ id, pool, serial, createdAt, updatedAt }) => ({
        zone_id: id,
        pool_id: pool.id,
        serial,
        // A restored zone was created long ago.
        due_at: updatedAt ?? createdAt,
      })),
    ),
  );
  const columns = ['zone_id', 'pool_id', 'serial', 'due_at'];
  const rows = dialectOf(db).jsonRows('publications', columns, sql`${wanted}`);
  return sql`insert into publications (zone_id, pool_id, joining, serial, pending_since, due_at)
    select record.zone_id, pools.id, case when catalog_fqdn = '' then 0 else 1 end, record.serial, record.due_at, record.due_at
    from ${rows} join pools on pools.id = record.pool_id`;
});

/** Orders the publication of a change: the newest serial, due now. */
const ordered = prepared<{ readonly zone: Zone; readonly bytes: number }>((db, slot) => {
  const now = slot(({ zone }) => zone.updatedAt ?? zone.createdAt);
  return db
    .updateTable('publications')
    .set((eb) => ({
      serial: slot(({ zone }) => zone.serial),
      due_at: now,
      attempts: 0,
      pending_since: eb.case().when('pending_since', '=', '').then(now).else(eb.ref('pending_since')).end(),
      journal_bytes: eb(
        'journal_bytes',
        '+',
        slot(({ bytes }) => bytes),
      ),
    }))
    .where('zone_id', 'in', [slot(({ zone }) => zone.id), slot(({ zone }) => formerOrderId(zone.id))]);
});

function journalled(db: Kysely<Schema>, zone: Zone, { fromSerial, toSerial }: JournalEntry, entry: string) {
  const key = `${zone.id}/${zone.version}`;
  return sql`insert into zone_journal (id, zone_id, number, from_serial, to_serial, entry, bytes_until)
    select cast(${key} as text), zone_id, cast(${zone.version} as bigint), cast(${fromSerial} as bigint),
      cast(${toSerial} as bigint), cast(${entry} as text), journal_bytes
    from publications where zone_id = ${zone.id}`.compile(db);
}

/** Removes the oldest entries beyond the limits. */
function shortened(db: Kysely<Schema>, zone: Zone, bounds: JournalBounds) {
  return sql`delete from zone_journal where zone_id = ${zone.id} and (number <= ${zone.version - bounds.changes}
    or bytes_until <= (select journal_bytes from publications where zone_id = ${zone.id}) - ${bounds.bytes})`.compile(
    db,
  );
}

/**
 * Claims due orders. Two statements, so that both databases use the index; skips rows that another process has
 * locked.
 */
async function claim(
  db: Kysely<Schema>,
  now: string,
  until: string,
  limit: number,
): Promise<readonly ClaimedOrder[]> {
  const due = await db
    .selectFrom('publications')
    .select(['zone_id', 'due_at'])
    .where('due_at', '<>', sql.lit(''))
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(limit)
    .modifyEnd(dialectOf(db).skipLocked)
    .execute();
  const ids = due.map(({ zone_id }) => zone_id);
  if (ids.length === 0) return [];
  await db
    .updateTable('publications')
    .set({ due_at: until })
    .where(isAmong(db, 'zone_id', ids))
    .execute();
  const taken = await orders(db)
    .where(isAmong(db, 'zone_id', ids))
    .execute();
  const orderedAt = new Map(due.map(({ zone_id, due_at }) => [zone_id, due_at]));
  return taken.map((row) => {
    const order = orderFromRow(row);
    return { ...order, orderedAt: orderedAt.get(order.id)! };
  });
}

/**
 * Stores the outcome of a claimed order. If the order was renewed meanwhile, it stays due, and `arrived` stores only
 * the published serial.
 */
function settled(db: Kysely<Schema>, outcome: OrderOutcome) {
  const { orderId, claimedUntil, publishedSerial, isDone, error } = outcome;
  return db
    .updateTable('publications')
    .set({
      published_serial: publishedSerial,
      error,
      servers: JSON.stringify(outcome.servers),
      due_at: isDone ? '' : outcome.dueAt,
      attempts: isDone ? 0 : sql`attempts + 1`,
      pending_since: isDone ? '' : sql`pending_since`,
    })
    .where('zone_id', '=', orderId)
    .where('due_at', '=', claimedUntil);
}

/** Notes what servers have, although the order was renewed meanwhile: not if it is of another pool or label by now. */
function arrived(db: Kysely<Schema>, { orderId, poolId, claimedUntil, publishedSerial }: OrderOutcome) {
  return db
    .updateTable('publications')
    .set({ published_serial: publishedSerial })
    .where('zone_id', '=', orderId)
    .where('due_at', '<>', claimedUntil)
    .where('pool_id', '=', poolId)
    .where('joining', '=', 0)
    .where('removal', '=', 0)
    .where(isBehind(sql`cast(${publishedSerial} as bigint)`));
}

async function soaOf(db: Kysely<Schema>, { id, name }: Zone): Promise<string | undefined> {
  const row = await db
    .selectFrom('recordsets')
    .select('records')
    .where('zone_id', '=', id)
    .where('subtree_key', '=', subtreeKey(name))
    .where('type', '=', 'SOA')
    .executeTakeFirst();
  return row && (JSON.parse(row.records) as readonly string[])[0];
}

export function publicationWrites(tx: OpenTransaction): PublicationWrites {
  const { now: db, later } = tx;
  return {
    soaOf: (zone) => soaOf(db, zone),

    enroll: (...zones) => later(enrolled(db, zones)),

    order: (zone, bytes) => later(ordered(db, { zone, bytes })),

    keepDifference(zone, entry, bounds) {
      later(journalled(db, zone, entry, JSON.stringify(entry)));
      later(shortened(db, zone, bounds));
    },

    forgetPublished({ id, serial }) {
      later(
        db
          .updateTable('publications')
          .set({
            published_serial: null,
            moving_serial: sql`case when moving = '' then 0 else cast(${serial} as bigint) end`,
          })
          .where('zone_id', 'in', [id, formerOrderId(id)]),
      );
      later(db.deleteFrom('transferred_serials').where('zone_id', '=', id));
    },

    async relabel(zoneId, now) {
      const isRelabelled = await relabelMembers(db, zoneId, now);
      // Signing servers have to transfer the zone again.
      if (isRelabelled) later(db.deleteFrom('transferred_serials').where('zone_id', '=', zoneId));
      return isRelabelled;
    },

    claim: (now, until, limit) => claim(db, now, until, limit),

    async settle(outcomes) {
      for (const outcome of outcomes) {
        // First: the second statement changes the lease that this one compares.
        if (outcome.publishedSerial !== null) later(arrived(db, outcome));
        later(settled(db, outcome));
      }
    },

    orderAnew(orderIds, now) {
      if (orderIds.length === 0) return;
      later(
        db
          .updateTable('publications')
          .set({ due_at: now, attempts: 0 })
          .where(isAmong(db, 'zone_id', orderIds)),
      );
    },

    fail: (zoneId, error) =>
      later(db.updateTable('publications').set({ error }).where('zone_id', '=', zoneId)),

    reconcile: (limit, now) => reconcile(db, limit, now),

    moveCatalog: (poolId, seconds, limit) => moveCatalog(db, poolId, seconds, limit),

    renewCatalog: (poolId) => renewCatalog(db, poolId),

    transferCompleted(zoneId, server, serial, at) {
      const id = `${zoneId} ${server} ${serial}`;
      later(
        sql`insert into transferred_serials (id, zone_id, server, serial, at)
          values (${id}, ${zoneId}, ${server}, ${serial}, ${at}) on conflict (id) do update set at = ${at}`.compile(
          db,
        ),
      );
      later(
        sql`delete from transferred_serials where zone_id = ${zoneId} and server = ${server} and at < (
          select at from transferred_serials where zone_id = ${zoneId} and server = ${server}
          order by at desc limit 1 offset ${TRANSFERS_KEPT - 1})`.compile(db),
      );
    },

    async pruneFormer(before, after, limit) {
      const rows = await db
        .selectFrom('former_zones')
        .select(['name', 'gone_at'])
        .where('name', '>', after)
        .orderBy('name')
        .limit(limit)
        .execute();
      const old = rows.filter(({ gone_at }) => gone_at < before).map(({ name }) => name);
      const names = isAmong(db, 'name', old);
      // A zone of this name may have been created and deleted again in the meantime.
      if (old.length > 0)
        await db.deleteFrom('former_zones').where(names).where('gone_at', '<', before).execute();
      return rows.length < limit ? undefined : rows.at(-1)!.name;
    },

    pruneCatalogs: (before, limit) => pruneCatalogs(db, before, limit),

    ...poolMoveWrites(tx),
    ...publicationEnds(tx),
  };
}
