/** Conditions for visibility: staged entries are not visible yet, and entries that a task has removed no longer are. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Schema } from '../database/schema.ts';

function visible(table: string): RawBuilder<boolean> {
  const arrives = sql.ref(`${table}.arrives`);
  const leaves = sql.ref(`${table}.leaves`);
  return sql<boolean>`(${arrives} = 0 or ${arrives} not in (
      select number from blacklist_tasks where is_over = 0 and revision = 0))
    and (${leaves} = 0 or ${leaves} not in (
      select number from blacklist_tasks where is_over = 0 and revision > 0))`;
}

/** True for visible blacklists. */
export const IS_THERE = visible('blacklists');
/** Like `IS_THERE`, for the holds of lists. */
export const HOLDS = sql<boolean>`${visible('blacklist_holders')} and blacklist_holders.list <> ''`;

/** True if the list holds the blacklist. */
export function isHeldBy(list: string): RawBuilder<boolean> {
  return sql<boolean>`blacklists.id in (
    select blacklist_id from blacklist_holders where ${ofList(list)} and ${HOLDS})`;
}

/** True for the holds of a list, a range of keys. No list name has a slash, and "0" follows "/". */
export function ofList(list: string): RawBuilder<boolean> {
  return sql<boolean>`(blacklist_holders.key >= ${`${list}/`} and blacklist_holders.key < ${`${list}0`})`;
}

/** The condition of the partial index on `leaves`: without it, the index is not used when the task is a parameter. */
export const LEAVES = sql<boolean>`leaves <> 0`;

/** The names of the lists that hold an entry. */
export const LISTS = sql<string | null>`(select string_agg(list, ' ') from blacklist_holders
  where blacklist_id = blacklists.id and ${HOLDS})`;

/** The visible entries, with the lists that hold them. */
export function withLists(db: Kysely<Schema>) {
  return db.selectFrom('blacklists').selectAll().select(LISTS.as('lists')).where(IS_THERE);
}
