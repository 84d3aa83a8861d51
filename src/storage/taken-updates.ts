import type { Kysely } from 'kysely';
import type { TakenUpdateReads, TakenUpdateWrites } from '../model/updates/store.ts';
import type { OpenTransaction } from './database/database.ts';
import type { Schema } from './database/schema.ts';

export function takenUpdateReads(db: Kysely<Schema>): TakenUpdateReads {
  return {
    async find(id) {
      const row = await db
        .selectFrom('taken_updates')
        .select('rcode')
        .where('id', '=', id)
        .executeTakeFirst();
      return row?.rcode;
    },
  };
}

export function takenUpdateWrites({ now: db, later }: OpenTransaction): TakenUpdateWrites {
  return {
    async take(id, rcode, expiresAt) {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('taken_updates')
        .values({ id, rcode, expires_at: expiresAt })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows === 1n;
    },

    answer: (id, rcode) => later(db.updateTable('taken_updates').set({ rcode }).where('id', '=', id)),

    async removeExpired(before, most) {
      const oldest = db
        .selectFrom('taken_updates')
        .select('id')
        .where('expires_at', '<', before)
        .orderBy('expires_at')
        .limit(most);
      const { numDeletedRows } = await db
        .deleteFrom('taken_updates')
        .where('id', 'in', oldest)
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
  };
}
