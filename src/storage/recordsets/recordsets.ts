import { type Kysely, sql } from 'kysely';
import { subtreeKey } from '../../dns/names.ts';
import type { ListedRecordset, Recordset, RecordsetQuery } from '../../model/recordsets/recordset.ts';
import type { RecordsetPages, RecordsetReads, RecordsetWrites } from '../../model/recordsets/store.ts';
import { cooperativeYield } from '../../runtime/cooperative-yield.ts';
import type { DatabaseReads, LongReads, OpenTransaction } from '../database/database.ts';
import { dialectOf } from '../database/dialect.ts';
import { prepared, preparedInsert, preparedUpdate } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';
import { type Listing, listsOf } from '../lists/lists.ts';
import { zonesSeenBy } from '../shares.ts';
import { countRecordsets } from './counts.ts';
import { type FilterScope, RECORDSET_CONDITIONS, recordsetsWithin } from './filters.ts';
import { withHiders } from './hidden-recordsets.ts';
import { findListed, type ListedRow, listedFromRow, lookUpRecordsets, ownerIn } from './lookups.ts';
import {
  RECORDSET_ACTION,
  RECORDSET_STATUS,
  type RecordsetRow,
  recordsetFromRow,
  toRecordsetRow,
} from './rows.ts';
import { findSurroundings } from './surroundings.ts';
import { batchesOfZone } from './zone-batches.ts';

const ROWS_OF_AN_INSERT = 100;
const ROWS_OF_A_PAGE = 500;

const byId = prepared<{ readonly zoneId: string; readonly id: string }, RecordsetRow>((db, slot) =>
  db
    .selectFrom('recordsets')
    .selectAll()
    .where(sql<boolean>`id = ${slot(({ id }) => id)}`)
    .where(sql<boolean>`zone_id = ${slot(({ zoneId }) => zoneId)}`),
);

async function findRecordset(db: Kysely<Schema>, zoneId: string, id: string): Promise<Recordset | undefined> {
  const { rows } = await db.executeQuery(byId(db, { zoneId, id }));
  return rows[0] && recordsetFromRow(rows[0]);
}

function pagesInTreeOrder(reads: LongReads): RecordsetPages {
  return {
    async inTreeOrder({ id, projectId }, after) {
      let query = reads(projectId).selectFrom('recordsets').selectAll().where('zone_id', '=', id);
      if (after !== undefined) {
        const key = subtreeKey(after.name);
        query = query.where(sql<boolean>`(subtree_key, type) > (${key}, ${after.type})`);
      }
      const rows = await query.orderBy('subtree_key').orderBy('type').limit(ROWS_OF_A_PAGE).execute();
      return rows.map(recordsetFromRow);
    },
  };
}

const RECORDSETS: Listing<RecordsetQuery, FilterScope, ListedRow, ListedRecordset> = {
  table: 'recordsets',
  joined: {
    join: sql`inner join zones on zones.id = recordsets.zone_id
      left join publications on publications.zone_id = recordsets.zone_id
      left join secondaries on secondaries.zone_id = recordsets.zone_id`,
    columns: sql`zones.name as zone_name, ${RECORDSET_STATUS} as current_status, ${RECORDSET_ACTION} as current_action`,
  },
  order: {
    created_at: ['created_at'],
    updated_at: ['updated_at'],
    id: [],
    zone_id: ['zone_id'],
    tenant_id: ['project_id'],
    name: ['name'],
    type: ['type'],
    // A row comparison cannot handle null: a null TTL sorts first.
    ttl: [{ expression: sql`coalesce(recordsets.ttl, -1)`, of: ({ ttl }) => ttl ?? -1 }],
    records: ['records'],
  },
  indexed: ['created_at'],
  filters: RECORDSET_CONDITIONS,
  within: recordsetsWithin,
  withinSlots: {
    kindOf: (within) => ownerIn(within).kind,
    slots(first, slot) {
      const owner = slot((within) => ownerIn(within).owner);
      const { kind } = ownerIn(first);
      if (kind === 'all') return first;
      return kind === 'zone' ? { zoneId: owner } : { projectId: owner };
    },
  },
  lookUp: lookUpRecordsets,
  fromRow: listedFromRow,
  counted: countRecordsets,
  size: sql`recordsets.bytes`,
};

const inserted = preparedInsert('recordsets');
const updated = preparedUpdate('recordsets', [
  'zone_id',
  'project_id',
  'name',
  'subtree_key',
  'type',
  'managed',
  'created_at',
]);

export function recordsetReads(reads: DatabaseReads): RecordsetReads {
  const { reader: db } = reads;
  return {
    ...pagesInTreeOrder(reads.longReads),
    ...listsOf(reads, RECORDSETS),

    find: (zoneId, id) => findListed(db, zoneId, id),
    withHiders: (recordsets, projectId) => withHiders(db, recordsets, projectId),

    async isInUse(zoneId, name) {
      const row = await db
        .selectFrom('recordsets')
        .select('id')
        .where('zone_id', '=', zoneId)
        .where('subtree_key', '=', subtreeKey(name))
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    async zoneOf(id, scope) {
      const row = await db
        .selectFrom('recordsets')
        .innerJoin('zones', 'zones.id', 'recordsets.zone_id')
        .select('recordsets.zone_id')
        .where('recordsets.id', '=', id)
        .where(zonesSeenBy(scope))
        .executeTakeFirst();
      return row?.zone_id;
    },
  };
}

export function recordsetWrites(tx: OpenTransaction): RecordsetWrites {
  const { now: db, later } = tx;
  return {
    ...pagesInTreeOrder(() => db),

    find: (zoneId, id) => findRecordset(db, zoneId, id),
    findListed: (zoneId, id) => findListed(db, zoneId, id),

    async atNames(zoneId, names) {
      const found: Recordset[] = [];
      for (let start = 0; start < names.length; start += ROWS_OF_A_PAGE) {
        const keys = names.slice(start, start + ROWS_OF_A_PAGE).map(subtreeKey);
        const query = db.selectFrom('recordsets').selectAll().where('zone_id', '=', zoneId);
        found.push(...(await query.where('subtree_key', 'in', keys).execute()).map(recordsetFromRow));
        await cooperativeYield();
      }
      return found;
    },

    async apexNs({ id, name }) {
      const row = await db
        .selectFrom('recordsets')
        .selectAll()
        .where('zone_id', '=', id)
        .where('subtree_key', '=', subtreeKey(name))
        .where('type', '=', 'NS')
        .where('managed', '=', 1)
        .executeTakeFirst();
      return row && recordsetFromRow(row);
    },

    surroundings: (zone, placed) => findSurroundings(db, zone, placed),

    expect: ({ recordsets, bytes }) => tx.expect({ rows: recordsets, bytes }),

    async insert(recordsets, serial) {
      for (let start = 0; start < recordsets.length; start += ROWS_OF_AN_INSERT) {
        const some = recordsets.slice(start, start + ROWS_OF_AN_INSERT);
        const rows = some.map((recordset) => toRecordsetRow(recordset, serial));
        const { numInsertedOrUpdatedRows } = await db
          .insertInto('recordsets')
          .values(rows)
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirstOrThrow();
        if (Number(numInsertedOrUpdatedRows) !== rows.length) return false;
        // Large imports have many batches: yield after each.
        if (rows.length === ROWS_OF_AN_INSERT) await cooperativeYield();
      }
      return true;
    },

    insertApex: (...apexes) =>
      later(
        inserted(
          db,
          apexes.flatMap(({ recordsets, serial }) => recordsets.map((one) => toRecordsetRow(one, serial))),
        ),
      ),

    update: (recordset, serial) => later(updated(db, toRecordsetRow(recordset, serial))),

    remove: (id) => later(db.deleteFrom('recordsets').where('id', '=', id)),

    async maxRecords(zoneId) {
      let most = 0;
      for await (const batch of batchesOfZone(db, zoneId)) {
        const found = await db
          .selectFrom('recordsets')
          .select(sql<number | null>`max(${dialectOf(db).jsonLength(sql.ref('records'))})`.as('most'))
          .where(batch)
          .where('managed', '=', 0)
          .executeTakeFirstOrThrow();
        most = Math.max(most, found.most ?? 0);
      }
      return most;
    },

    async moveTo(zoneId, from, to) {
      for await (const batch of batchesOfZone(db, zoneId)) {
        const own = db.updateTable('recordsets').where(batch).where('project_id', '=', from);
        await own.set({ project_id: to }).execute();
      }
    },

    async removeAll(zoneId) {
      for await (const batch of batchesOfZone(db, zoneId)) {
        await db.deleteFrom('recordsets').where(batch).execute();
      }
    },
  };
}
