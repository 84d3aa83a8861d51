import { type Kysely, type RawBuilder, sql } from 'kysely';
import { canonicalName, type OwnerName, parentsOf, subtreeKey, subtreeRange } from '../../dns/names.ts';
import type { StoredType } from '../../dns/record-types.ts';
import type { StoredPlace } from '../../model/changes/store.ts';
import {
  type LocatedRecordset,
  mayBeSiblingGlue,
  type Surroundings,
} from '../../model/recordsets/recordset-location.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { pipelined } from '../../runtime/pipelined.ts';
import { dialectOf } from '../database/dialect.ts';
import { preparedForEach } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';

function placedFrom(row: { name: string; type: StoredType; records: string }): LocatedRecordset {
  return { name: canonicalName(row.name), type: row.type, records: JSON.parse(row.records) };
}

/** The names from a recordset's own up to the apex of its zone. */
function namesUpTo(zone: Zone, name: OwnerName): OwnerName[] {
  if (name === zone.name) return [name];
  const inside = parentsOf(name).filter((parent) => parent.endsWith(`.${zone.name}`));
  return [name, ...inside, zone.name];
}

interface NamesOfZone {
  readonly zoneId: string;
  readonly names: readonly OwnerName[];
}

const recordsetsAt = preparedForEach<NamesOfZone, { name: string; type: StoredType; records: string }>(
  ({ names }) => names.length,
  (db, slot, { names }) =>
    db
      .selectFrom('recordsets')
      .select(['name', 'type', 'records'])
      .where(
        'zone_id',
        '=',
        slot(({ zoneId }) => zoneId),
      )
      .where(
        'subtree_key',
        'in',
        names.map((_, place) => slot((all) => subtreeKey(all.names[place]!))),
      ),
);

const highestZoneOf = preparedForEach<readonly string[], { name: string }>(
  (names) => names.length,
  (db, slot, names) =>
    db
      .selectFrom('zones')
      .select('name')
      .where(
        'name',
        'in',
        names.map((_, place) => slot((all) => all[place])),
      )
      .orderBy(sql`length(name)`)
      .limit(1),
);

async function atOrAbove(
  db: Kysely<Schema>,
  zone: Zone,
  names: readonly OwnerName[],
): Promise<LocatedRecordset[]> {
  const { rows } = await db.executeQuery(recordsetsAt(db, { zoneId: zone.id, names }));
  return rows.map(placedFrom);
}

async function childZone(
  db: Kysely<Schema>,
  zone: Zone,
  names: readonly string[],
): Promise<string | undefined> {
  const below = names.filter((name) => name !== zone.name);
  if (below.length === 0) return undefined;
  const { rows } = await db.executeQuery(highestZoneOf(db, below));
  return rows[0]?.name;
}

/** Selects the rows of a table that are none of those with the given ids. */
function isNoneOf(db: Kysely<Schema>, table: string, ids: readonly string[]): RawBuilder<boolean> {
  if (ids.length === 0) return sql<boolean>`true`;
  const list = dialectOf(db).jsonTexts(sql`${JSON.stringify(ids)}`);
  return sql<boolean>`${sql.ref(`${table}.id`)} not in (select record.value from ${list})`;
}

/** True if a delegation of the zone, other than that at `placed`, names the server. */
function isNamedElsewhere(
  db: Kysely<Schema>,
  zone: Zone,
  placed: Pick<LocatedRecordset, 'name'>,
  host: RawBuilder<unknown>,
): RawBuilder<boolean> {
  const servers = dialectOf(db).jsonTexts(sql.ref('delegation.records'));
  return sql<boolean>`exists (
    select 1 from recordsets as delegation
    where delegation.zone_id = ${zone.id} and delegation.type = 'NS'
      and delegation.name <> ${zone.name} and delegation.name <> ${placed.name}
      and exists (select 1 from ${servers} where record.value = ${host}))`;
}

/** True if an address is sibling glue. Reads all delegations of the zone, so check `mayBeSiblingGlue` first. */
async function isSiblingGlue(db: Kysely<Schema>, zone: Zone, placed: LocatedRecordset): Promise<boolean> {
  const { rows } = await sql`
    select 1 as found where ${isNamedElsewhere(db, zone, placed, sql`${placed.name}`)}`.execute(db);
  return rows.length > 0;
}

/** The first recordset that a delegation or a DNAME would hide. */
async function findHiddenBelow(
  db: Kysely<Schema>,
  zone: Zone,
  placed: LocatedRecordset,
): Promise<LocatedRecordset | undefined> {
  const hides = placed.type === 'DNAME' || (placed.type === 'NS' && placed.name !== zone.name);
  if (!hides) return undefined;
  const { from, to } = subtreeRange(placed.name);
  let query = db
    .selectFrom('recordsets')
    .select(['name', 'type', 'records'])
    .where('zone_id', '=', zone.id)
    .where('subtree_key', '>=', placed.type === 'NS' ? subtreeKey(placed.name) : from)
    .where('subtree_key', '<', to);
  if (placed.type === 'NS') {
    // A statement limits the number of values in a list, but not the length of a text.
    const hosts = dialectOf(db).jsonTexts(sql`${JSON.stringify(placed.records)}`);
    const isHost = sql<boolean>`name in (select record.value from ${hosts})`;
    const isSiblings = isNamedElsewhere(db, zone, placed, sql.ref('recordsets.name'));
    // Glue stays visible, and so do the delegation itself and its DS.
    query = query.where((eb) =>
      eb.not(
        eb.or([
          eb.and([eb('type', 'in', ['A', 'AAAA']), eb.or([isHost, isSiblings])]),
          eb.and([eb('type', 'in', ['NS', 'DS']), eb('name', '=', placed.name)]),
        ]),
      ),
    );
  }
  const row = await query.orderBy('subtree_key').orderBy('type').limit(1).executeTakeFirst();
  return row && placedFrom(row);
}

/** The next recordsets at and below a name, in name-tree order, then by type. */
export async function findAtOrBelow(
  db: Kysely<Schema>,
  zone: Pick<Zone, 'id'>,
  name: OwnerName,
  { limit, after }: { readonly limit: number; readonly after: StoredPlace | undefined },
): Promise<readonly StoredPlace[]> {
  const key = subtreeKey(name);
  let query = db
    .selectFrom('recordsets')
    .select(['id', 'name', 'type'])
    .where('zone_id', '=', zone.id)
    .where('subtree_key', '>=', key)
    .where('subtree_key', '<', subtreeRange(name).to);
  if (after !== undefined)
    query = query.where(sql<boolean>`(subtree_key, type) > (${subtreeKey(after.name)}, ${after.type})`);
  const rows = await query.orderBy('subtree_key').orderBy('type').limit(limit).execute();
  return rows.map(({ id, name: text, type }) => ({ id, name: canonicalName(text), type }));
}

/** The hosts that a delegation of the zone names, apart from those with the given ids. Reads all its delegations. */
export async function findDelegatedHosts(
  db: Kysely<Schema>,
  zone: Zone,
  hosts: readonly string[],
  withoutIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const wanted = dialectOf(db).jsonTexts(sql`${JSON.stringify(hosts)}`);
  const servers = dialectOf(db).jsonTexts(sql.ref('delegation.records'));
  const { rows } = await sql<{ readonly value: string }>`
    select distinct record.value from recordsets as delegation, ${servers}
    where delegation.zone_id = ${zone.id} and delegation.type = 'NS' and delegation.name <> ${zone.name}
      and ${isNoneOf(db, 'delegation', withoutIds)}
      and record.value in (select record.value from ${wanted})`.execute(db);
  return new Set(rows.map(({ value }) => value));
}

/** The surroundings of a recordset in its zone, found by a few short range reads. */
export async function findSurroundings(
  db: Kysely<Schema>,
  zone: Zone,
  placed: LocatedRecordset,
): Promise<Surroundings> {
  const names = namesUpTo(zone, placed.name);
  const [above, child, hidden] = await pipelined(
    atOrAbove(db, zone, names),
    childZone(db, zone, names),
    findHiddenBelow(db, zone, placed),
  );
  const around = { zoneName: zone.name, atOrAbove: above, childZone: child, hiddenBelow: hidden };
  if (!mayBeSiblingGlue(placed, around)) return around;
  return { ...around, isNamedElsewhere: await isSiblingGlue(db, zone, placed) };
}
