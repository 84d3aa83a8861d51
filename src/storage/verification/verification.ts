import { type Kysely, type Selectable, sql } from 'kysely';
import { canonicalName } from '../../dns/names.ts';
import { storedBytes } from '../../model/recordsets/size.ts';
import type {
  StoredBlacklist,
  StoredRecordset,
  StoredZone,
  VerificationReads,
  VerificationWrites,
  ZoneTotals,
} from '../../model/verification/stored.ts';
import { NOTHING, sum, type Totals } from '../../model/zones/totals.ts';
import {
  type BlacklistRow,
  blacklistFromRow,
  hasReadableExceptions,
  hasValidKeys,
} from '../blacklists/rows.ts';
import { dialectOf } from '../database/dialect.ts';
import { limitTo } from '../database/limit.ts';
import { areModes, areSpellings, areTimers, isObject, isTexts, parsed } from '../database/readable.ts';
import type { Schema } from '../database/schema.ts';
import { recordsetFromRow } from '../recordsets/rows.ts';
import { batchesOfZone } from '../recordsets/zone-batches.ts';
import { projectFromRow } from '../usage/projects.ts';
import { type ZoneRow, zoneFromRow, zonesWithState } from '../zones/rows.ts';
import { deletedZoneReads } from './deleted-zones.ts';
import { rewriteNames } from './earlier-names.ts';
import { historyVerificationReads, recountHistory } from './histories.ts';
import { IS_HELD, listReads, recountList } from './of-lists.ts';
import { otherTableReads, recordsetsOfShare } from './other-tables.ts';
import { removeStrayOrder } from './stray-orders.ts';
import { reindexTargets, wronglyIndexed } from './targets.ts';

const PAGE = 1000;

/** 1 if a recordset's zone is shared with the recordset's project, otherwise 0. */
const IS_SHARED_WITH_OWNER = sql<number>`case when exists (select 1 from zone_shares
  where zone_shares.zone_id = recordsets.zone_id
    and zone_shares.target_project_id = recordsets.project_id) then 1 else 0 end`;

/** The usage of the given projects by id, counted from the rows of their zones. */
async function usageOf(db: Kysely<Schema>, ids: readonly string[]): Promise<Map<string, ZoneTotals>> {
  const total = sql<number>`count(*)`.as('total');
  const zones = await db
    .selectFrom('zones')
    .select(['project_id', total])
    .where('project_id', 'in', ids)
    .groupBy('project_id')
    .execute();
  const recordsets = await db
    .selectFrom('recordsets')
    .innerJoin('zones', 'zones.id', 'recordsets.zone_id')
    .select(['zones.project_id', total])
    .where('zones.project_id', 'in', ids)
    .where('managed', '=', 0)
    .groupBy('zones.project_id')
    .execute();
  const own = new Map(recordsets.map((row) => [row.project_id, row.total]));
  const zonesOf = new Map(zones.map((row) => [row.project_id, row.total]));
  return new Map(ids.map((id) => [id, { zones: zonesOf.get(id) ?? 0, recordsets: own.get(id) ?? 0 }]));
}

/** The ids of all projects that have a row or a zone, after the given id, in order. */
async function projectIds(db: Kysely<Schema>, after: string): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select project_id as id from projects where project_id > ${after}
    union
    select project_id from (select distinct project_id from zones where project_id > ${after}) as named
    order by 1 ${limitTo(PAGE)}`.execute(db);
  return rows.map(({ id }) => id);
}

function storedBlacklist(row: BlacklistRow & { readonly is_held: unknown }): StoredBlacklist {
  return {
    blacklist: blacklistFromRow(row),
    number: row.number,
    haveValidKeys: hasValidKeys(row),
    isHeld: Boolean(row.is_held),
    readable: hasReadableExceptions(row),
    hasEnded: row.ended !== 0,
  };
}

function storedZone(row: ZoneRow, isIndexed = true): StoredZone {
  const readable = isObject(parsed(row.attributes));
  const attributes = readable ? row.attributes : '{}';
  const timersReadable = areTimers(row.soa);
  const soa = timersReadable ? row.soa : null;
  const modesReadable = areModes(row.guardrails);
  const guardrails = modesReadable ? row.guardrails : null;
  const zone = zoneFromRow({ ...row, attributes, soa, guardrails });
  return { zone, subtreeKey: row.subtree_key, readable, timersReadable, modesReadable, isIndexed };
}

function readableRecordset(
  row: Selectable<Schema['recordsets']>,
  isShared: boolean,
  isIndexed = true,
): StoredRecordset {
  const readable = isTexts(parsed(row.records)) && areSpellings(row.spellings);
  const { records, spellings } = readable ? row : { records: '[]', spellings: null };
  const recordset = recordsetFromRow({ ...row, records, spellings });
  return { recordset, subtreeKey: row.subtree_key, readable, isShared, isIndexed };
}

/** The share of an unmanaged row in its zone's totals. As in the verification, unreadable records count as none. */
function totalsOfRow(row: Selectable<Schema['recordsets']>): Totals {
  const { recordset } = readableRecordset(row, false);
  return { recordsets: 1, records: recordset.records.length, bytes: storedBytes(recordset) };
}

async function recountZone(db: Kysely<Schema>, id: string): Promise<Totals> {
  let total = NOTHING;
  for await (const batch of batchesOfZone(db, id)) {
    for (const row of await db.selectFrom('recordsets').selectAll().where(batch).execute()) {
      const own = row.managed === 1 ? NOTHING : totalsOfRow(row);
      total = sum(total, own);
      if (row.bytes === own.bytes) continue;
      await db.updateTable('recordsets').set({ bytes: own.bytes }).where('id', '=', row.id).execute();
    }
  }
  return total;
}

/** Reads of the whole store, for verification. */
export function verificationReads(db: Kysely<Schema>): VerificationReads {
  let unindexed: Promise<ReadonlySet<string>> | undefined;
  return {
    async zones(after) {
      const query = zonesWithState(db).orderBy('zones.id').limit(PAGE);
      const next = after === undefined ? query : query.where('zones.id', '>', after.zone.id);
      const rows = await next.execute();
      unindexed ??= dialectOf(db).unindexed(db);
      const missing = await unindexed;
      return rows.map((row) => storedZone(row, !missing.has(row.id)));
    },

    async zonesInTreeOrder(after) {
      let query = db
        .selectFrom('zones')
        .select(['id', 'name', 'project_id', 'subtree_key'])
        .orderBy('subtree_key')
        .orderBy('project_id')
        .orderBy('id');
      if (after !== undefined) {
        const { subtreeKey, projectId, id } = after;
        query = query.where(
          sql<boolean>`(subtree_key, project_id, id) > (${subtreeKey}, ${projectId}, ${id})`,
        );
      }
      const rows = await query.limit(PAGE).execute();
      return rows.map(({ id, name, project_id, subtree_key }) => ({
        id,
        name: canonicalName(name),
        projectId: project_id,
        subtreeKey: subtree_key,
      }));
    },

    async recordsets(after) {
      let query = db
        .selectFrom('recordsets')
        .selectAll()
        .select(IS_SHARED_WITH_OWNER.as('is_shared'))
        .orderBy('zone_id')
        .orderBy('subtree_key')
        .orderBy('type');
      if (after !== undefined) {
        const { zoneId, type } = after.recordset;
        query = query.where(
          sql<boolean>`(zone_id, subtree_key, type) > (${zoneId}, ${after.subtreeKey}, ${type})`,
        );
      }
      const rows = await query.limit(PAGE).execute();
      const wrong = await wronglyIndexed(db, rows);
      return rows.map((row) => readableRecordset(row, row.is_shared === 1, !wrong.has(row.id)));
    },

    async projects(after) {
      const ids = await projectIds(db, after?.projectId ?? '');
      if (ids.length === 0) return [];
      const rows = await db.selectFrom('projects').selectAll().where('project_id', 'in', ids).execute();
      const states = new Map(rows.map((row) => [row.project_id, projectFromRow(row)]));
      const counted = await usageOf(db, ids);
      return ids.map((projectId) => ({
        projectId,
        state: states.get(projectId),
        counted: counted.get(projectId)!,
      }));
    },

    async blacklists(after) {
      const query = db
        .selectFrom('blacklists')
        .selectAll()
        .select(IS_HELD.as('is_held'))
        .orderBy('number')
        .limit(PAGE);
      const rows = await (after === undefined ? query : query.where('number', '>', after.number)).execute();
      return rows.map(storedBlacklist);
    },

    ...listReads(db),
    ...deletedZoneReads(db),
    ...otherTableReads(db),
    ...historyVerificationReads(db),

    async revision() {
      const row = await db.selectFrom('blacklist_revision').select('revision').executeTakeFirstOrThrow();
      return row.revision;
    },
  };
}

export function verificationWrites(db: Kysely<Schema>): VerificationWrites {
  return {
    async lockZone(id) {
      const query = zonesWithState(db).where('zones.id', '=', id);
      const row = await query.modifyEnd(dialectOf(db).forUpdateOf('zones')).executeTakeFirst();
      return row && storedZone(row);
    },

    rewriteNames: (zone) => rewriteNames(db, zone),
    recountZone: (id) => recountZone(db, id),
    reindexTargets: (zoneId) => reindexTargets(db, zoneId),
    reindexZone: (id) => dialectOf(db).reindex(db, id),

    removeStrayOrder: (orderId) => removeStrayOrder(db, orderId),

    async recountShare(id) {
      const share = await db
        .selectFrom('zone_shares')
        .select('zone_id')
        .where('id', '=', id)
        .executeTakeFirst();
      if (share === undefined) return;
      const zone = db.selectFrom('zones').select('id').where('id', '=', share.zone_id);
      await zone.modifyEnd(dialectOf(db).forUpdate).execute();
      const recordsets = recordsetsOfShare('zone_shares');
      await db.updateTable('zone_shares').set({ recordsets }).where('id', '=', id).execute();
    },

    recountList: (name) => recountList(db, name),
    recountHistory: (id) => recountHistory(db, id),
    async recountProject(projectId) {
      await db
        .insertInto('projects')
        .values({ project_id: projectId, zones: 0, recordsets: 0 })
        .onConflict((conflict) => conflict.column('project_id').doUpdateSet({ project_id: projectId }))
        .execute();
      const counted = (await usageOf(db, [projectId])).get(projectId)!;
      await db.updateTable('projects').set(counted).where('project_id', '=', projectId).execute();
    },
  };
}
