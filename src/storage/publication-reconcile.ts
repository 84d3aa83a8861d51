/** Brings orders in line with pools: after a pool began or ceased to publish, or got or lost its catalog. */
import { type Kysely, sql } from 'kysely';
import { limitTo } from './limit.ts';
import { isAmong } from './list-conditions.ts';
import { IS_AWAITED } from './publication-status.ts';
import type { Schema } from './schema.ts';

/** Zones of publishing pools without an order get one. */
async function adopt(db: Kysely<Schema>, limit: number, now: string): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into publications (zone_id, pool_id, joining, serial, pending_since, due_at)
    select zones.id, zones.pool_id, case when pools.catalog_fqdn = '' then 0 else 1 end, zones.serial, ${now}, ${now}
    from pools inner join zones on zones.pool_id = pools.id
      left join publications on publications.zone_id = zones.id
      left join secondaries on secondaries.zone_id = zones.id
    where pools.publishes = 1 and publications.zone_id is null and zones.action <> 'DELETE' and not ${IS_AWAITED}
    order by zones.id ${limitTo(limit)}
    on conflict (zone_id) do nothing`.execute(db);
  return Number(numAffectedRows ?? 0);
}

interface Strays {
  /** The orders that nothing is waited for any more. */
  readonly idle: readonly string[];
  /** Those of zones that are being moved: what comes next need not wait for servers. */
  readonly moving: readonly string[];
}

/** The orders of pools that do not publish. */
async function strayOrders(db: Kysely<Schema>, limit: number): Promise<Strays> {
  const rows = await db
    .selectFrom('pools')
    .innerJoin('publications', 'publications.pool_id', 'pools.id')
    .select(['publications.zone_id', 'publications.moving'])
    .where('pools.publishes', '=', 0)
    .limit(limit)
    .execute();
  const ids = (isMoving: boolean) =>
    rows.filter(({ moving }) => (moving !== '') === isMoving).map(({ zone_id }) => zone_id);
  return { idle: ids(false), moving: ids(true) };
}

/** Without servers nobody has to drop the zones that are being removed. */
async function release(db: Kysely<Schema>, ids: readonly string[]): Promise<readonly string[]> {
  const leaving = await db
    .selectFrom('zones')
    .select('id')
    .where(isAmong(db, 'id', ids))
    .where('action', '=', 'DELETE')
    .execute();
  await db
    .deleteFrom('publications')
    .where(isAmong(db, 'zone_id', ids))
    .execute();
  await db
    .deleteFrom('zone_journal')
    .where(isAmong(db, 'zone_id', ids))
    .execute();
  await db
    .deleteFrom('catalog_members')
    .where(isAmong(db, 'zone_id', ids))
    .execute();
  return leaving.map(({ id }) => id);
}

/** Zones that a catalog does not have yet, of pools that got one. */
async function announce(db: Kysely<Schema>, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update publications set joining = 1 where zone_id in (
      select publications.zone_id from pools inner join publications on publications.pool_id = pools.id
        inner join zones on zones.id = publications.zone_id
        left join catalog_members on catalog_members.zone_id = publications.zone_id
      where pools.publishes = 1 and pools.catalog_fqdn <> '' and publications.joining = 0
        and publications.removal = 0 and catalog_members.label is null
      ${limitTo(limit)})`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** Zones in removal without an order: their pool ceased to publish. */
async function abandoned(db: Kysely<Schema>, limit: number): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select zones.id from zones left join publications on publications.zone_id = zones.id
    where zones.action = 'DELETE' and publications.zone_id is null ${limitTo(limit)}`.execute(db);
  return rows.map(({ id }) => id);
}

/** One stretch of it. */
export async function reconcile(
  db: Kysely<Schema>,
  limit: number,
  now: string,
): Promise<{ changed: number; gone: readonly string[] }> {
  const adopted = await adopt(db, limit, now);
  const announced = await announce(db, limit);
  const { idle, moving } = await strayOrders(db, limit);
  const released = idle.length === 0 ? [] : await release(db, idle);
  const gone = [...new Set([...released, ...moving, ...(await abandoned(db, limit))])];
  return { changed: adopted + announced + idle.length, gone };
}
