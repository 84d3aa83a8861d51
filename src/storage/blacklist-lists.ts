import { type Kysely, type Selectable, sql } from 'kysely';
import type { BlacklistList } from '../domain/blacklist-lists/blacklist-list.ts';
import type { BlacklistListReads, BlacklistListWrites, Staging } from '../domain/blacklist-lists/store.ts';
import type { Blacklist, Terms } from '../domain/blacklists/blacklist.ts';
import { readPresent } from './blacklist-changes.ts';
import { raising } from './blacklist-revisions.ts';
import { hashOf, termColumns, toRow } from './blacklist-rows.ts';
import { sweepEntries, sweepHolders } from './blacklist-sweeping.ts';
import { readOpenTasks, taskReads, taskWrites } from './blacklist-tasks.ts';
import { HOLDS, IS_THERE, isHeldBy, ofList } from './blacklist-visibility.ts';
import type { BeforeCommit, OpenTransaction, Reads } from './database.ts';
import { isAmong } from './list-conditions.ts';
import { inBulk, insertOf } from './many-patterns.ts';
import { lockNameRules } from './name-gates.ts';
import type { Schema } from './schema.ts';

type Row = Selectable<Schema['blacklist_lists']>;

export function listFromRow(row: Row): BlacklistList {
  return {
    name: row.name,
    createdAt: row.created_at,
    updatedAt: row.updated_at || null,
    entries: row.entries,
    sha256: row.sha256,
    eventId: row.event_id,
  };
}

async function findList(db: Kysely<Schema>, name: string): Promise<BlacklistList | undefined> {
  const row = await db.selectFrom('blacklist_lists').selectAll().where('name', '=', name).executeTakeFirst();
  return row && listFromRow(row);
}

export function blacklistListReads({ reader: db }: Reads): BlacklistListReads {
  return {
    async all() {
      const rows = await db.selectFrom('blacklist_lists').selectAll().orderBy('name').execute();
      return rows.map(listFromRow);
    },

    find: (name) => findList(db, name),

    ...taskReads(db),
  };
}

/** The entries of the patterns, as what holds them in a list. Those that it holds already are passed over. */
async function hold(db: Kysely<Schema>, staging: Staging, hashes: readonly string[]): Promise<number> {
  const { list, task, mark } = staging;
  // Without a list it is the hand that holds what nothing but lists held before.
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

/** Marks what the list holds already of the patterns. */
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

async function stage(db: Kysely<Schema>, staging: Staging, blacklists: readonly Blacklist[]) {
  const { first, task, list, eventId } = staging;
  const coming = { arrives: task, by_hand: list === '' ? 1 : 0, event_id: eventId };
  const rows = blacklists.map((blacklist, place) => toRow(blacklist, first + place, coming));
  const added = Number((await db.executeQuery(insertOf(db, rows))).numAffectedRows ?? 0n);
  if (list === '' && added === rows.length) return { added, kept: 0 };
  const hashes = blacklists.map(({ pattern }) => hashOf(pattern));
  if (list === '' && task === 0) {
    await db
      .updateTable('blacklists')
      .set({ by_hand: 1 })
      .where(isAmong(db, 'pattern_hash', hashes))
      .where('by_hand', '=', 0)
      .execute();
    return { added, kept: 0 };
  }
  const held = await hold(db, staging, hashes);
  if (held < rows.length && list !== '') await mark(db, staging, hashes);
  return { added, kept: list === '' ? 0 : held - added };
}

/** The entries of a list that the mark does not have, and that stay so far. */
function unmarked(db: Kysely<Schema>, list: string, mark: number) {
  return db
    .selectFrom('blacklist_holders')
    .where(ofList(list))
    .where('leaves', '=', 0)
    .where('mark', '<>', mark)
    .where(HOLDS);
}

async function release(db: Kysely<Schema>, list: string, task: number, mark: number, limit: number) {
  const rows = await unmarked(db, list, mark)
    .select(['key', 'blacklist_id'])
    .orderBy('key')
    .limit(limit)
    .execute();
  if (rows.length === 0) return { released: 0, removed: 0 };
  await db
    .updateTable('blacklist_holders')
    .set({ leaves: task })
    .where(
      isAmong(
        db,
        'key',
        rows.map(({ key }) => key),
      ),
    )
    .execute();
  const { numUpdatedRows } = await db
    .updateTable('blacklists')
    .set({ leaves: task })
    .where(
      isAmong(
        db,
        'id',
        rows.map(({ blacklist_id: id }) => id),
      ),
    )
    .where('by_hand', '=', 0)
    .where(
      sql<boolean>`not exists (select 1 from blacklist_holders as other
        where other.blacklist_id = blacklists.id and other.leaves = 0)`,
    )
    .executeTakeFirstOrThrow();
  return { released: rows.length, removed: Number(numUpdatedRows) };
}

/** The entries of a list whose terms differ from those that are given, in the order of their numbers. */
function differing(list: string, { mode, expiresAt }: Partial<Terms>) {
  const isOther = sql.join(
    [
      ...(mode === undefined ? [] : [sql`mode <> ${mode}`]),
      ...(expiresAt === undefined ? [] : [sql`expires_at <> ${expiresAt ?? ''}`]),
    ],
    sql` or `,
  );
  return sql`blacklists where ${isHeldBy(list)} and ${IS_THERE} and (${isOther})`;
}

export function blacklistListWrites(tx: OpenTransaction, beforeCommit: BeforeCommit): BlacklistListWrites {
  const { now: db } = tx;
  const raise = raising(db, beforeCommit);

  /** All of them leave every index under their present numbers, and come back under new ones. */
  const setTerms = async (list: string, terms: Partial<Terms>, updatedAt: string): Promise<number> => {
    const those = differing(list, terms);
    const { rows } = await sql<{ total: number }>`select count(*) as total from ${those}`.execute(db);
    const total = Number(rows[0]!.total);
    if (total === 0) return 0;
    tx.expect({ rows: total, bytes: 0 });
    const first = await raise(2 * total);
    await sql`insert into blacklist_removals (revision, number, pattern, enforced, conditional)
      select ${first - 1} + row_number() over (order by number), number, pattern,
        case when mode = 'enforce' then 1 else 0 end,
        case when expires_at <> '' or exceptions <> '[]' then 1 else 0 end
      from ${those} and ended = 0`.execute(db);
    const { mode, expiresAt } = terms;
    const { expires_at } = termColumns({ mode: 'enforce', expiresAt: expiresAt ?? null, exceptions: [] });
    const changes = [
      sql`number = ranked.rank`,
      sql`updated_at = ${updatedAt}`,
      ...(mode === undefined ? [] : [sql`mode = ${mode}`]),
      ...(expiresAt === undefined
        ? []
        : [
            sql`expires_at = ${expires_at}, ended = case when expires_at = ${expires_at} then ended else 0 end`,
          ]),
    ];
    await sql`update blacklists set ${sql.join(changes)}
      from (select id, ${first + total - 1} + row_number() over (order by number) as rank from ${those}) as ranked
      where blacklists.id = ranked.id`.execute(db);
    return total;
  };

  return {
    async lock() {
      await lockNameRules(db);
      return readOpenTasks(db);
    },

    reserve: raise,

    inBulk: (count, work) => inBulk(db, count, work),

    stage: (staging, blacklists) => stage(db, staging, blacklists),

    release: (list, task, mark, limit) => release(db, list, task, mark, limit),

    async sweep(task, list, limit, revisions) {
      const entries = await sweepEntries(db, task, limit, revisions);
      return entries > 0 ? entries : sweepHolders(db, 'leaves', { task, list }, limit);
    },

    setTerms,

    revision: async () => (await readPresent(db)).revision,

    find: (name) => findList(db, name),

    async put({ name, sha256, eventId }, now) {
      const { total } = await db
        .selectFrom('blacklist_holders')
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .where(ofList(name))
        .where(HOLDS)
        .executeTakeFirstOrThrow();
      const row = { entries: Number(total), sha256, event_id: eventId, updated_at: now };
      const stored = await db
        .insertInto('blacklist_lists')
        .values({ ...row, name, created_at: now, updated_at: '' })
        .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
        .returningAll()
        .executeTakeFirstOrThrow();
      return listFromRow(stored);
    },

    async remove(name) {
      await db.deleteFrom('blacklist_lists').where('name', '=', name).execute();
    },

    ...taskWrites(db, raise),
  };
}
