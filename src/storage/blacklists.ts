import { hash } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import type { Blacklist, BlacklistQuery } from '../domain/blacklists/blacklist.ts';
import type { BlacklistReads, BlacklistWrites, Revision } from '../domain/blacklists/store.ts';
import { blacklistChanges, readRevision } from './blacklist-changes.ts';
import type { BeforeCommit, OpenTransaction, Reads } from './database.ts';
import { flavourOf } from './flavour.ts';
import { filterOn, matchesFilter } from './list-conditions.ts';
import { type Listing, listsOf } from './lists.ts';
import { insertInBatches, insertOf } from './many-patterns.ts';
import { lockAllGates, lockNameRules } from './name-gates.ts';
import type { Schema } from './schema.ts';

/** Patterns of a batch that is streamed. */
const BATCH = 1000;
/** Code points of a pattern by which lists are sorted. */
const START = 200;

type Row = Selectable<Schema['blacklists']>;

function hashOf(pattern: string): string {
  return hash('sha256', pattern, 'hex');
}

function startOf(pattern: string): string {
  if (pattern.length <= START) return pattern;
  return [...pattern.slice(0, 2 * START)].slice(0, START).join('');
}

export function blacklistFromRow(row: Row): Blacklist {
  return {
    id: row.id,
    pattern: row.pattern,
    description: row.description,
    createdAt: row.created_at,
    updatedAt: row.updated_at || null,
    exhausted: row.exhausted_count > 0 ? { count: row.exhausted_count, lastAt: row.exhausted_at } : null,
  };
}

function patternColumns(pattern: string) {
  return { pattern, pattern_hash: hashOf(pattern), pattern_start: startOf(pattern) };
}

/** Whether the search and sort keys of a pattern still match its text. */
export function hasRightKeys({ pattern, pattern_hash, pattern_start }: Row): boolean {
  const keys = patternColumns(pattern);
  return keys.pattern_hash === pattern_hash && keys.pattern_start === pattern_start;
}

function toRow(blacklist: Blacklist, number: Revision): Row {
  return {
    id: blacklist.id,
    number,
    ...patternColumns(blacklist.pattern),
    description: blacklist.description,
    created_at: blacklist.createdAt,
    updated_at: blacklist.updatedAt ?? '',
    exhausted_count: blacklist.exhausted?.count ?? 0,
    exhausted_at: blacklist.exhausted?.lastAt ?? '',
  };
}

const BLACKLISTS: Listing<BlacklistQuery, void, Row, Blacklist> = {
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
  size: sql`length(blacklists.pattern) + coalesce(length(blacklists.description), 0)`,
};

export function blacklistReads(reads: Reads): BlacklistReads {
  const { reader: db } = reads;
  const { stream, ...lists } = listsOf(reads, BLACKLISTS);

  return {
    async find(id) {
      const row = await db.selectFrom('blacklists').selectAll().where('id', '=', id).executeTakeFirst();
      return row && blacklistFromRow(row);
    },

    async findByNumber(number) {
      const row = await db
        .selectFrom('blacklists')
        .selectAll()
        .where('number', '=', number)
        .executeTakeFirst();
      return row && blacklistFromRow(row);
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

  const noteRemoval = async (id: string): Promise<void> => {
    const revision = await raiseRevision(1);
    await db
      .insertInto('blacklist_removals')
      .columns(['revision', 'number', 'pattern'])
      .expression((eb) =>
        eb
          .selectFrom('blacklists')
          .select([eb.val(revision).as('revision'), 'number', 'pattern'])
          .where('id', '=', id),
      )
      .execute();
  };

  const insert = async (blacklists: readonly Blacklist[]): Promise<number> => {
    const first = (await raiseRevision(blacklists.length)) - blacklists.length + 1;
    const rows = blacklists.map((blacklist, place) => toRow(blacklist, first + place));
    const { numAffectedRows } = await db.executeQuery(insertOf(db, rows));
    return Number(numAffectedRows);
  };

  return {
    revision: () => readRevision(db),

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
      if (changed.pattern === current.pattern) {
        await row.set(described).execute();
        return true;
      }
      const columns = patternColumns(changed.pattern);
      const taken = await db
        .selectFrom('blacklists')
        .select('id')
        .where('pattern_hash', '=', columns.pattern_hash)
        .executeTakeFirst();
      if (taken !== undefined) return false;
      await noteRemoval(current.id);
      const unmarked = { exhausted_count: 0, exhausted_at: '' };
      await row.set({ ...described, ...columns, ...unmarked, number: await raiseRevision(1) }).execute();
      return true;
    },

    markExhausted(numbers, at) {
      later(
        db
          .updateTable('blacklists')
          .set((eb) => ({ exhausted_count: eb('exhausted_count', '+', 1), exhausted_at: at }))
          .where('number', 'in', numbers),
      );
    },

    async remove({ id }) {
      await noteRemoval(id);
      await db.deleteFrom('blacklists').where('id', '=', id).execute();
    },
  };
}
