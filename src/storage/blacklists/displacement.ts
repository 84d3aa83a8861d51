import { type Kysely, sql } from 'kysely';
import { dialectOf } from '../database/dialect.ts';
import type { Schema } from '../database/schema.ts';
import { leaveIndexes } from './revisions.ts';
import { hashOf } from './rows.ts';
import { removalsOf } from './sweeping.ts';
import { IS_THERE } from './visibility.ts';

/** True if a visible entry has the pattern. */
async function isTaken(db: Kysely<Schema>, pattern: string): Promise<boolean> {
  const holder = db
    .selectFrom('blacklists')
    .select('id')
    .where('pattern_hash', '=', hashOf(pattern))
    .where(IS_THERE);
  return (await holder.executeTakeFirst()) !== undefined;
}

/** Transfers the staged list memberships of one entry to another. */
async function handOver(db: Kysely<Schema>, from: string, to: string): Promise<void> {
  const has = (key: string) => sql<boolean>`exists (select 1 from blacklist_holders as other
    where other.key = blacklist_holders.list || '/' || ${key})`;
  // The list's file contains the pattern, so the membership does not end.
  await db
    .updateTable('blacklist_holders')
    .set({ leaves: 0 })
    .where('blacklist_id', '=', to)
    .where(
      sql<boolean>`exists (select 1 from blacklist_holders as other
        where other.key = blacklist_holders.list || '/' || ${from})`,
    )
    .execute();
  await db.deleteFrom('blacklist_holders').where('blacklist_id', '=', from).where(has(to)).execute();
  await db
    .updateTable('blacklist_holders')
    .set({ blacklist_id: to, key: sql`list || '/' || ${to}` })
    .where('blacklist_id', '=', from)
    .execute();
}

/**
 * Frees a pattern that only an invisible entry has: one that is staged, or that has been removed.
 * @param heir the id of the entry that gets the pattern
 */
async function displace(db: Kysely<Schema>, pattern: string, heir: string): Promise<void> {
  const query = db.selectFrom('blacklists').selectAll().where('pattern_hash', '=', hashOf(pattern));
  const row = await query.modifyEnd(dialectOf(db).forUpdate).executeTakeFirst();
  if (row === undefined) return;
  const task = await db
    .selectFrom('blacklist_tasks')
    .select(['number', 'revision'])
    .where('is_over', '=', 0)
    .where('number', 'in', [row.arrives, row.leaves])
    .orderBy('revision', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  if (task.revision > 0) await leaveIndexes(db, [row], removalsOf(db, task.number));
  else {
    await handOver(db, row.id, heir);
    await db
      .updateTable('blacklist_tasks')
      .set((eb) => ({ added: eb('added', '-', 1), present: eb('present', '+', 1) }))
      .where('number', '=', task.number)
      .execute();
  }
  await db.deleteFrom('blacklist_holders').where('blacklist_id', '=', row.id).execute();
  await db.deleteFrom('blacklists').where('id', '=', row.id).execute();
}

/**
 * Claims a pattern for an entry.
 * @returns false, without any change, if another visible entry has the pattern
 */
export async function claim(db: Kysely<Schema>, pattern: string, heir: string): Promise<boolean> {
  if (await isTaken(db, pattern)) return false;
  await displace(db, pattern, heir);
  return true;
}
