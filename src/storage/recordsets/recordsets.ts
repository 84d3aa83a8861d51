import { type Kysely, sql } from 'kysely';
import { subtreeKey } from '../../dns/names.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import type { RecordsetPages, RecordsetReads, RecordsetWrites } from '../../model/recordsets/store.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { cooperativeYield, eachInTurns, TimeSlices } from '../../runtime/cooperative-yield.ts';
import type { DatabaseReads, LongReads, OpenTransaction } from '../database/database.ts';
import { dialectOf } from '../database/dialect.ts';
import { prepared, preparedInsert, preparedUpdate } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';
import {
  haveSameTargets,
  isIndexed,
  targetsInserted,
  targetsOfBatch,
  targetsRemoved,
} from '../guardrails/targets.ts';
import { listsOf } from '../lists/lists.ts';
import { narrowedLists } from '../lists/narrowed.ts';
import { preparedList } from '../lists/prepared-list.ts';
import { findAtNames } from './at-names.ts';
import { findExpired } from './expired.ts';
import { withHiders } from './hidden-recordsets.ts';
import { findListed } from './lookups.ts';
import { findZoneOf, isListed } from './placed-recordsets.ts';
import { narrowingIn } from './read-limits.ts';
import { RECORDSETS } from './recordset-lists.ts';
import { type RecordsetRow, recordsetFromRow, toRecordsetRow } from './rows.ts';
import { findSurroundings } from './surroundings.ts';
import { batchesOfZone } from './zone-batches.ts';
import { zoneListsOf } from './zone-lists.ts';

const ROWS_OF_AN_INSERT = 100;
const ROWS_OF_A_PAGE = 500;

const byId = prepared<{ readonly zoneId: string; readonly id: string }, RecordsetRow>((db, slot) =>
  db
    .selectFrom('recordsets')
    .selectAll()
    .where(sql<boolean>`id = ${slot(({ id }) => id)}`)
    .where(sql<boolean>`zone_id = ${slot(({ zoneId }) => zoneId)}`),
);

const protectedIn = prepared<string, RecordsetRow>((db, slot) =>
  db
    .selectFrom('recordsets')
    .selectAll()
    .where(sql<boolean>`zone_id = ${slot((zoneId) => zoneId)}`)
    .where('protected', '=', sql.lit(1))
    .limit(1),
);

async function findRecordset(db: Kysely<Schema>, zoneId: string, id: string): Promise<Recordset | undefined> {
  const { rows } = await db.executeQuery(byId(db, { zoneId, id }));
  return rows[0] && recordsetFromRow(rows[0]);
}

async function findApexNs(
  db: Kysely<Schema>,
  { id, name }: Pick<Zone, 'id' | 'name'>,
): Promise<Recordset | undefined> {
  const row = await db
    .selectFrom('recordsets')
    .selectAll()
    .where('zone_id', '=', id)
    .where('subtree_key', '=', subtreeKey(name))
    .where('type', '=', 'NS')
    .where('managed', '=', 1)
    .executeTakeFirst();
  return row && recordsetFromRow(row);
}

/**
 * @param reads returns where to read on behalf of a project
 * @param turnsOf the turns of a project, in which a page is parsed
 */
export function pagesInTreeOrder(
  reads: LongReads,
  turnsOf = (projectId: string) => new TimeSlices(projectId),
): RecordsetPages {
  return {
    async inTreeOrder({ id, projectId }, after) {
      let query = reads(projectId).selectFrom('recordsets').selectAll().where('zone_id', '=', id);
      if (after !== undefined) {
        const key = subtreeKey(after.name);
        query = query.where(sql<boolean>`(subtree_key, type) > (${key}, ${after.type})`);
      }
      const rows = await query.orderBy('subtree_key').orderBy('type').limit(ROWS_OF_A_PAGE).execute();
      const page: Recordset[] = [];
      await eachInTurns(rows, (row) => page.push(recordsetFromRow(row)), turnsOf(projectId));
      return page;
    },
  };
}

const inserted = preparedInsert('recordsets');
const removed = preparedList<string, never>((db, ids) => db.deleteFrom('recordsets').where('id', 'in', ids));
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
  const lists = listsOf(reads, RECORDSETS);
  const list = narrowedLists(lists.list, {
    narrowingOf: narrowingIn,
    has: (id, within) => isListed(db, id, within),
  });
  return {
    ...pagesInTreeOrder(reads.longReads),
    ...lists,
    list,
    listOfZone: zoneListsOf(db, RECORDSETS, list),

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

    async hasProtected(zoneId) {
      return (await db.executeQuery(protectedIn(db, zoneId))).rows.length > 0;
    },

    expired: (now, after) => findExpired(db, now, after),

    zoneOf: (id, scope) => findZoneOf(db, id, scope),
  };
}

export function recordsetWrites(tx: OpenTransaction): RecordsetWrites {
  const { now: db, later } = tx;

  function indexTargets(...recordsets: readonly Recordset[]): void {
    const statement = targetsInserted(db, recordsets);
    if (statement !== undefined) later(statement);
  }

  return {
    find: (zoneId, id) => findRecordset(db, zoneId, id),
    findListed: (zoneId, id) => findListed(db, zoneId, id),

    async findProtected(zoneId) {
      const [row] = (await db.executeQuery(protectedIn(db, zoneId))).rows;
      return row && recordsetFromRow(row);
    },

    atNames: (zoneId, names) => findAtNames(db, zoneId, names),

    apexNs: (zone) => findApexNs(db, zone),

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
        indexTargets(...some);
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

    update(recordset, serial, before) {
      later(updated(db, toRecordsetRow(recordset, serial)));
      if (!isIndexed(recordset) || haveSameTargets(recordset, before)) return;
      later(targetsRemoved(db, [recordset.id]));
      indexTargets(recordset);
    },

    remove(recordsets) {
      const idOf = ({ id }: Recordset): string => id;
      later(removed(db, recordsets.map(idOf)));
      const indexed = recordsets.filter(isIndexed);
      if (indexed.length > 0) later(targetsRemoved(db, indexed.map(idOf)));
    },

    async catchUp() {
      await sql`select 1`.execute(db);
    },

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
        later(db.updateTable('record_targets').set({ project_id: to }).where(targetsOfBatch(batch)));
        const own = db.updateTable('recordsets').where(batch).where('project_id', '=', from);
        await own.set({ project_id: to }).execute();
      }
    },

    async *takeAll(zoneId) {
      for await (const batch of batchesOfZone(db, zoneId)) {
        later(db.deleteFrom('record_targets').where(targetsOfBatch(batch)));
        const rows = await db.deleteFrom('recordsets').where(batch).returningAll().execute();
        yield rows.map(recordsetFromRow);
      }
    },

    async removeAll(zoneId) {
      for await (const batch of batchesOfZone(db, zoneId)) {
        later(db.deleteFrom('record_targets').where(targetsOfBatch(batch)));
        await db.deleteFrom('recordsets').where(batch).execute();
      }
    },

    ...pagesInTreeOrder(() => db),
  };
}
