/** How entries that have left are removed, a batch at a time. */
import type { Kysely } from 'kysely';
import type { Revision } from '../domain/blacklists/store.ts';
import { leaveIndexes } from './blacklist-revisions.ts';
import { LEAVES, ofList } from './blacklist-visibility.ts';
import { isAmong } from './list-conditions.ts';
import type { Schema } from './schema.ts';

/** The revisions that a published task has kept for the entries that it removes. */
export function removalsOf(db: Kysely<Schema>, task: number): (count: number) => Promise<Revision> {
  return async (count) => {
    const { revision, removed, swept } = await db
      .updateTable('blacklist_tasks')
      .set((eb) => ({ swept: eb('swept', '+', count) }))
      .where('number', '=', task)
      .returning(['revision', 'removed', 'swept'])
      .executeTakeFirstOrThrow();
    return revision - removed + swept - count;
  };
}

/** Removes the next entries that have left by the task; returns how many they were. */
export async function sweepEntries(
  db: Kysely<Schema>,
  task: number,
  limit: number,
  revisions: (count: number) => Promise<Revision>,
): Promise<number> {
  const query = db.selectFrom('blacklists').selectAll().where('leaves', '=', task).where(LEAVES);
  const rows = await query.orderBy('number').limit(limit).execute();
  if (rows.length === 0) return 0;
  await leaveIndexes(db, rows, revisions);
  const ids = rows.map(({ id }) => id);
  await db
    .deleteFrom('blacklist_holders')
    .where(isAmong(db, 'blacklist_id', ids))
    .execute();
  await db
    .deleteFrom('blacklists')
    .where(isAmong(db, 'id', ids))
    .execute();
  return rows.length;
}

/** Removes the next holds of a list that its entries have lost by the task. */
export async function sweepHolders(
  db: Kysely<Schema>,
  column: 'arrives' | 'leaves',
  { task, list }: { readonly task: number; readonly list: string },
  limit: number,
): Promise<number> {
  const some = db
    .selectFrom('blacklist_holders')
    .select('key')
    .where(ofList(list))
    .where(column, '=', task)
    .limit(limit);
  const { numDeletedRows } = await db
    .deleteFrom('blacklist_holders')
    .where('key', 'in', some)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
