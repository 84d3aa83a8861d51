import { isDeepStrictEqual } from 'node:util';
import { type Kysely, sql } from 'kysely';
import type { Blacklist, BlacklistQuery } from '../domain/blacklists/blacklist.ts';
import { traitsOf } from '../domain/blacklists/rule.ts';
import type { BlacklistReads, BlacklistWrites, Revision } from '../domain/blacklists/store.ts';
import { together } from '../domain/together.ts';
import { blacklistChanges, readPresent } from './blacklist-changes.ts';
import { hitsAdded } from './blacklist-hits.ts';
import { blacklistsByNumber } from './blacklist-numbers.ts';
import {
  type BlacklistRow,
  blacklistFromRow,
  hashOf,
  patternColumns,
  type TermColumns,
  termColumns,
  termsFrom,
  toRow,
} from './blacklist-rows.ts';
import type { BeforeCommit, OpenTransaction, Reads } from './database.ts';
import { flavourOf } from './flavour.ts';
import { filterOn, isAmong, matchesFilter } from './list-conditions.ts';
import { type Listing, listsOf } from './lists.ts';
import { insertInBatches, insertOf } from './many-patterns.ts';
import { lockAllGates, lockNameRules, lockOwnGate } from './name-gates.ts';
import type { Schema } from './schema.ts';

/** Patterns of a batch that is streamed. */
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
  filters: {
    pattern: (text) =>
      text.includes('*')
        ? matchesFilter(sql.ref('pattern'), text)
        : sql<boolean>`pattern_hash = ${hashOf(text)}`,
    description: filterOn('description'),
  },
  within: () => sql`true`,
  fromRow: blacklistFromRow,
  size: sql`length(blacklists.pattern) + coalesce(length(blacklists.description), 0) + length(blacklists.exceptions)`,
};

type Renumbered = TermColumns & Pick<BlacklistRow, 'ended' | 'number'>;

/** What another text changes: what was counted of the former one is over. */
function newText({ pattern }: Blacklist) {
  const unmet = { hits_refused: 0, hits_warned: 0, hits_audited: 0, hits_at: '' };
  return { ...patternColumns(pattern), ...unmet, exhausted_count: 0, exhausted_at: '' };
}

/** The entries that have expired and are in an index all the same. */
function expiredBy(db: Kysely<Schema>, by: string) {
  return db
    .selectFrom('blacklists')
    .where('expires_at', '<>', '')
    .where('ended', '=', 0)
    .where('expires_at', '<=', by);
}

/** Takes the entries of these ids out of every index: the first at the first revision, and so on. */
async function noteRemovals(
  db: Kysely<Schema>,
  rows: readonly BlacklistRow[],
  first: Revision,
): Promise<void> {
  const removals = rows.map((row, place) => {
    const { enforced, conditional } = traitsOf(termsFrom(row));
    return {
      revision: first + place,
      number: row.number,
      pattern: row.pattern,
      enforced: Number(enforced),
      conditional: Number(conditional),
    };
  });
  await db.insertInto('blacklist_removals').values(removals).execute();
}

export function blacklistReads(reads: Reads): BlacklistReads {
  const { reader: db } = reads;
  const { stream, ...lists } = listsOf(reads, BLACKLISTS);

  return {
    async find(id) {
      const row = await db.selectFrom('blacklists').selectAll().where('id', '=', id).executeTakeFirst();
      return row && blacklistFromRow(row);
    },

    ...blacklistsByNumber(db),

    async hasExpired(by) {
      return (await expiredBy(db, by).select('id').limit(1).executeTakeFirst()) !== undefined;
    },

    ...lists,

    stream: (query, onBehalfOf) => stream(query, undefined, onBehalfOf, BATCH),

    async size() {
      const query = db.selectFrom('blacklists').select(({ fn }) => fn.countAll<number>().as('total'));
      return Number((await query.executeTakeFirstOrThrow()).total);
    },

    ...blacklistChanges(db),
  };
}

export function blacklistWrites(tx: OpenTransaction, beforeCommit: BeforeCommit): BlacklistWrites {
  const { now: db, later } = tx;
  let isRaised = false;

  const raiseRevision = async (steps: number): Promise<Revision> => {
    const { revision } = await db
      .updateTable('blacklist_revision')
      .set((eb) => ({ revision: eb('revision', '+', steps) }))
      .returning('revision')
      .executeTakeFirstOrThrow();
    // Last, so that creates wait only for the commit: creates checked without this change have finished by then.
    if (!isRaised) beforeCommit(() => lockAllGates(db));
    isRaised = true;
    return revision;
  };

  /** The row as it is, for what has to be known of it beside what is changed. */
  const rowOf = (id: string): Promise<BlacklistRow> =>
    db.selectFrom('blacklists').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  /** What has ended is in no index. */
  const leaveIndexes = async (rows: readonly BlacklistRow[]): Promise<void> => {
    const held = rows.filter(({ ended }) => ended === 0);
    if (held.length === 0) return;
    await noteRemovals(db, held, (await raiseRevision(held.length)) - held.length + 1);
  };

  const insert = async (blacklists: readonly Blacklist[]): Promise<number> => {
    const first = (await raiseRevision(blacklists.length)) - blacklists.length + 1;
    const rows = blacklists.map((blacklist, place) => toRow(blacklist, first + place));
    const { numAffectedRows } = await db.executeQuery(insertOf(db, rows));
    return Number(numAffectedRows);
  };

  const isTaken = async (pattern: string): Promise<boolean> => {
    const holder = db.selectFrom('blacklists').select('id').where('pattern_hash', '=', hashOf(pattern));
    return (await holder.executeTakeFirst()) !== undefined;
  };

  /** Gives an entry another number, so that every index forgets what it was, and learns what it is. */
  const renumber = async (current: Blacklist, changed: Blacklist): Promise<Renumbered> => {
    const before = await rowOf(current.id);
    await leaveIndexes([before]);
    const terms = termColumns(changed);
    // With another expiry it is back.
    const ended = before.expires_at === terms.expires_at ? before.ended : 0;
    return { ...terms, ended, number: await raiseRevision(1) };
  };

  return {
    present: () => readPresent(db),

    async hold(zoneName) {
      const [, present] = await together(lockOwnGate(db, zoneName), readPresent(db));
      return present;
    },

    async lock(id) {
      // Numbers are committed in order.
      await lockNameRules(db);
      const found = db.selectFrom('blacklists').selectAll().where('id', '=', id);
      const row = await found.modifyEnd(flavourOf(db).forUpdate).executeTakeFirst();
      return row && blacklistFromRow(row);
    },

    insert,

    insertMany: (blacklists, count, stored) => insertInBatches(db, { blacklists, count, insert, stored }),

    async update(current, changed) {
      const described = { description: changed.description, updated_at: changed.updatedAt ?? '' };
      const row = db.updateTable('blacklists').where('id', '=', current.id);
      const isOther = changed.pattern !== current.pattern;
      if (!isOther && isDeepStrictEqual(termColumns(changed), termColumns(current))) {
        await row.set(described).execute();
        return true;
      }
      if (isOther && (await isTaken(changed.pattern))) return false;
      const renumbered = await renumber(current, changed);
      await row.set({ ...described, ...(isOther ? newText(changed) : {}), ...renumbered }).execute();
      return true;
    },

    async expire(by, limit) {
      await lockNameRules(db);
      const found = expiredBy(db, by).selectAll().orderBy('expires_at').orderBy('id').limit(limit);
      const rows = await found.modifyEnd(flavourOf(db).forUpdate).execute();
      if (rows.length === 0) return [];
      await leaveIndexes(rows);
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
      await leaveIndexes([await rowOf(id)]);
      await db.deleteFrom('blacklists').where('id', '=', id).execute();
    },
  };
}
