import type { Kysely, Selectable } from 'kysely';
import type { BlacklistList } from '../../model/blacklist-lists/blacklist-list.ts';
import type { BlacklistListReads, BlacklistListWrites } from '../../model/blacklist-lists/store.ts';
import { readPresent } from '../blacklists/changes.ts';
import { inBulk } from '../blacklists/many-patterns.ts';
import { raising } from '../blacklists/revisions.ts';
import { amountOf, release, stage } from '../blacklists/staging.ts';
import { sweepAll } from '../blacklists/sweeping.ts';
import { HOLDS, ofList } from '../blacklists/visibility.ts';
import type { BeforeCommit, DatabaseReads, OpenTransaction } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { lockNameRules } from '../zones/name-gates.ts';
import { readOpenTasks, taskReads, taskWrites } from './list-tasks.ts';
import { setTerms } from './list-terms.ts';

type BlacklistListRow = Selectable<Schema['blacklist_lists']>;

export function listFromRow(row: BlacklistListRow): BlacklistList {
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

export function blacklistListReads({ reader: db }: DatabaseReads): BlacklistListReads {
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
