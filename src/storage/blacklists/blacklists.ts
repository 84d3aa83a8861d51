import { isDeepStrictEqual } from 'node:util';
import { type Kysely, sql } from 'kysely';
import type { Blacklist, BlacklistQuery } from '../../model/blacklists/blacklist.ts';
import type { BlacklistReads, BlacklistWrites } from '../../model/blacklists/store.ts';
import { pipelined } from '../../runtime/pipelined.ts';
import type { BeforeCommit, DatabaseReads, OpenTransaction } from '../database/database.ts';
import { dialectOf } from '../database/dialect.ts';
import type { Schema } from '../database/schema.ts';
import { filterOn, isAmong, matchesFilter } from '../lists/list-conditions.ts';
import { type Listing, listsOf } from '../lists/lists.ts';
import { lockGateOfName, lockNameRules } from '../zones/name-gates.ts';
import { blacklistChanges, readPresent } from './changes.ts';
import { claim } from './displacement.ts';
import { hitsAdded } from './hits.ts';
import { insertOf } from './many-patterns.ts';
import { blacklistsByNumber } from './numbers.ts';
import { leaveIndexes, raising } from './revisions.ts';
import {
  type BlacklistRow,
  blacklistFromRow,
  hashOf,
  patternColumns,
  type TermColumns,
  termColumns,
  toRow,
} from './rows.ts';
import { HOLDS, IS_THERE, isHeldBy, LISTS, withLists } from './visibility.ts';

/** Number of patterns in a batch of a stream. */
const BATCH = 1000;
const BLACKLISTS: Listing<BlacklistQuery, void, BlacklistRow, Blacklist> = {
  table: 'blacklists',
  order: {
    created_at: ['created_at'],
    updated_at: ['updated_at'],
    id: [],
    // A whole pattern may be too long for an index, so its start comes first.
    pattern: ['pattern_start', 'pattern'],
  },
  indexed: ['created_at', 'updated_at'],
  alwaysTaken: ['pattern'],
  filters: {
    pattern: (text) =>
      text.includes('*')
        ? matchesFilter(sql.ref('pattern'), text)
        : sql<boolean>`pattern_hash = ${hashOf(text)}`,
    description: filterOn('description'),
    list: isHeldBy,
  },
  joined: { join: sql``, columns: sql`${LISTS} as lists` },
  within: () => IS_THERE,
  fromRow: blacklistFromRow,
  size: sql`length(blacklists.pattern) + coalesce(length(blacklists.description), 0) + length(blacklists.exceptions)`,
};

type Renumbered = TermColumns & Pick<BlacklistRow, 'ended' | 'number'>;

/** The columns that a new pattern resets: the counts belonged to the former one. */
function newText({ pattern }: Blacklist) {
  // An edited entry is held by hand, and stays even if its lists release it.
  const byHand = { by_hand: 1, leaves: 0 };
  const unmet = { hits_refused: 0, hits_warned: 0, hits_audited: 0, hits_at: '' };
  return { ...patternColumns(pattern), ...unmet, ...byHand, exhausted_count: 0, exhausted_at: '' };
}

/** Entries that have expired but are still in an index. */
function expiredBy(db: Kysely<Schema>, by: string) {
  return db
    .selectFrom('blacklists')
    .where('expires_at', '<>', sql.lit(''))
    .where('ended', '=', sql.lit(0))
    .where('expires_at', '<=', by)
    .where(IS_THERE);
}

/** Removes an entry from all lists that hold it. */
async function release(db: Kysely<Schema>, id: string): Promise<void> {
  const held = db.selectFrom('blacklist_holders').select('list').where('blacklist_id', '=', id).where(HOLDS);
  await db
    .updateTable('blacklist_lists')
    .set((eb) => ({ entries: eb('entries', '-', 1) }))
    .where('name', 'in', held)
    .execute();
  await db.deleteFrom('blacklist_holders').where('blacklist_id', '=', id).execute();
}

export function blacklistReads(reads: DatabaseReads): BlacklistReads {
  const { reader: db } = reads;
  const { stream, ...lists } = listsOf(reads, BLACKLISTS);

  return {
    async find(id) {
      const row = await withLists(db).where('id', '=', id).executeTakeFirst();
      return row && blacklistFromRow(row);
    },

    ...blacklistsByNumber(db),

    async hasExpired(by) {
      return (await expiredBy(db, by).select('id').limit(1).executeTakeFirst()) !== undefined;
    },

    ...lists,

    stream: (query, onBehalfOf) => stream(query, undefined, onBehalfOf, BATCH),

    async size() {
      const query = db
        .selectFrom('blacklists')
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .where(IS_THERE);
      return Number((await query.executeTakeFirstOrThrow()).total);
    },

    ...blacklistChanges(db),
  };
}

export function blacklistWrites(tx: OpenTransaction, beforeCommit: BeforeCommit): BlacklistWrites {
  const { now: db, later } = tx;
  const raise = raising(db, beforeCommit);

  /** The whole row, for columns that a change does not carry. */
  const rowOf = (id: string): Promise<BlacklistRow> =>
    db.selectFrom('blacklists').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  const insert = async (blacklist: Blacklist, eventId: string): Promise<boolean> => {
    const row = toRow(blacklist, await raise(1), { arrives: 0, by_hand: 1, event_id: eventId });
    return (await db.executeQuery(insertOf(db, [row]))).numAffectedRows === 1n;
  };

  /** Gives an entry a new number, so that every index drops its old version and adds the new one. */
  const renumber = async (current: Blacklist, changed: Blacklist): Promise<Renumbered> => {
    const before = await rowOf(current.id);
    await leaveIndexes(db, [before], raise);
    const terms = termColumns(changed);
    // With a new expiry the entry is in force again.
    const ended = before.expires_at === terms.expires_at ? before.ended : 0;
    return { ...terms, ended, number: await raise(1) };
  };

  return {
    present: () => readPresent(db),

    async hold(zoneName) {
      const [, present] = await pipelined(lockGateOfName(db, zoneName), readPresent(db));
      return present;
    },

    async lock(id) {
      // Numbers are committed in ascending order.
      await lockNameRules(db);
      const found = withLists(db).where('id', '=', id);
      const row = await found.modifyEnd(dialectOf(db).forUpdate).executeTakeFirst();
      return row && blacklistFromRow(row);
    },

    async insert(blacklist, eventId) {
      if (await insert(blacklist, eventId)) return true;
      return (await claim(db, blacklist.pattern, blacklist.id)) && insert(blacklist, eventId);
    },

    async update(current, changed) {
      const described = { description: changed.description, updated_at: changed.updatedAt ?? '' };
      const row = db.updateTable('blacklists').where('id', '=', current.id);
      const isOther = changed.pattern !== current.pattern;
      if (!isOther && isDeepStrictEqual(termColumns(changed), termColumns(current))) {
        await row.set(described).execute();
        return true;
      }
      if (isOther && !(await claim(db, changed.pattern, current.id))) return false;
      const renumbered = await renumber(current, changed);
      await row.set({ ...described, ...(isOther ? newText(changed) : {}), ...renumbered }).execute();
      return true;
    },

    async expire(by, limit) {
      await lockNameRules(db);
      const found = expiredBy(db, by).selectAll().orderBy('expires_at').orderBy('id').limit(limit);
      const rows = await found.modifyEnd(dialectOf(db).forUpdate).execute();
      if (rows.length === 0) return [];
      await leaveIndexes(db, rows, raise);
      const ids = rows.map(({ id }) => id);
      await db
        .updateTable('blacklists')
        .set({ ended: 1 })
        .where(isAmong(db, 'id', ids))
        .execute();
      return rows.map(blacklistFromRow);
    },

    markExhausted(numbers, at) {
      later(
        db
          .updateTable('blacklists')
          .set((eb) => ({ exhausted_count: eb('exhausted_count', '+', 1), exhausted_at: at }))
          .where('number', 'in', numbers),
      );
    },

    addHits: (hits) => later(hitsAdded(db, hits)),

    async remove({ id }) {
      await leaveIndexes(db, [await rowOf(id)], raise);
      await release(db, id);
      await db.deleteFrom('blacklists').where('id', '=', id).execute();
    },
  };
}
