/** The journal of zone changes. */
import { type Kysely, sql } from 'kysely';
import type { ChangesQuery, HistoryPages, HistoryReads, HistoryWrites } from '../../model/history/store.ts';
import type { DatabaseReads, LongReads, OpenTransaction } from '../database/database.ts';
import { prepared } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';
import { historyForgotten } from './forgotten.ts';
import {
  type ChangeRow,
  changeFromRow,
  changeWithEffects,
  type NewChangeRow,
  toChangeRow,
  zoneFactsIn,
} from './rows.ts';
import { historyUpkeep } from './upkeep.ts';

/** Changes after which those that only IXFR needed are looked for: each time would cost every write. */
const WRITES_BETWEEN = 16;
/** Bytes of effects after which a page ends. */
const PAGE_BYTES = 1_048_576;
const HEAD = [
  'id',
  'zone_id',
  'project_id',
  'number',
  'from_serial',
  'to_serial',
  'at',
  'door',
  'actor',
  'description',
  'created',
  'updated',
  'deleted',
  'zone',
  'kept',
  'size',
  'difference_bytes',
  'bytes_until',
  'served_after',
  'served_bytes',
] as const satisfies readonly Exclude<keyof ChangeRow, 'whole'>[];

/** The total of the differences is that of the zone's order, which this change has just increased. */
const appended = prepared<NewChangeRow>((_, slot, first) => {
  const columns = Object.keys(first) as (keyof NewChangeRow)[];
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const values = sql.join(columns.map((column) => sql`${slot((row) => row[column])}`));
  const total = sql`(select journal_bytes from publications where zone_id = ${slot(({ zone_id: id }) => id)})`;
  return sql`insert into zone_changes (${names}, bytes_until) values (${values}, coalesce(${total}, 0))`;
});

interface HandoverQuestion {
  readonly zoneId: string;
  readonly below: string;
}

type HandoverRow = Pick<ChangeRow, 'id' | 'zone'>;

/** Later than any id. */
const ANY_ID = '~';
const HANDOVERS = 16;
/** There is an index of transfers that keep the serial. Few others do: those from a master that sends the same serial. */
const likeHandovers = prepared<HandoverQuestion, HandoverRow>(
  (_, slot) => sql`select id, zone from zone_changes
    where zone_id = ${slot(({ zoneId }) => zoneId)} and id < ${slot(({ below }) => below)}
      and door = 'transfer' and from_serial = to_serial
    order by id desc limit ${sql.lit(HANDOVERS)}`,
);

function isHandover({ zone }: HandoverRow): boolean {
  const { before, after } = zoneFactsIn(zone);
  return before.projectId !== after.projectId;
}

async function lastHandover(db: Kysely<Schema>, zoneId: string): Promise<string | undefined> {
  for (let below = ANY_ID; ; ) {
    const { rows } = await db.executeQuery(likeHandovers(db, { zoneId, below }));
    const found = rows.find(isHandover);
    if (found !== undefined || rows.length < HANDOVERS) return found?.id;
    below = rows.at(-1)!.id;
  }
}

function selected(db: Kysely<Schema>, { zoneId, below, from, door, mentions, limit }: ChangesQuery) {
  let query = db.selectFrom('zone_changes').where('zone_id', '=', zoneId).where('kept', '=', 1);
  if (below !== undefined) query = query.where('id', '<', below);
  if (from !== undefined) query = query.where('id', '>=', from);
  if (door !== undefined) query = query.where(sql<boolean>`door = ${door}`);
  if (mentions !== undefined) {
    const text = `%${mentions.replace(/[\\%_]/g, '\\$&')}%`;
    query = query.where(sql<boolean>`(effects like ${text} escape '\\' or effects not like '[%')`);
  }
  return query.orderBy('id', 'desc').limit(limit);
}

/** The ids of the changes of a page: the first of those selected, and more until they are too large together. */
export function fittingIds(db: Kysely<Schema>, changes: ReturnType<typeof selected>) {
  const sizes = changes.select(['id', 'size']);
  const sums = db
    .selectFrom(sizes.as('sizes'))
    .select(['id', 'size'])
    .select(sql<number>`sum(size) over (order by id desc)`.as('total'));
  return db
    .selectFrom(sums.as('sums'))
    .select('id')
    .where(sql<boolean>`total - size < ${sql.lit(PAGE_BYTES)}`);
}

function pagesOf(reads: LongReads): HistoryPages {
  return {
    async changesWithEffects(query, onBehalfOf) {
      const db = reads(onBehalfOf);
      const rows = await db
        .selectFrom('zone_changes')
        .selectAll()
        .where('id', 'in', fittingIds(db, selected(db, query)))
        .orderBy('id', 'desc')
        .execute();
      const bytes = rows.reduce((sum, { size }) => sum + size, 0);
      return { items: rows.map(changeWithEffects), more: rows.length === query.limit || bytes >= PAGE_BYTES };
    },
  };
}

export function historyReads({ reader, longReads }: DatabaseReads): HistoryReads {
  return {
    ...pagesOf(longReads),

    async changes(query, onBehalfOf) {
      const whole = sql<number>`case when effects is null then 0 else 1 end`.as('whole');
      const rows = await selected(longReads(onBehalfOf), query).select(HEAD).select(whole).execute();
      return rows.map(changeFromRow);
    },

    async find(zoneId, id) {
      const row = await reader
        .selectFrom('zone_changes')
        .selectAll()
        .where('id', '=', id)
        .where('zone_id', '=', zoneId)
        .where('kept', '=', 1)
        .executeTakeFirst();
      return row && changeWithEffects(row);
    },

    lastHandover: (zoneId) => lastHandover(reader, zoneId),
  };
}

export function historyWrites({ now: db, later }: OpenTransaction): HistoryWrites {
  return {
    append(change, bounds) {
      later(appended(db, toChangeRow(change, bounds)));
      if (change.number % WRITES_BETWEEN !== 0) return;
      const { zoneId, number } = change;
      const oldest = number - bounds.changes;
      later(
        sql`delete from zone_changes where zone_id = ${zoneId} and kept = 0 and (number <= ${oldest}
          or bytes_until <= (select journal_bytes from publications where zone_id = ${zoneId}) - ${bounds.bytes})`.compile(
          db,
        ),
      );
      // Changes by a program of an earlier version.
      later(
        db
          .deleteFrom('zone_journal')
          .where('zone_id', '=', zoneId)
          .where('number', '<=', oldest)
          .where(sql<boolean>`not exists (select 1 from secondaries where zone_id = ${zoneId})`),
      );
    },

    forget: (zoneId) => later(historyForgotten(db, zoneId)),

    ...pagesOf(() => db),
    ...historyUpkeep(db),
  };
}
