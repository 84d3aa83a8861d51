/** How what is staged is taken back, a batch at a time. */
import type { Kysely } from 'kysely';
import type { HeldTask } from '../domain/blacklist-lists/list-task.ts';
import { LEAVES, ofList } from './blacklist-visibility.ts';
import type { Schema } from './schema.ts';

/** Takes back what a task has staged to come: its entries lie between the numbers that it has taken. */
export async function takeBackEntries(db: Kysely<Schema>, number: number, limit: number): Promise<number> {
  const bounds = db.selectFrom('blacklist_tasks').where('number', '=', number);
  const some = db
    .selectFrom('blacklists')
    .select('id')
    .where('arrives', '=', number)
    .where('number', '>=', bounds.select('first'))
    .where('number', '<=', bounds.select('last'))
    .limit(limit);
  const { numDeletedRows } = await db
    .deleteFrom('blacklists')
    .where('id', 'in', some)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Takes back what it has staged to go. */
export async function stay(db: Kysely<Schema>, { number, list }: HeldTask, limit: number): Promise<number> {
  const entries = db
    .selectFrom('blacklists')
    .select('id')
    .where('leaves', '=', number)
    .where(LEAVES)
    .limit(limit);
  const { numUpdatedRows: some } = await db
    .updateTable('blacklists')
    .set({ leaves: 0 })
    .where('id', 'in', entries)
    .executeTakeFirstOrThrow();
  const keys = db
    .selectFrom('blacklist_holders')
    .select('key')
    .where(ofList(list))
    .where('leaves', '=', number)
    .limit(limit);
  const { numUpdatedRows: others } = await db
    .updateTable('blacklist_holders')
    .set({ leaves: 0 })
    .where('key', 'in', keys)
    .executeTakeFirstOrThrow();
  return Number(some + others);
}
