import { type Kysely, type Selectable, sql } from 'kysely';
import type { TsigKeyReads, TsigKeyWrites } from '../model/tsig-keys/store.ts';
import type { TsigKey, TsigKeyQuery } from '../model/tsig-keys/tsig-key.ts';
import type { StoredTsigKey } from '../model/verification/stored.ts';
import type { DatabaseReads, OpenTransaction } from './database/database.ts';
import { dialectOf } from './database/dialect.ts';
import type { Schema } from './database/schema.ts';
import { filterOn, nameFilterOn } from './lists/list-conditions.ts';
import { type Listing, listsOf } from './lists/lists.ts';

type TsigKeyRow = Selectable<Schema['tsig_keys']>;

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
  };
}

const TSIG_KEYS: Listing<TsigKeyQuery, void, TsigKeyRow, TsigKey> = {
  table: 'tsig_keys',
  order: { created_at: ['created_at'], updated_at: ['updated_at'], id: [], name: ['name'] },
  indexed: ['name'],
  filters: {
    name: nameFilterOn('name'),
    algorithm: filterOn('algorithm'),
    scope: filterOn('scope'),
    resource_id: filterOn('resource_id'),
  },
  within: () => sql`true`,
  fromRow,
};

async function all(db: Kysely<Schema>): Promise<readonly TsigKey[]> {
  const rows = await db.selectFrom('tsig_keys').selectAll().orderBy('name').execute();
  return rows.map(fromRow);
}

/** Every key, with the kind of resource that has its resource id. */
export async function tsigKeysWithResource(db: Kysely<Schema>): Promise<readonly StoredTsigKey[]> {
  const rows = await db
    .selectFrom('tsig_keys as key')
    .leftJoin('pools', 'pools.id', 'key.resource_id')
    .leftJoin('zones', 'zones.id', 'key.resource_id')
    .selectAll('key')
    .select(['pools.id as pool', 'zones.id as zone'])
    .orderBy('key.id')
    .execute();
  return rows.map(({ pool, zone, ...row }) => {
    const resource = pool === null ? (zone === null ? 'nothing' : 'ZONE') : 'POOL';
    return { key: fromRow(row), resource };
  });
}

export function tsigKeyReads(reads: DatabaseReads): TsigKeyReads {
  const { reader: db } = reads;
  const { list } = listsOf(reads, TSIG_KEYS);
  return {
    all: () => all(db),
    list,

    async find(id) {
      const row = await db.selectFrom('tsig_keys').selectAll().where('id', '=', id).executeTakeFirst();
      return row && fromRow(row);
    },

    async findOfZone(zoneId) {
      const query = db.selectFrom('tsig_keys').selectAll().where('scope', '=', 'ZONE');
      const row = await query.where('resource_id', '=', zoneId).orderBy('name').limit(1).executeTakeFirst();
      return row && fromRow(row);
    },
  };
}

export function tsigKeyWrites({ now: db, later }: OpenTransaction): TsigKeyWrites {
  return {
    all: () => all(db),

    async lock(id) {
      const query = db.selectFrom('tsig_keys').selectAll().where('id', '=', id);
      const row = await query.modifyEnd(dialectOf(db).forUpdate).executeTakeFirst();
      return row && fromRow(row);
    },

    async hasName(name) {
      const row = await db.selectFrom('tsig_keys').select('id').where('name', '=', name).executeTakeFirst();
      return row !== undefined;
    },

    insert: (key) => later(db.insertInto('tsig_keys').values(toRow(key))),

    update(key) {
      const { id, ...columns } = toRow(key);
      later(db.updateTable('tsig_keys').set(columns).where('id', '=', id));
    },

    remove: (id) => later(db.deleteFrom('tsig_keys').where('id', '=', id)),
  };
}
