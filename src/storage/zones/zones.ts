import { type Kysely, sql } from 'kysely';
import { canonicalName, subtreeRange } from '../../dns/names.ts';
import type { Scope } from '../../model/access/scope.ts';
import { hasWildcard } from '../../model/name-filter.ts';
import type { ZoneReads, ZoneWrites } from '../../model/zones/store.ts';
import type { Zone, ZoneQuery } from '../../model/zones/zone.ts';
import { cooperativeYield } from '../../runtime/cooperative-yield.ts';
import { pipelined } from '../../runtime/pipelined.ts';
import type { DatabaseReads, OpenTransaction } from '../database/database.ts';
import { type Dialect, dialectOf } from '../database/dialect.ts';
import type { NameSearch } from '../database/name-search.ts';
import { preparedInsert } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';
import { filterOn, inScope, matchesName, nameFilterOn } from '../lists/list-conditions.ts';
import { type Listing, listsOf } from '../lists/lists.ts';
import { hiddenBy } from '../recordsets/hidden-recordsets.ts';
import { IS_SHARED, isSharedWith, receivedBy, sharedZones, zonesSeenBy } from '../shares.ts';
import { conflictsWith } from './name-conflicts.ts';
import { lockFreeGates, lockGate } from './name-gates.ts';
import {
  hasStatus,
  toZoneRow,
  ZONE_JOINS,
  ZONE_STATE,
  ZONE_STATUS,
  type ZoneRow,
  zoneFromRow,
  zonesWithState,
} from './rows.ts';

const NAMES_OF_A_QUERY = 500;
/** Number of zones with the most records, among which to look for the one with the most recordsets. */
const CANDIDATES = 1000;

async function counted(db: Kysely<Schema>, scope: Scope): Promise<number> {
  const own = sql`(select coalesce(sum(zones), 0) from projects where ${inScope(scope)})`;
  const { rows } = await sql<{ total: number }>`select ${own} + ${receivedBy(scope)} as total`.execute(db);
  return Number(rows[0]!.total);
}

/** Maximum number of a project's zones to search without the name index. */
const FEW_OF_PROJECT = 100_000;

function searchedNames(
  { name }: ZoneQuery['filters'],
  scope: Scope,
  dialect: Dialect,
): NameSearch | undefined {
  if (name === undefined || !hasWildcard(name)) return undefined;
  const search = dialect.searchNames(name, matchesName('zones.name', name));
  if (search === undefined || scope === 'all projects') return search;
  const isLarge = sql`(select zones from projects where project_id = ${scope.projectId}) > ${FEW_OF_PROJECT}`;
  return { ...search, count: (most) => sql`case when ${isLarge} then ${search.count(most)} end` };
}

const ZONES: Listing<ZoneQuery, Scope, ZoneRow, Zone> = {
  table: 'zones',
  joined: { join: ZONE_JOINS, columns: ZONE_STATE },
  order: {
    created_at: ['created_at'],
    updated_at: ['updated_at'],
    id: [],
    name: ['name'],
    tenant_id: ['project_id'],
    serial: ['serial'],
    ttl: ['ttl'],
    status: [{ expression: ZONE_STATUS, of: ({ current_status }) => current_status }],
  },
  indexed: ['created_at'],
  alwaysTaken: ['name'],
  filters: {
    name: nameFilterOn('zones.name'),
    email: filterOn('zones.email'),
    status: hasStatus,
    description: filterOn('zones.description'),
    ttl: filterOn(sql`cast(zones.ttl as text)`),
    type: filterOn('zones.type'),
    shared: filterOn(sql`case ${IS_SHARED} when 1 then 'true' else 'false' end`),
  },
  within: (scope) => inScope(scope, 'zones.project_id'),
  also: sharedZones,
  search: searchedNames,
  fromRow: zoneFromRow,
  counted,
  size: sql`length(zones.attributes)`,
};

function zoneOf(db: Kysely<Schema>, id: string, scope: Scope) {
  return zonesWithState(db).where('zones.id', '=', id).where(zonesSeenBy(scope));
}

async function findZone(db: Kysely<Schema>, id: string, scope: Scope): Promise<Zone | undefined> {
  const row = await zoneOf(db, id, scope).executeTakeFirst();
  return row && zoneFromRow(row);
}

const inserted = preparedInsert('zones');

export function zoneReads(reads: DatabaseReads): ZoneReads {
  const { reader: db } = reads;
  return {
    find: (id, scope) => findZone(db, id, scope),
    conflicts: (wanted) => conflictsWith(db, wanted),
    hiddenBy: (names) => hiddenBy(db, names),

    ...listsOf(reads, ZONES),

    async fullest(projectId, by) {
      const row = await db
        .selectFrom('zones')
        .select(['id', 'name', 'recordsets', 'records', 'bytes'])
        .where('project_id', '=', projectId)
        .orderBy(by, 'desc')
        .limit(1)
        .executeTakeFirst();
      return row && { ...row, name: canonicalName(row.name) };
    },

    async maxRecordsets(projectId) {
      const row = await reads
        .longReads(projectId)
        .selectFrom('zones')
        .select(({ fn }) => fn.max<number | null>('recordsets').as('most'))
        .where('project_id', '=', projectId)
        .executeTakeFirst();
      return row?.most ?? 0;
    },
  };
}

/** Locks the zones of a project with the most recordsets and the most records. */
async function lockFullest(db: Kysely<Schema>, projectId: string): Promise<readonly Zone[]> {
  // The index on records limits the search: no zone has more recordsets than records.
  const candidates = db
    .selectFrom('zones')
    .select('id')
    .where('project_id', '=', projectId)
    .orderBy('records', 'desc')
    .limit(CANDIDATES);
  const most = (column: 'recordsets' | 'records') =>
    zonesWithState(db)
      .where('zones.id', 'in', candidates)
      .orderBy(`zones.${column}`, 'desc')
      .orderBy('zones.id')
      .limit(1)
      .modifyEnd(dialectOf(db).forUpdateOf('zones'))
      .execute();
  const [recordsets, records] = await pipelined(most('recordsets'), most('records'));
  return [...recordsets, ...records].map(zoneFromRow);
}

export function zoneWrites({ now: db, later }: OpenTransaction): ZoneWrites {
  /** Deletes an open transfer request. Completed ones stay as a record. */
  const forgetOffer = (id: string): void =>
    later(db.deleteFrom('zone_transfer_requests').where('zone_id', '=', id).where('status', '=', 'ACTIVE'));

  return {
    lockName: (name) => lockGate(db, name),
    lockFreeNames: (names) => lockFreeGates(db, names),

    async lock(id, scope) {
      const query = zoneOf(db, id, scope).modifyEnd(dialectOf(db).forUpdateOf('zones'));
      const row = await query.executeTakeFirst();
      if (row === undefined) return undefined;
      const isOwn = scope === 'all projects' || row.project_id === scope.projectId;
      // The share may have ended during the wait for the lock; the statement that waited still sees it.
      if (!isOwn && !(await isSharedWith(db, id, scope.projectId))) return undefined;
      return zoneFromRow(row);
    },

    find: (id, scope) => findZone(db, id, scope),
    lockFullest: (projectId) => lockFullest(db, projectId),

    setNotified: (id, notified) =>
      later(db.updateTable('zones').set({ told: notified }).where('id', '=', id)),

    conflicts: (wanted) => conflictsWith(db, wanted),
    hiddenBy: (names) => hiddenBy(db, names),

    async hasChildren(name) {
      const { from, to } = subtreeRange(name);
      const child = await db
        .selectFrom('zones')
        .select('id')
        .where('subtree_key', '>=', from)
        .where('subtree_key', '<', to)
        .limit(1)
        .executeTakeFirst();
      return child !== undefined;
    },

    async namesAmong(names) {
      const found = new Set<string>();
      for (let start = 0; start < names.length; start += NAMES_OF_A_QUERY) {
        const some = names.slice(start, start + NAMES_OF_A_QUERY);
        const rows = await db.selectFrom('zones').select('name').where('name', 'in', some).execute();
        for (const { name } of rows) found.add(name);
        await cooperativeYield();
      }
      return found;
    },

    insert: (...zones) => later(inserted(db, zones.map(toZoneRow))),

    update(zone, soa) {
      const { id, ...columns } = toZoneRow(zone);
      later(db.updateTable('zones').set(columns).where('id', '=', id));
      if (soa === undefined) return;
      later(
        db
          .updateTable('recordsets')
          .set({ records: JSON.stringify([soa]), serial: zone.serial })
          .where('zone_id', '=', id)
          .where('subtree_key', '=', columns.subtree_key)
          .where('type', '=', 'SOA'),
      );
    },

    correct: (id, { recordsets, records, bytes }) =>
      later(db.updateTable('zones').set({ recordsets, records, bytes }).where('id', '=', id)),

    leave(zone) {
      const { id, ...columns } = toZoneRow(zone);
      later(db.deleteFrom('zone_shares').where('zone_id', '=', id));
      forgetOffer(id);
      later(db.updateTable('zones').set(columns).where('id', '=', id));
    },

    remove({ id }) {
      later(db.deleteFrom('zone_shares').where('zone_id', '=', id));
      forgetOffer(id);
      later(db.deleteFrom('zones').where('id', '=', id));
    },
  };
}
