/** Reconciles orders with pools after a pool starts or stops publishing, or gains or loses its catalog. */
import { type Kysely, sql } from 'kysely';
import type { Reconciled } from '../../model/publication/store.ts';
import { dialectOf } from '../database/dialect.ts';
import { limitTo } from '../database/limit.ts';
import type { Schema } from '../database/schema.ts';
import { isAmong } from '../lists/list-conditions.ts';
import { IS_AWAITED } from '../publication-status.ts';

/** A pool, and its progress in reconciling the orders of its zones. */
interface ReconcileProgress {
  readonly id: string;
  readonly publishes: number;
  /** The state of the pool; another state restarts the pass over its zones. */
  readonly state: string;
  /** The last zone or order done; undefined once all are done. */
  readonly after: string | undefined;
}

interface Strays {
  /** Orders that nothing waits for. */
  readonly idle: readonly string[];
  /** Orders of zones that are being moved: their next step need not wait for servers. */
  readonly moving: readonly string[];
}

function pools(db: Kysely<Schema>) {
  return db
    .selectFrom('pools')
    .select(['id', 'publishes', 'catalog_fqdn', 'updated_at', 'reconciled_for', 'reconciled_to'])
    .orderBy('id');
}

type ReconciledPoolRow = Awaited<ReturnType<ReturnType<typeof pools>['executeTakeFirstOrThrow']>>;

function progressOf(row: ReconciledPoolRow): ReconcileProgress {
  const state = `${row.updated_at} ${row.publishes} ${row.catalog_fqdn}`;
  const after = row.reconciled_for === state ? (row.reconciled_to ?? undefined) : '';
  return { id: row.id, publishes: row.publishes, state, after };
}

/** The orders of pools that do not publish: one index lookup for each such pool. */
async function strayOrders(
  db: Kysely<Schema>,
  present: readonly ReconcileProgress[],
  limit: number,
): Promise<Strays> {
  const idle: string[] = [];
  const moving: string[] = [];
  for (const { id } of present.filter(({ publishes }) => publishes === 0)) {
    const freeSlots = limit - idle.length - moving.length;
    if (freeSlots <= 0) break;
    const rows = await db
      .selectFrom('publications')
      .select(['zone_id', 'moving'])
      .where('pool_id', '=', id)
      .orderBy('zone_id')
      .limit(freeSlots)
      .execute();
    for (const { zone_id, moving: to } of rows) (to === '' ? idle : moving).push(zone_id);
  }
  return { idle, moving };
}

/**
 * Ends orders.
 * @returns the zones that are being removed: without servers, nothing has to drop them first
 */
async function release(db: Kysely<Schema>, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const leaving = await db
    .selectFrom('zones')
    .select('id')
    .where(isAmong(db, 'id', ids))
    .where('action', '=', 'DELETE')
    .execute();
  for (const table of ['publications', 'zone_journal', 'catalog_members'] as const) {
    await db
      .deleteFrom(table)
      .where(isAmong(db, 'zone_id', ids))
      .execute();
  }
  return leaving.map(({ id }) => id);
}

/** The next ids of zones and orders of a pool. */
async function nextIds(
  db: Kysely<Schema>,
  { id, after }: ReconcileProgress,
  limit: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from (
      select * from (select id from zones where pool_id = ${id} and id > ${after}
        order by id ${limitTo(limit)}) as zones_of_pool
      union select * from (select zone_id from publications where pool_id = ${id} and zone_id > ${after}
        order by zone_id ${limitTo(limit)}) as orders_of_pool
    ) as both_kinds order by id ${limitTo(limit)}`.execute(db);
  return rows.map((row) => row.id);
}

interface Orderless {
  /** Zones that are still to be published. */
  readonly waiting: readonly string[];
  /** Zones being removed whose pool stopped publishing. */
  readonly abandoned: readonly string[];
}

async function withoutOrders(
  db: Kysely<Schema>,
  { id, publishes }: ReconcileProgress,
  ids: readonly string[],
): Promise<Orderless> {
  const { rows } = await sql<{ id: string; action: string; awaited: unknown }>`
    select zones.id, zones.action, case when ${IS_AWAITED} then 1 else 0 end as awaited
    from zones left join publications on publications.zone_id = zones.id
      left join secondaries on secondaries.zone_id = zones.id
    where ${isAmong(db, 'zones.id', ids)} and zones.pool_id = ${id} and publications.zone_id is null`.execute(
    db,
  );
  const isLeaving = ({ action }: (typeof rows)[number]) => action === 'DELETE';
  const waiting = rows.filter((row) => publishes === 1 && !isLeaving(row) && Number(row.awaited) === 0);
  return { waiting: waiting.map((row) => row.id), abandoned: rows.filter(isLeaving).map((row) => row.id) };
}

/** Creates orders for zones, under the zones' locks, so that a zone that has just been deleted gets none. */
async function adopt(db: Kysely<Schema>, ids: readonly string[], now: string): Promise<number> {
  if (ids.length === 0) return 0;
  await db
    .selectFrom('zones')
    .select('id')
    .where(isAmong(db, 'id', ids))
    .orderBy('id')
    .modifyEnd(dialectOf(db).forUpdate)
    .execute();
  const { numAffectedRows } = await sql`
    insert into publications (zone_id, pool_id, joining, serial, pending_since, due_at)
    select zones.id, zones.pool_id, case when pools.catalog_fqdn = '' then 0 else 1 end, zones.serial, ${now}, ${now}
    from zones inner join pools on pools.id = zones.pool_id
    where ${isAmong(db, 'zones.id', ids)} and pools.publishes = 1 and zones.action <> 'DELETE'
    on conflict (zone_id) do nothing`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** Orders zones into a catalog that does not have them yet, because it is new. */
async function announce(
  db: Kysely<Schema>,
  { id }: ReconcileProgress,
  ids: readonly string[],
): Promise<number> {
  const { numAffectedRows } = await sql`
    update publications set joining = 1
    where ${isAmong(db, 'zone_id', ids)} and pool_id = ${id} and joining = 0 and removal = 0
      and exists (select 1 from pools where pools.id = ${id} and publishes = 1 and catalog_fqdn <> '')
      and exists (select 1 from zones where zones.id = publications.zone_id)
      and not exists (select 1 from catalog_members where catalog_members.zone_id = publications.zone_id)`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0);
}

/** Reconciles the next zones of a pool, under the pool's lock. The pass advances once nothing is left to end. */
async function reconcilePool(
  db: Kysely<Schema>,
  poolId: string,
  limit: number,
  now: string,
): Promise<Reconciled> {
  const row = await pools(db).where('id', '=', poolId).modifyEnd(dialectOf(db).forUpdate).executeTakeFirst();
  const pool = row && progressOf(row);
  if (pool?.after === undefined) return { changed: 0, gone: [], isMore: true };
  const ids = await nextIds(db, pool, limit);
  const { waiting, abandoned } = await withoutOrders(db, pool, ids);
  const changed = (await adopt(db, waiting, now)) + (await announce(db, pool, ids));
  if (abandoned.length === 0) {
    const to = ids.length < limit ? null : ids.at(-1)!;
    await db
      .updateTable('pools')
      .set({ reconciled_for: pool.state, reconciled_to: to })
      .where('id', '=', poolId)
      .execute();
  }
  return { changed, gone: abandoned, isMore: true };
}

/** One step: either orders of pools that do not publish, or the next zones of a changed pool. */
export async function reconcile(db: Kysely<Schema>, limit: number, now: string): Promise<Reconciled> {
  const present = (await pools(db).execute()).map(progressOf);
  const { idle, moving } = await strayOrders(db, present, limit);
  if (idle.length > 0) {
    const gone = [...(await release(db, idle)), ...moving];
    return { changed: idle.length, gone, isMore: true };
  }
  const next = present.find(({ after }) => after !== undefined);
  const { changed, gone, isMore } =
    next === undefined
      ? { changed: 0, gone: [], isMore: moving.length > 0 }
      : await reconcilePool(db, next.id, limit, now);
  return { changed, gone: [...new Set([...moving, ...gone])], isMore };
}
