/** How zones get in and out of the catalogs of their pools: in batches, each one step of the catalog's serial. */
import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { nextSerial } from '../domain/zones/serial.ts';
import { flavourOf } from './flavour.ts';
import { isAmong } from './list-conditions.ts';
import type { Schema } from './schema.ts';

const WAITS = -1;
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
  const { rows } = await sql<{ found: unknown }>`
    select (exists (${joining}) or exists (${leaving})) as found`.execute(db);
  return Boolean(rows[0]?.found);
}

async function takeOut(db: Kysely<Schema>, poolId: string, serial: number): Promise<void> {
  await db
    .updateTable('catalog_members')
    .set({ to_serial: serial })
    .where('pool_id', '=', poolId)
    .where('to_serial', '=', WAITS)
    .where(HAS_LEFT)
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
    await replaceAbandoned(db, poolId, names, serial);
    await db.insertInto('catalog_members').values(rows).execute();
    const ids = some.map(({ zone_id }) => zone_id);
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
    .select('catalog_serial')
    .where('id', '=', poolId)
    .where('catalog_fqdn', '<>', '')
    .modifyEnd(flavourOf(db).forUpdate)
    .executeTakeFirst();
  // Another process may have moved it while this one waited for the row.
  if (pool === undefined || !(await isWaiting(db, poolId))) return undefined;
  const serial = nextSerial(pool.catalog_serial || 1, seconds);
  await takeOut(db, poolId, serial);
  await takeIn(db, poolId, await joiningZones(db, poolId, limit), serial);
  await db.updateTable('pools').set({ catalog_serial: serial }).where('id', '=', poolId).execute();
  return serial;
}

/** Forgets the members that left before a serial. */
export async function pruneCatalogs(db: Kysely<Schema>, before: number): Promise<void> {
  await db.deleteFrom('catalog_members').where('to_serial', '>', 0).where('to_serial', '<', before).execute();
  await db
    .updateTable('pools')
    .set({ catalog_kept_from: before })
    .where('catalog_kept_from', '<', before)
    .execute();
}
