/** Forgets deleted zones that are too old or too many, a bounded number at a time. */
import { sql } from 'kysely';
import type { DeletedZoneBounds, DeletedZoneUpkeep } from '../../model/deleted-zones/store.ts';
import type { OpenTransaction } from '../database/database.ts';
import { dialectOf } from '../database/dialect.ts';
import { historyForgotten } from '../history/forgotten.ts';
import { isAmong } from '../lists/list-conditions.ts';
import { forgetContents, partsOf } from './contents.ts';

interface SizedEntry {
  readonly id: string;
  readonly size: number;
}

/** Those beyond the bounds. The entries come newest first. */
function beyond(entries: readonly SizedEntry[], { zones, bytes }: DeletedZoneBounds): readonly SizedEntry[] {
  let total = 0;
  const first = entries.findIndex(({ size }, place) => {
    total += size;
    return place >= zones || total > bytes;
  });
  return first === -1 ? [] : entries.slice(first);
}

export function deletedZoneUpkeep(tx: OpenTransaction): DeletedZoneUpkeep {
  const { now: db, later } = tx;

  /** Zones come before entries in the order of locks: a zone may still be leaving its name servers. */
  async function forgetAll(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const sorted = [...ids].sort();
    await sql`select id from zones where ${isAmong(db, 'id', sorted)} order by id ${dialectOf(db).forUpdate}`.execute(
      db,
    );
    const gone = await db
      .deleteFrom('deleted_zones')
      .where(isAmong(db, 'id', sorted))
      .returning(['id', 'contents_id'])
      .execute();
    for (const { id, contents_id } of gone) {
      forgetContents(tx, contents_id);
      later(historyForgotten(db, id));
    }
  }

  return {
    async removeContents(limit) {
      const found = await db
        .selectFrom('forgotten_contents')
        .select('contents_id')
        .limit(1)
        .executeTakeFirst();
      if (found === undefined) return false;
      const { contents_id: contentsId } = found;
      const rows = await partsOf(db, contentsId).select('id').orderBy('id').limit(limit).execute();
      const last = rows.at(-1)?.id;
      // A range is found by the primary key, whatever the database thinks of a list of ids.
      if (last !== undefined)
        await db
          .deleteFrom('deleted_contents')
          .where('id', '>', `${contentsId}/`)
          .where('id', '<=', last)
          .execute();
      if (rows.length < limit)
        await db.deleteFrom('forgotten_contents').where('contents_id', '=', contentsId).execute();
      return true;
    },

    async expire(before, limit) {
      const rows = await db
        .selectFrom('deleted_zones')
        .select('id')
        .where('deleted_at', '<', before)
        .orderBy('deleted_at')
        .orderBy('id')
        .limit(limit)
        .execute();
      await forgetAll(rows.map(({ id }) => id));
      return rows.length > 0;
    },

    async shorten(bounds, limit) {
      const unsettled = await db
        .selectFrom('deleted_zones')
        .select('project_id')
        .where('settled', '=', sql.lit(0))
        .limit(1)
        .executeTakeFirst();
      if (unsettled === undefined) return false;
      const entries = await db
        .selectFrom('deleted_zones')
        .select(['id', 'size', 'settled'])
        .where('project_id', '=', unsettled.project_id)
        .orderBy('deleted_at', 'desc')
        .orderBy('id', 'desc')
        .limit(bounds.zones + limit)
        .execute();
      const tooMany = beyond(entries, bounds);
      // The oldest go first, and all that is read is settled once none is beyond the bounds.
      await forgetAll(tooMany.slice(-limit).map(({ id }) => id));
      if (tooMany.length > 0) return true;
      const fresh = entries.filter(({ settled }) => settled === 0).map(({ id }) => id);
      await db
        .updateTable('deleted_zones')
        .set({ settled: 1 })
        .where(isAmong(db, 'id', fresh))
        .execute();
      return true;
    },
  };
}
