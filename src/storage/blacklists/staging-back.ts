/** Undoes what a task has staged, one batch at a time. */
import type { Kysely } from 'kysely';
import type { HeldTask } from '../../model/blacklist-lists/list-task.ts';
import type { RemovalProgress } from '../../model/blacklist-lists/store.ts';
import type { Schema } from '../database/schema.ts';
import { isAmong } from '../lists/list-conditions.ts';
import { holdersOf, resume, sweepHolders } from './sweeping.ts';
import { LEAVES } from './visibility.ts';

interface StagingPage {
  readonly after: string;
  readonly limit: number;
}

/** Removes the next entries that the task would add: they lie in its range of numbers. */
async function takeBackEntries(
  db: Kysely<Schema>,
  number: number,
  { after, limit }: StagingPage,
): Promise<string | undefined> {
  const bounds = db.selectFrom('blacklist_tasks').where('number', '=', number);
  const rows = await db
    .selectFrom('blacklists')
    .select(['id', 'number'])
    .where('arrives', '=', number)
    .where('number', '>=', bounds.select('first'))
    .where('number', '<=', bounds.select('last'))
    .where('number', '>', Number(after))
    .orderBy('number')
    .limit(limit)
    .execute();
  if (rows.length === 0) return undefined;
  const ids = rows.map(({ id }) => id);
  await db
    .deleteFrom('blacklists')
    .where(isAmong(db, 'id', ids))
    .execute();
  return String(rows.at(-1)!.number);
}

/** Keeps the next entries that the task would remove. */
async function keepEntries(
  db: Kysely<Schema>,
  number: number,
  { after, limit }: StagingPage,
): Promise<string | undefined> {
  const leaving = db.selectFrom('blacklists').select(['id', 'number']).where('leaves', '=', number);
  const next = leaving.where(LEAVES).where('number', '>', Number(after)).orderBy('number').limit(limit);
  const rows = await next.execute();
  if (rows.length === 0) return undefined;
  const ids = rows.map(({ id }) => id);
  await db
    .updateTable('blacklists')
    .set({ leaves: 0 })
    .where(isAmong(db, 'id', ids))
    .where('leaves', '=', number)
    .execute();
  return String(rows.at(-1)!.number);
}

/** Keeps the next holds that the task would end. */
async function keepHolders(
  db: Kysely<Schema>,
  task: HeldTask,
  page: StagingPage,
): Promise<string | undefined> {
  const keys = await holdersOf(db, 'leaves', task, page);
  if (keys.length === 0) return undefined;
  await db
    .updateTable('blacklist_holders')
    .set({ leaves: 0 })
    .where(isAmong(db, 'key', keys))
    .execute();
  return keys.at(-1);
}

/** Undoes everything that a task has staged. */
export function takeAllBack(
  db: Kysely<Schema>,
  task: HeldTask,
  { place, limit }: { readonly place: RemovalProgress; readonly limit: number },
): Promise<RemovalProgress | undefined> {
  const { number } = task;
  return resume(place, [
    (after) => takeBackEntries(db, number, { after, limit }),
    (after) => sweepHolders(db, 'arrives', task, { after, limit }),
    (after) => keepEntries(db, number, { after, limit }),
    (after) => keepHolders(db, task, { after, limit }),
  ]);
}
