import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import type { Fqdn } from '../dns/names.ts';
import type { TsigKeyReads, TsigKeysWithin, TsigKeyWrites } from '../model/tsig-keys/store.ts';
import { maySeeAll, type TsigKey, type TsigKeyQuery } from '../model/tsig-keys/tsig-key.ts';
import type { StoredTsigKey } from '../model/verification/stored.ts';
import type { DatabaseReads, OpenTransaction } from './database/database.ts';
import { dialectOf } from './database/dialect.ts';
import type { Schema } from './database/schema.ts';
import { filterOn, inScope, isAmong, nameFilterOn } from './lists/list-conditions.ts';
import { type Listing, listsOf } from './lists/lists.ts';

type TsigKeyRow = Selectable<Schema['tsig_keys']>;

/** What the key may do, unless it is what every key may. */
function permissionsOf({ transfer, update_scope: scope }: TsigKeyRow): Pick<TsigKey, 'permissions'> {
  if (transfer === 1 && scope === '') return {};
  return { permissions: { transfer: transfer === 1, update: scope === '' ? null : JSON.parse(scope) } };
}

function fromRow(row: TsigKeyRow): TsigKey {
  return {
    id: row.id,
    name: row.name,
    algorithm: row.algorithm,
    secret: row.secret,
    scope: row.scope,
    resourceId: row.resource_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at || null,
    spelling: row.spelling,
    ...(row.project_id === '' ? {} : { projectId: row.project_id }),
    ...permissionsOf(row),
  };
}

function toRow(key: TsigKey): TsigKeyRow {
  return {
    id: key.id,
    name: key.name,
    algorithm: key.algorithm,
    secret: key.secret,
    scope: key.scope,
    resource_id: key.resourceId,
    created_at: key.createdAt,
    updated_at: key.updatedAt ?? '',
    spelling: key.spelling ?? null,
    transfer: maySeeAll(key) ? 1 : 0,
    update_scope: key.permissions?.update ? JSON.stringify(key.permissions.update) : '',
    project_id: key.projectId ?? '',
  };
}

function keysWithin(within: TsigKeysWithin): RawBuilder<boolean> {
  if (within === 'all keys') return sql`true`;
  // No project's key is one of administrators, not even for a caller without a project.
  return sql`(project_id <> '' and ${inScope(within.madeBy)})`;
}

const TSIG_KEYS: Listing<TsigKeyQuery, TsigKeysWithin, TsigKeyRow, TsigKey> = {
  table: 'tsig_keys',
  order: { created_at: ['created_at'], updated_at: ['updated_at'], id: [], name: ['name'] },
  indexed: ['created_at', 'name'],
  filters: {
    name: nameFilterOn('name'),
    algorithm: filterOn('algorithm'),
    scope: filterOn('scope'),
    resource_id: filterOn('resource_id'),
  },
  within: keysWithin,
  fromRow,
};

/** Some keys in the order of their ids, each with what has its resource id. */
export async function tsigKeysWithResource(
  db: Kysely<Schema>,
  after: StoredTsigKey | undefined,
  limit: number,
): Promise<readonly StoredTsigKey[]> {
  const rows = await db
    .selectFrom('tsig_keys as key')
    .leftJoin('pools', 'pools.id', 'key.resource_id')
    .leftJoin('zones', 'zones.id', 'key.resource_id')
    .selectAll('key')
    .select(['pools.id as pool', 'zones.name as zone_name', 'zones.project_id as owner'])
    .where('key.id', '>', after?.key.id ?? '')
    .orderBy('key.id')
    .limit(limit)
    .execute();
  return rows.map(({ pool, zone_name: zoneName, owner, ...row }) => {
    const zone =
      zoneName === null || owner === null ? undefined : { name: zoneName as Fqdn, projectId: owner };
    const resource = pool === null ? (zone === undefined ? 'nothing' : 'ZONE') : 'POOL';
    return { key: fromRow(row), resource, zone };
  });
}

export function tsigKeyReads(reads: DatabaseReads): TsigKeyReads {
  const { reader: db } = reads;
  const { list } = listsOf(reads, TSIG_KEYS);
  return {
    list,

    async ofPools() {
      const query = db.selectFrom('tsig_keys').selectAll().where('scope', '=', sql.lit('POOL'));
      return (await query.orderBy('name').execute()).map(fromRow);
    },

    async ofZones(zoneIds) {
      const query = db.selectFrom('tsig_keys').selectAll().where('scope', '=', 'ZONE');
      const rows = await query
        .where(isAmong(db, 'resource_id', zoneIds))
        .orderBy('name')
        .execute();
      return rows.map(fromRow);
    },

    async find(id) {
      const row = await db.selectFrom('tsig_keys').selectAll().where('id', '=', id).executeTakeFirst();
      return row && fromRow(row);
    },

    async findByName(name) {
      const row = await db.selectFrom('tsig_keys').selectAll().where('name', '=', name).executeTakeFirst();
      return row && fromRow(row);
    },

    async findOfZone(zoneId) {
      const query = db.selectFrom('tsig_keys').selectAll().where('scope', '=', sql.lit('ZONE'));
      const own = query.where('resource_id', '=', zoneId).where('transfer', '=', 1);
      const row = await own.orderBy('name').limit(1).executeTakeFirst();
      return row && fromRow(row);
    },

    async updatersOf(zoneId, limit) {
      const query = db.selectFrom('tsig_keys').selectAll().where('scope', '=', sql.lit('ZONE'));
      const own = query.where('resource_id', '=', zoneId).where('update_scope', '<>', '');
      return (await own.orderBy('name').limit(limit).execute()).map(fromRow);
    },
  };
}

export function tsigKeyWrites({ now: db, later }: OpenTransaction): TsigKeyWrites {
  return {
    async named(names) {
      const rows = await db
        .selectFrom('tsig_keys')
        .selectAll()
        .where(isAmong(db, 'name', names))
        .execute();
      return rows.map(fromRow);
    },

    async lockOfZone(zoneId) {
      const query = db.selectFrom('tsig_keys').selectAll().where('resource_id', '=', zoneId);
      const rows = query.where('scope', '=', 'ZONE').orderBy('id').modifyEnd(dialectOf(db).forUpdate);
      return (await rows.execute()).map(fromRow);
    },

    async lock(id) {
      const query = db.selectFrom('tsig_keys').selectAll().where('id', '=', id);
      const row = await query.modifyEnd(dialectOf(db).forUpdate).executeTakeFirst();
      return row && fromRow(row);
    },

    async hasName(name) {
      const row = await db.selectFrom('tsig_keys').select('id').where('name', '=', name).executeTakeFirst();
      return row !== undefined;
    },

    async insert(key) {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('tsig_keys')
        .values(toRow(key))
        .onConflict((conflict) => conflict.column('name').doNothing())
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows === 1n;
    },

    update(key) {
      const { id, ...columns } = toRow(key);
      later(db.updateTable('tsig_keys').set(columns).where('id', '=', id));
    },

    remove: (id) => later(db.deleteFrom('tsig_keys').where('id', '=', id)),
  };
}
