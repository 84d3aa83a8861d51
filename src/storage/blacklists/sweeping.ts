/** Removes entries whose removal has been published, one batch at a time. */
import type { Kysely } from 'kysely';
import type { HeldTask } from '../../model/blacklist-lists/list-task.ts';
import type { RemovalProgress } from '../../model/blacklist-lists/store.ts';
import type { Revision } from '../../model/blacklists/store.ts';
import type { Schema } from '../database/schema.ts';
import { isAmong } from '../lists/list-conditions.ts';
import { leaveIndexes } from './revisions.ts';
import { LEAVES, ofList } from './visibility.ts';

/** The revisions that a published task has reserved for the entries that it removes. */
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

type SweepStep = (after: string) => Promise<string | undefined>;

/**
 * Continues with the steps.
 * @returns where to continue next time; undefined after the last step
 */
export async function resume(
  place: RemovalProgress,
  steps: readonly SweepStep[],
): Promise<RemovalProgress | undefined> {
  for (let step = place.step; step < steps.length; step += 1) {
    const after = await steps[step]!(step === place.step ? place.after : '');
    if (after !== undefined) return { step, after };
  }
  return undefined;
}

/**
 * Deletes the next entries that the task removes.
 * @returns the number of the last one
 */
async function sweepEntries(
  db: Kysely<Schema>,
  task: number,
  page: { readonly after: string; readonly limit: number },
  revisions: (count: number) => Promise<Revision>,
): Promise<string | undefined> {
  const query = db.selectFrom('blacklists').selectAll().where('leaves', '=', task).where(LEAVES);
  const next = query.where('number', '>', Number(page.after)).orderBy('number').limit(page.limit);
  const rows = await next.execute();
  if (rows.length === 0) return undefined;
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
  return String(rows.at(-1)!.number);
}

type OfTask = Pick<HeldTask, 'number' | 'list'>;

/** The next holds of a list that the task adds, or ends. */
export async function holdersOf(
  db: Kysely<Schema>,
  column: 'arrives' | 'leaves',
  { number, list }: OfTask,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly string[]> {
  const query = db.selectFrom('blacklist_holders').select('key').where(ofList(list));
  const next = query.where(column, '=', number).where('key', '>', after).orderBy('key').limit(limit);
  return (await next.execute()).map(({ key }) => key);
}

/**
 * Deletes the next holds of a list that the task adds, or ends.
 * @returns the key of the last one
 */
export async function sweepHolders(
  db: Kysely<Schema>,
  column: 'arrives' | 'leaves',
  task: OfTask,
  page: { readonly after: string; readonly limit: number },
): Promise<string | undefined> {
  const keys = await holdersOf(db, column, task, page);
  if (keys.length === 0) return undefined;
  await db
    .deleteFrom('blacklist_holders')
    .where(isAmong(db, 'key', keys))
    .execute();
  return keys.at(-1);
}

/** Deletes everything that the task removes: first entries, then holds on other entries. */
export function sweepAll(
  db: Kysely<Schema>,
  task: OfTask,
  page: { readonly place: RemovalProgress; readonly limit: number },
  revisions: (count: number) => Promise<Revision>,
): Promise<RemovalProgress | undefined> {
  const { place, limit } = page;
  // The holds of a file without a list are temporary: once published, its entries are held by hand.
  const column = task.list === '' ? 'arrives' : 'leaves';
  return resume(place, [
    (after) => sweepEntries(db, task.number, { after, limit }, revisions),
    (after) => sweepHolders(db, column, task, { after, limit }),
  ]);
}
