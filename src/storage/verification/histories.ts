/** Reads the journal of zone changes for verification. */
import { type Kysely, sql } from 'kysely';
import { canonicalName, type OwnerName, subtreeKey } from '../../dns/names.ts';
import type { StoredType } from '../../dns/record-types.ts';
import type { HistoryVerificationReads, StoredChange } from '../../model/verification/stored-history.ts';
import { dialectOf } from '../database/dialect.ts';
import { areSpellings, isObject, isTexts, parsed } from '../database/readable.ts';
import type { Schema } from '../database/schema.ts';
import { historyForgotten } from '../history/forgotten.ts';
import { fittingIds } from '../history/history.ts';
import { type ChangeRow, changeFromRow, textsSize } from '../history/rows.ts';

const PAGE = 1000;
const NO_ZONE = '{"ttl":[0],"email":[""],"projectId":[""],"soa":[""]}';

const isPair = (value: unknown) => Array.isArray(value) && (value.length === 1 || value.length === 2);

function areFacts(text: string): boolean {
  const facts = parsed(text);
  return isObject(facts) && ['ttl', 'email', 'projectId', 'soa'].every((name) => isPair(facts[name]));
}

function storedChange(row: ChangeRow & { readonly effects: string | null }): StoredChange {
  const readable = isObject(parsed(row.actor)) && areFacts(row.zone);
  const { actor, zone } = readable ? row : { actor: '{}', zone: NO_ZONE };
  const change = changeFromRow({ ...row, actor, zone });
  return { change, readable, effects: row.effects, size: row.size, counted: textsSize(row) };
}

/** The id up to which changes are counted. */
const COUNTED_UP_TO = sql<string>`coalesce((select up_to from history_progress where name = 'counted'), '')`;

/** What counts in the size of a zone or project. */
const COUNTS = sql`kept = 1 and id <= ${COUNTED_UP_TO}`;

/** The kept and counted changes of a size. @param id such as `zone …` */
function countedBytes(id: ReturnType<typeof sql>) {
  return sql<number>`coalesce(case when ${id} like 'zone %'
    then (select sum(size) from zone_changes where zone_id = substr(${id}, 6) and ${COUNTS})
    else (select sum(size) from zone_changes where project_id = substr(${id}, 9) and ${COUNTS}) end, 0)`;
}

/**
 * Counts the changes of a zone or project, and corrects their size. Meanwhile the upkeep waits, or has ended.
 * Leaves the changes of a zone that does not exist to the upkeep, which removes them.
 */
export async function recountHistory(db: Kysely<Schema>, id: string): Promise<void> {
  const kind = id.startsWith('zone ') ? 'zone' : 'project';
  if (kind === 'zone') await db.executeQuery(historyForgotten(db, id.slice('zone '.length)));
  await db
    .insertInto('history_sizes')
    .values({ id, kind, bytes: 0 })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  const held = db.selectFrom('history_sizes').select('id').where('id', '=', id);
  await held.modifyEnd(dialectOf(db).forUpdate).execute();
  const { rows } = await sql<{ bytes: number }>`select ${countedBytes(sql`${id}`)} as bytes`.execute(db);
  const bytes = Number(rows[0]!.bytes);
  if (bytes === 0) await db.deleteFrom('history_sizes').where('id', '=', id).execute();
  else await db.updateTable('history_sizes').set({ bytes }).where('id', '=', id).execute();
}

export function historyVerificationReads(db: Kysely<Schema>): HistoryVerificationReads {
  return {
    async histories(after) {
      const { rows } = await sql<{
        zone_id: string;
        effects: number;
        deleted: unknown;
        id: string | null;
        name: string;
        version: number;
        serial: number;
        ttl: number;
        email: string;
        project_id: string;
      }>`select journal.zone_id, journal.effects, zones.id, zones.name, zones.version, zones.serial, zones.ttl,
          zones.email, zones.project_id,
          exists (select 1 from forgotten_histories where forgotten_histories.zone_id = journal.zone_id)
            or exists (select 1 from deleted_zones where deleted_zones.id = journal.zone_id) as deleted
        from (
          select zone_id, sum(created + updated + deleted) as effects from zone_changes
          where zone_id > ${after?.zoneId ?? ''} group by zone_id order by zone_id limit ${sql.lit(PAGE)}
        ) as journal left join zones on zones.id = journal.zone_id order by journal.zone_id`.execute(db);
      return rows.map(({ zone_id: zoneId, effects, deleted, id, name, project_id: projectId, ...facts }) => ({
        zoneId,
        zone: id === null ? undefined : { ...facts, name: canonicalName(name), projectId },
        isDeleted: Boolean(deleted),
        effects: Number(effects),
      }));
    },

    async changesOf(zoneId, below) {
      let own = db.selectFrom('zone_changes').where('zone_id', '=', zoneId);
      if (below !== undefined) own = own.where('id', '<', below);
      const rows = await db
        .selectFrom('zone_changes')
        .selectAll()
        .select(sql<number>`case when effects is null then 0 else 1 end`.as('whole'))
        .where('id', 'in', fittingIds(db, own.orderBy('id', 'desc').limit(PAGE)))
        .orderBy('id', 'desc')
        .execute();
      return { items: rows.map(storedChange), more: rows.length > 0 };
    },

    async statesAt(zoneId, names) {
      const rows = await db
        .selectFrom('recordsets')
        .select(['id', 'name', 'type', 'ttl', 'records', 'spellings', 'description'])
        .where('zone_id', '=', zoneId)
        .where('subtree_key', 'in', names.map(subtreeKey))
        .execute();
      return rows.map((row) => {
        const readable = isTexts(parsed(row.records)) && areSpellings(row.spellings);
        return {
          ...row,
          name: canonicalName<OwnerName>(row.name),
          type: row.type as StoredType,
          records: readable ? JSON.parse(row.records) : [],
          spellings: readable ? JSON.parse(row.spellings ?? '{}') : {},
        };
      });
    },

    async historySizes(after) {
      const { rows } = await sql<{ id: string; bytes: number; counted: number }>`
        select id, bytes, ${countedBytes(sql`history_sizes.id`)} as counted from history_sizes
        where id > ${after?.id ?? ''} order by id limit ${sql.lit(PAGE)}`.execute(db);
      return rows.map(({ id, bytes, counted }) => ({ id, bytes: Number(bytes), counted: Number(counted) }));
    },
  };
}
