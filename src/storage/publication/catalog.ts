/**
 * Adds zones to the catalogs of their pools, and removes them, in batches. Each batch is one step of the catalog's
 * serial.
 */
import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { formerOrderId } from '../../model/publication/publication.ts';
import { nextSerial, serialAhead } from '../../model/zones/serial.ts';
import { dialectOf } from '../database/dialect.ts';
import type { Schema } from '../database/schema.ts';
import { isAmong } from '../lists/list-conditions.ts';

const WAITS = -1;
/**
 * Replaces the serial from which differences are kept: the next batch then keeps none, even if nothing joins or
 * leaves.
 */
const RENEWS = -1;
const ROWS_OF_AN_INSERT = 200;
/** Repeats an index's condition literally: otherwise SQLite reads every member. */
const HAS_LEFT = sql<boolean>`to_serial <> 0`;

interface Joining {
  readonly zone_id: string;
  readonly name: string;
}

/** Marks the member of a zone, so that the next batch removes it. */
export function leaveCatalog(db: Kysely<Schema>, zoneId: string) {
  return db
    .updateTable('catalog_members')
    .set({ to_serial: WAITS })
    .where('zone_id', '=', zoneId)
    .where('to_serial', '=', 0);
}

/**
 * Gives the members of a zone new labels with the next batch (RFC 9432 section 5.4): servers drop the zone and fetch
 * it again.
 * @returns true if a catalog has the zone
 */
export async function relabelMembers(db: Kysely<Schema>, zoneId: string, now: string): Promise<boolean> {
  const hasCatalog = sql<boolean>`exists (select 1 from pools
    where pools.id = publications.pool_id and publishes = 1 and catalog_fqdn <> '')`;
  const isMember = sql<boolean>`exists (select 1 from catalog_members
    where catalog_members.zone_id = publications.zone_id and to_serial = 0)`;
  const orders = await db
    .updateTable('publications')
    .set({ joining: 1, published_serial: null, attempts: 0, due_at: now, pending_since: now })
    .where('zone_id', 'in', [zoneId, formerOrderId(zoneId)])
    .where('removal', '=', 0)
    .where(hasCatalog)
    .where(isMember)
    .returning('zone_id')
    .execute();
  for (const order of orders) await leaveCatalog(db, order.zone_id).execute();
  return orders.length > 0;
}

/** Keeps the member of an abandoned zone until a zone with its name joins. */
export function keepInCatalog(db: Kysely<Schema>, zoneId: string, name: string) {
  return db
    .updateTable('catalog_members')
    .set({ zone_id: name })
    .where('zone_id', '=', zoneId)
    .where('to_serial', '=', 0);
}

async function isWaiting(db: Kysely<Schema>, poolId: string): Promise<boolean> {
  const joining = sql`select 1 from publications where pool_id = ${poolId} and joining = 1`;
  const leaving = sql`select 1 from catalog_members
    where pool_id = ${poolId} and to_serial = ${WAITS} and ${HAS_LEFT}`;
  const renewing = sql`select 1 from pools where id = ${poolId} and catalog_kept_from = ${RENEWS}`;
  const { rows } = await sql<{ found: unknown }>`
    select (exists (${joining}) or exists (${leaving}) or exists (${renewing})) as found`.execute(db);
  return Boolean(rows[0]?.found);
}

/**
 * Removes the marked members. A member that gets a new label stays until the batch that adds it again, so that no
 * server is without the zone in between.
 */
async function takeOut(db: Kysely<Schema>, poolId: string, serial: number): Promise<void> {
  await db
    .updateTable('catalog_members')
    .set({ to_serial: serial })
    .where('pool_id', '=', poolId)
    .where('to_serial', '=', WAITS)
    .where(HAS_LEFT)
    .where(
      sql<boolean>`not exists (select 1 from publications where publications.zone_id = catalog_members.zone_id
        and publications.pool_id = ${poolId} and joining = 1)`,
    )
    .execute();
}

/** Removes the previous labels of zones in the batch that gives them new ones. */
async function takeOutFormer(
  db: Kysely<Schema>,
  poolId: string,
  zoneIds: readonly string[],
  serial: number,
): Promise<void> {
  // By zone alone: with the pool in the condition, SQLite would read every member of the pool.
  const ofZones = await db
    .selectFrom('catalog_members')
    .select(['label', 'pool_id', 'to_serial'])
    .where(isAmong(db, 'zone_id', zoneIds))
    .execute();
  const former = ofZones.filter(({ pool_id, to_serial }) => pool_id === poolId && to_serial === WAITS);
  if (former.length === 0) return;
  const labels = former.map(({ label }) => label);
  await db
    .updateTable('catalog_members')
    .set({ to_serial: serial })
    .where(isAmong(db, 'label', labels))
    .execute();
}

function joiningZones(db: Kysely<Schema>, poolId: string, limit: number): Promise<readonly Joining[]> {
  return (
    db
      .selectFrom('publications')
      .innerJoin('zones', 'zones.id', 'publications.zone_id')
      .select(['publications.zone_id', 'zones.name'])
      .where('publications.pool_id', '=', poolId)
      .where('publications.joining', '=', 1)
      // In the order in which orders are claimed, so that servers are not checked for zones that the catalog does not
      // have yet.
      .orderBy('publications.pending_since')
      .limit(limit)
      .modifyEnd(dialectOf(db).forUpdateOf('publications'))
      .execute()
  );
}

/** Removes members abandoned under these names: with the same serial in this pool, with the next batch in another. */
async function replaceAbandoned(
  db: Kysely<Schema>,
  poolId: string,
  names: readonly string[],
  serial: number,
): Promise<void> {
  const at = sql<number>`case when pool_id = ${poolId} then cast(${serial} as bigint) else cast(${WAITS} as bigint) end`;
  await db
    .updateTable('catalog_members')
    .set({ to_serial: at })
    .where(isAmong(db, 'zone_id', names))
    .where('to_serial', '=', 0)
    .execute();
}

/** Adds zones, each under a label that no member ever had. */
async function takeIn(
  db: Kysely<Schema>,
  poolId: string,
  zones: readonly Joining[],
  serial: number,
): Promise<void> {
  for (let start = 0; start < zones.length; start += ROWS_OF_AN_INSERT) {
    const some = zones.slice(start, start + ROWS_OF_AN_INSERT);
    const rows = some.map(({ zone_id, name }) => {
      const label = randomUUID().replaceAll('-', '');
      return { label, pool_id: poolId, zone_id, name, from_serial: serial, to_serial: 0 };
    });
    const names = some.map(({ name }) => name);
    const ids = some.map(({ zone_id }) => zone_id);
    await replaceAbandoned(db, poolId, names, serial);
    await takeOutFormer(db, poolId, ids, serial);
    await db.insertInto('catalog_members').values(rows).execute();
    await db
      .updateTable('publications')
      .set({ joining: 0 })
      .where(isAmong(db, 'zone_id', ids))
      .execute();
  }
}

/**
 * Applies one batch: removals before additions.
 * @returns the new serial, or undefined if nothing was waiting
 */
export async function moveCatalog(
  db: Kysely<Schema>,
  poolId: string,
  seconds: number,
  limit: number,
): Promise<number | undefined> {
  if (!(await isWaiting(db, poolId))) return undefined;
  const pool = await db
    .selectFrom('pools')
    .select(['catalog_serial', 'catalog_kept_from'])
    .where('id', '=', poolId)
    .where('catalog_fqdn', '<>', '')
    .modifyEnd(dialectOf(db).forUpdate)
    .executeTakeFirst();
  // Another process may have applied the batch while this one waited for the row.
  if (pool === undefined || !(await isWaiting(db, poolId))) return undefined;
  const isRenewed = pool.catalog_kept_from === RENEWS;
  const serial = nextSerial(pool.catalog_serial || 1, isRenewed ? serialAhead(seconds) : seconds);
  await takeOut(db, poolId, serial);
  await takeIn(db, poolId, await joiningZones(db, poolId, limit), serial);
  const keptFrom = isRenewed ? serial : pool.catalog_kept_from;
  await db
    .updateTable('pools')
    .set({ catalog_serial: serial, catalog_kept_from: keptFrom })
    .where('id', '=', poolId)
    .execute();
  return serial;
}

/**
 * From the next batch on, offers no difference from an earlier serial: the servers' copies may come from a store that
 * was lost.
 */
export async function renewCatalog(db: Kysely<Schema>, poolId: string): Promise<void> {
  await db
    .updateTable('pools')
    .set({ catalog_kept_from: RENEWS })
    .where('id', '=', poolId)
    .where('catalog_fqdn', '<>', '')
    .execute();
}

/** True if differences from a serial are offered. */
export function isKeptFrom(keptFrom: number, serial: number): boolean {
  return keptFrom !== RENEWS && serial >= keptFrom;
}

async function pruneCatalog(
  db: Kysely<Schema>,
  poolId: string,
  before: number,
  limit: number,
): Promise<boolean> {
  const rows = await db
    .selectFrom('catalog_members')
    .select('label')
    .where('pool_id', '=', poolId)
    .where('to_serial', '>', 0)
    .where('to_serial', '<', before)
    .where(HAS_LEFT)
    .orderBy('to_serial')
    .limit(limit)
    .execute();
  if (rows.length === 0) return false;
  const labels = rows.map(({ label }) => label);
  await db
    .deleteFrom('catalog_members')
    .where(isAmong(db, 'label', labels))
    .execute();
  return rows.length === limit;
}

/**
 * Deletes the next members that left before a serial.
 * @returns true if there may be more
 */
export async function pruneCatalogs(db: Kysely<Schema>, before: number, limit: number): Promise<boolean> {
  // First, so that a transfer that begins meanwhile does not rely on deleted members.
  await db
    .updateTable('pools')
    .set({ catalog_kept_from: before })
    .where('catalog_kept_from', '<', before)
    .where('catalog_kept_from', '<>', RENEWS)
    .execute();
  for (const { id } of await db.selectFrom('pools').select('id').orderBy('id').execute()) {
    if (await pruneCatalog(db, id, before, limit)) return true;
  }
  return false;
}
