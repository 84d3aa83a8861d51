/** How zones get in and out of the catalogs of their pools: in batches, each one step of the catalog's serial. */
import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { formerOrderId } from '../../model/publication/publication.ts';
import { nextSerial, serialAhead } from '../../model/zones/serial.ts';
import { flavourOf } from '../database/flavour.ts';
import type { Schema } from '../database/schema.ts';
import { isAmong } from '../lists/list-conditions.ts';

const WAITS = -1;
/** In place of the serial from which differences are kept: the next batch keeps none, even if nothing joins or leaves. */
const RENEWS = -1;
const ROWS_OF_AN_INSERT = 200;
/** The condition of an index, word by word: otherwise SQLite reads every member. */
const HAS_LEFT = sql<boolean>`to_serial <> 0`;

interface Joining {
  readonly zone_id: string;
  readonly name: string;
}

/** Marks the member of a zone: the next batch takes it out. */
export function leaveCatalog(db: Kysely<Schema>, zoneId: string) {
  return db
    .updateTable('catalog_members')
    .set({ to_serial: WAITS })
    .where('zone_id', '=', zoneId)
    .where('to_serial', '=', 0);
}

/**
 * Gives the members of a zone new labels with the next batch (RFC 9432 section 5.4): servers drop the zone and fetch it afresh.
 * @returns whether a catalog has the zone
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

/** Keeps the member of a zone that is abandoned, until a zone of its name joins. */
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

/** A member that gets a new label stays until the batch that takes it in again: no server is without the zone meanwhile. */
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

/** The labels that zones had until the batch that gives them new ones. */
async function takeOutFormer(
  db: Kysely<Schema>,
  poolId: string,
  zoneIds: readonly string[],
  serial: number,
): Promise<void> {
  await db
    .updateTable('catalog_members')
    .set({ to_serial: serial })
    .where(isAmong(db, 'zone_id', zoneIds))
    .where('pool_id', '=', poolId)
    .where('to_serial', '=', WAITS)
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
      // As orders are taken: servers are not asked for zones that the catalog does not have yet.
      .orderBy('publications.pending_since')
      .limit(limit)
      .modifyEnd(flavourOf(db).forUpdateOf('publications'))
      .execute()
  );
}

/** What was abandoned under these names leaves with the same serial, in another pool with its next batch. */
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

/** Each member gets a label that no member ever had. */
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

/** One batch: removals before additions. The new serial, or undefined if nothing was waiting. */
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
    .modifyEnd(flavourOf(db).forUpdate)
    .executeTakeFirst();
  // Another process may have moved it while this one waited for the row.
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

/** With the next batch, no difference from an earlier serial is offered: what servers have of it may be of a store that was lost. */
export async function renewCatalog(db: Kysely<Schema>, poolId: string): Promise<void> {
  await db
    .updateTable('pools')
    .set({ catalog_kept_from: RENEWS })
    .where('id', '=', poolId)
    .where('catalog_fqdn', '<>', '')
    .execute();
}

/** Whether differences from a serial are offered. */
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

/** Forgets the next members that left before a serial. Returns whether there may be more. */
export async function pruneCatalogs(db: Kysely<Schema>, before: number, limit: number): Promise<boolean> {
  // First: a transfer that begins meanwhile does not count on what is forgotten.
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
