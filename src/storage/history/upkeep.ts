/**
 * Keeps the journal within its bounds. Writers only add to it: sizes of zones and projects are counted here, later, so
 * that changes of two zones of a project never wait for each other.
 */
import type { Kysely } from 'kysely';
import type { HistoryBounds, HistoryUpkeep } from '../../model/history/store.ts';
import type { HistorySchema } from '../database/history-schema.ts';
import type { Schema } from '../database/schema.ts';
import { isAmong } from '../lists/list-conditions.ts';

type SizeKind = HistorySchema['history_sizes']['kind'];
type Progress = HistorySchema['history_progress']['name'];

/** What the upkeep reads of a change. */
interface UpkeepRow {
  readonly id: string;
  readonly zone_id: string;
  readonly project_id: string;
  readonly number: number;
  readonly size: number;
  readonly difference_bytes: number;
  readonly kept: number;
}

const COLUMNS = ['id', 'zone_id', 'project_id', 'number', 'size', 'difference_bytes', 'kept'] as const;

function sizeId(kind: SizeKind, id: string): string {
  return `${kind} ${id}`;
}

async function progressOf(db: Kysely<Schema>, name: Progress): Promise<string> {
  const row = await db
    .selectFrom('history_progress')
    .select('up_to')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.up_to ?? '';
}

async function setProgress(db: Kysely<Schema>, name: Progress, upTo: string): Promise<void> {
  await db
    .insertInto('history_progress')
    .values({ name, up_to: upTo })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ up_to: upTo }))
    .execute();
}

/** Adds changes to the sizes of their zones and projects, or subtracts them. */
async function resize(db: Kysely<Schema>, rows: readonly UpkeepRow[], sign: 1 | -1): Promise<void> {
  const sizes = new Map<string, { kind: SizeKind; bytes: number }>();
  const add = (kind: SizeKind, id: string, size: number) => {
    const { bytes } = sizes.get(sizeId(kind, id)) ?? { bytes: 0 };
    sizes.set(sizeId(kind, id), { kind, bytes: bytes + sign * size });
  };
  for (const { zone_id: zone, project_id: project, size } of rows) {
    add('zone', zone, size);
    add('project', project, size);
  }
  for (const [id, { kind, bytes }] of sizes) {
    await db
      .insertInto('history_sizes')
      .values({ id, kind, bytes })
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((eb) => ({
          bytes: eb('history_sizes.bytes', '+', eb.ref('excluded.bytes')),
        })),
      )
      .execute();
  }
  await db
    .deleteFrom('history_sizes')
    .where(isAmong(db, 'id', [...sizes.keys()]))
    .where('bytes', '<=', 0)
    .execute();
}

/** The number up to which IXFR does not serve the changes of a zone any more. */
async function servedAfter(db: Kysely<Schema>, zoneId: string): Promise<number> {
  const newest = await db
    .selectFrom('zone_changes')
    .select('served_after')
    .where('zone_id', '=', zoneId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return newest?.served_after ?? 0;
}

/** Takes changes out of the history. Those that IXFR still serves stay for it alone. */
async function retire(db: Kysely<Schema>, rows: readonly UpkeepRow[], counted: string): Promise<void> {
  if (rows.length === 0) return;
  const bounds = new Map<string, number>();
  for (const { zone_id: id } of rows) if (!bounds.has(id)) bounds.set(id, await servedAfter(db, id));
  const isServed = ({ zone_id, number, difference_bytes }: UpkeepRow) =>
    difference_bytes > 0 && number > bounds.get(zone_id)!;
  const ids = (isAsked: boolean) => rows.filter((row) => isServed(row) === isAsked).map(({ id }) => id);
  await db
    .updateTable('zone_changes')
    .set({ kept: 0 })
    .where(isAmong(db, 'id', ids(true)))
    .execute();
  await remove(db, ids(false));
  await resize(
    db,
    rows.filter(({ id }) => id <= counted),
    -1,
  );
}

async function remove(db: Kysely<Schema>, ids: readonly string[]): Promise<void> {
  if (ids.length > 0)
    await db
      .deleteFrom('zone_changes')
      .where(isAmong(db, 'id', ids))
      .execute();
}

/** The oldest rows that together have at least so many bytes. */
function oldestOf(rows: readonly UpkeepRow[], excess: number): readonly UpkeepRow[] {
  let left = excess;
  return rows.filter(({ size }) => {
    const isTaken = left > 0;
    left -= size;
    return isTaken;
  });
}

async function shortenOne(
  db: Kysely<Schema>,
  kind: SizeKind,
  maxBytes: number,
  limit: number,
): Promise<boolean> {
  const found = await db
    .selectFrom('history_sizes')
    .select(['id', 'bytes'])
    .where('kind', '=', kind)
    .where('bytes', '>', maxBytes)
    .orderBy('bytes', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (found === undefined) return false;
  const counted = await progressOf(db, 'counted');
  const id = found.id.slice(kind.length + 1);
  const column = kind === 'zone' ? 'zone_id' : 'project_id';
  const rows = await db
    .selectFrom('zone_changes')
    .select(COLUMNS)
    .where(column, '=', id)
    .where('kept', '=', 1)
    .where('id', '<=', counted)
    .orderBy('id')
    .limit(limit)
    .execute();
  await retire(db, oldestOf(rows, found.bytes - maxBytes), counted);
  // A size without changes is wrong: they were removed by other means, such as a restore of single tables.
  if (rows.length === 0) await db.deleteFrom('history_sizes').where('id', '=', found.id).execute();
  return true;
}

export function historyUpkeep(db: Kysely<Schema>): HistoryUpkeep {
  return {
    async removeForgotten(limit) {
      const zone = await db.selectFrom('forgotten_histories').select('zone_id').limit(1).executeTakeFirst();
      if (zone === undefined) return false;
      const own = db.selectFrom('zone_changes').select(COLUMNS).where('zone_id', '=', zone.zone_id);
      const rows = await own.orderBy('id').limit(limit).execute();
      await remove(
        db,
        rows.map(({ id }) => id),
      );
      const counted = await progressOf(db, 'counted');
      await resize(
        db,
        rows.filter(({ id, kept }) => kept === 1 && id <= counted),
        -1,
      );
      if (rows.length < limit)
        await db.deleteFrom('forgotten_histories').where('zone_id', '=', zone.zone_id).execute();
      return true;
    },

    async count(before, limit) {
      const counted = await progressOf(db, 'counted');
      const rows = await db
        .selectFrom('zone_changes')
        .select(COLUMNS)
        .where('id', '>', counted)
        .where('id', '<', before)
        .orderBy('id')
        .limit(limit)
        .execute();
      if (rows.length === 0) return false;
      await resize(
        db,
        rows.filter(({ kept }) => kept === 1),
        1,
      );
      await setProgress(db, 'counted', rows.at(-1)!.id);
      return rows.length === limit;
    },

    async shorten({ maxBytesPerZone, maxBytesPerProject }: HistoryBounds, limit) {
      if (await shortenOne(db, 'zone', maxBytesPerZone, limit)) return true;
      return shortenOne(db, 'project', maxBytesPerProject, limit);
    },

    async expire(before, limit) {
      const expired = await progressOf(db, 'expired');
      const rows = await db
        .selectFrom('zone_changes')
        .select(COLUMNS)
        .where('id', '>', expired)
        .where('id', '<', before)
        .orderBy('id')
        .limit(limit)
        .execute();
      if (rows.length === 0) return false;
      await retire(
        db,
        rows.filter(({ kept }) => kept === 1),
        await progressOf(db, 'counted'),
      );
      await setProgress(db, 'expired', rows.at(-1)!.id);
      return rows.length === limit;
    },
  };
}
