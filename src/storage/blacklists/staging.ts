/** Stages the entries of a file, and the release of entries that it lacks. */
import { type Kysely, sql } from 'kysely';
import type { LeftCounts, Staged, Staging } from '../../model/blacklist-lists/store.ts';
import type { Blacklist } from '../../model/blacklists/blacklist.ts';
import type { Amount } from '../database/database.ts';
import { dialectOf } from '../database/dialect.ts';
import type { Schema } from '../database/schema.ts';
import { isAmong } from '../lists/list-conditions.ts';
import { insertOf } from './many-patterns.ts';
import { toRow } from './rows.ts';
import { HOLDS, ofList } from './visibility.ts';

/** Makes a list hold the entries of the patterns, except those that it already holds. */
async function hold(db: Kysely<Schema>, staging: Staging, hashes: readonly string[]): Promise<number> {
  const { list, task, mark } = staging;
  // Without a list, this holds by hand the entries that only lists held before.
  const others = list === '' ? sql<boolean>`by_hand = 0` : sql<boolean>`true`;
  const held = db
    .selectFrom('blacklists')
    .select([
      sql<string>`${list} || '/' || id`.as('key'),
      sql<string>`cast(${list} as text)`.as('list'),
      'id as blacklist_id',
      sql<number>`cast(${task} as bigint)`.as('arrives'),
      sql<number>`0`.as('leaves'),
      sql<number>`cast(${mark} as bigint)`.as('mark'),
    ])
    .where(isAmong(db, 'pattern_hash', hashes))
    .where(others);
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('blacklist_holders')
    .columns(['key', 'list', 'blacklist_id', 'arrives', 'leaves', 'mark'])
    .expression(held)
    .onConflict((conflict) => conflict.column('key').doNothing())
    .executeTakeFirstOrThrow();
  return Number(numInsertedOrUpdatedRows ?? 0);
}

/** Marks the entries of the patterns that the list already holds. */
async function mark(db: Kysely<Schema>, { list, mark }: Staging, hashes: readonly string[]): Promise<void> {
  const ids = db
    .selectFrom('blacklists')
    .select(sql<string>`${list} || '/' || id`.as('key'))
    .where(isAmong(db, 'pattern_hash', hashes));
  await db
    .updateTable('blacklist_holders')
    .set({ mark })
    .where('key', 'in', ids)
    .where('mark', '<>', mark)
    .execute();
}

/** Makes the list hold new entries, whose ids are known. */
async function holdNew(db: Kysely<Schema>, { list, task, mark }: Staging, ids: readonly string[]) {
  const texts = dialectOf(db).jsonTexts(sql`${JSON.stringify(ids)}`);
  await sql`insert into blacklist_holders (key, list, blacklist_id, arrives, leaves, mark)
    select ${list} || '/' || record.value, cast(${list} as text), record.value,
      cast(${task} as bigint), 0, cast(${mark} as bigint)
    from ${texts}`.execute(db);
}

/** Entries of a file without a list are held by hand. */
async function holdByHand(db: Kysely<Schema>, hashes: readonly string[]): Promise<void> {
  await db
    .updateTable('blacklists')
    .set({ by_hand: 1 })
    .where(isAmong(db, 'pattern_hash', hashes))
    .where('by_hand', '=', 0)
    .execute();
}

/** Stages a batch of a file. */
export async function stage(
  db: Kysely<Schema>,
  staging: Staging,
  blacklists: readonly Blacklist[],
): Promise<Staged> {
  const { first, task, list, eventId } = staging;
  const coming = { arrives: task, by_hand: list === '' ? 1 : 0, event_id: eventId };
  const rows = blacklists.map((blacklist, place) => toRow(blacklist, first + place, coming));
  const added = Number((await db.executeQuery(insertOf(db, rows))).numAffectedRows ?? 0n);
  if (added === rows.length) {
    if (list !== '')
      await holdNew(
        db,
        staging,
        rows.map(({ id }) => id),
      );
    return { added, kept: 0 };
  }
  const hashes = rows.map(({ pattern_hash: key }) => key);
  if (list === '' && task === 0) {
    await holdByHand(db, hashes);
    return { added, kept: 0 };
  }
  const held = await hold(db, staging, hashes);
  if (held < rows.length && list !== '') await mark(db, staging, hashes);
  return { added, kept: list === '' ? 0 : held - added };
}

/** The amount that a batch writes. */
export function amountOf(blacklists: readonly Blacklist[]): Amount {
  return {
    rows: blacklists.length,
    bytes: blacklists.reduce((sum, { pattern }) => sum + pattern.length, 0),
  };
}

/** The unreleased entries of a list that lack the mark. */
function unmarked(db: Kysely<Schema>, list: string, mark: number) {
  return db
    .selectFrom('blacklist_holders')
    .where(ofList(list))
    .where('leaves', '=', 0)
    .where('mark', '<>', mark)
    .where(HOLDS);
}

interface Releasing {
  readonly task: number;
  readonly mark: number;
  readonly after: string;
  readonly limit: number;
}

/** Releases the next entries of a list that lack the mark. */
export async function release(
  db: Kysely<Schema>,
  list: string,
  { task, mark, after, limit }: Releasing,
): Promise<LeftCounts & { readonly last: string }> {
  const next = unmarked(db, list, mark).select(['key', 'blacklist_id']).where('key', '>', after);
  const rows = await next.orderBy('key').limit(limit).execute();
  if (rows.length === 0) return { released: 0, removed: 0, last: after };
  const keys = rows.map(({ key }) => key);
  await db
    .updateTable('blacklist_holders')
    .set({ leaves: task })
    .where(isAmong(db, 'key', keys))
    .execute();
  const ids = rows.map(({ blacklist_id: id }) => id);
  const { numUpdatedRows } = await db
    .updateTable('blacklists')
    .set({ leaves: task })
    .where(isAmong(db, 'id', ids))
    .where('by_hand', '=', 0)
    .where(
      sql<boolean>`not exists (select 1 from blacklist_holders as other
        where other.blacklist_id = blacklists.id and other.leaves = 0)`,
    )
    .executeTakeFirstOrThrow();
  return { released: rows.length, removed: Number(numUpdatedRows), last: keys.at(-1)! };
}
