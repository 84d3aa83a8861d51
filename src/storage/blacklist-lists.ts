import type { Kysely, Selectable } from 'kysely';
import type { BlacklistList } from '../domain/blacklist-lists/blacklist-list.ts';
import type { BlacklistListReads, BlacklistListWrites } from '../domain/blacklist-lists/store.ts';
import { readPresent } from './blacklist-changes.ts';
import { setTerms } from './blacklist-list-terms.ts';
import { raising } from './blacklist-revisions.ts';
import { amountOf, release, stage } from './blacklist-staging.ts';
import { sweepAll } from './blacklist-sweeping.ts';
import { readOpenTasks, taskReads, taskWrites } from './blacklist-tasks.ts';
import { HOLDS, ofList } from './blacklist-visibility.ts';
import type { BeforeCommit, OpenTransaction, Reads } from './database.ts';
import { inBulk } from './many-patterns.ts';
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

export function blacklistListWrites(tx: OpenTransaction, beforeCommit: BeforeCommit): BlacklistListWrites {
  const { now: db } = tx;
  const raise = raising(db, beforeCommit);

  return {
    async lock() {
      await lockNameRules(db);
      return readOpenTasks(db);
    },

    reserve: raise,

    inBulk: (count, work) => inBulk(db, count, work),

    stage(staging, blacklists) {
      tx.expect(amountOf(blacklists));
      return stage(db, staging, blacklists);
    },

    release(list, task, mark, page) {
      tx.expect({ rows: page.limit, bytes: 0 });
      return release(db, list, { task, mark, ...page });
    },

    sweep: (task, list, place, limit) => sweepAll(db, { number: task, list }, { place, limit }, raise),

    setTerms: (list, terms, updatedAt) => setTerms(tx, raise, { list, terms, updatedAt }),

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

    ...taskWrites(tx, raise),
  };
}
