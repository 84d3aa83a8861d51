import { type Kysely, sql } from 'kysely';
import type { Fqdn } from '../dns/names.ts';
import type { TldReads, TldWrites } from '../model/tlds/store.ts';
import { suffixesOf, type Tld, type TldQuery, type TldVerdict } from '../model/tlds/tld.ts';
import type { BeforeCommit, DatabaseReads, OpenTransaction } from './database/database.ts';
import { dialectOf } from './database/dialect.ts';
import type { Schema } from './database/schema.ts';
import { filterOn, nameFilterOn } from './lists/list-conditions.ts';
import { type Listing, listsOf } from './lists/lists.ts';
import { preparedList } from './lists/prepared-list.ts';
import { tlds as table } from './migrations/0010-tlds.ts';
import type { StoredPart } from './resource-part.ts';
import { lockAllGates, lockNameRules } from './zones/name-gates.ts';

/** Maximum number of rows in one statement. */
const BATCH = 500;

type TldRow = {
  readonly id: string;
  /** Without the final dot. */
  readonly name: string;
  readonly description: string | null;
  readonly created_at: string;
  readonly updated_at: string;
};

/** The names below which zones may be created; empty if there is no restriction. */
type TldTables = { tlds: TldRow };

function fromRow(row: TldRow): Tld {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    createdAt: row.created_at,
    updatedAt: row.updated_at || null,
  };
}

function toRow(tld: Tld): TldRow {
  return {
    id: tld.id,
    name: tld.name,
    description: tld.description,
    created_at: tld.createdAt,
    updated_at: tld.updatedAt ?? '',
  };
}

const TLDS: Listing<TldQuery, void, TldRow, Tld> = {
  table: 'tlds',
  order: { created_at: ['created_at'], updated_at: ['updated_at'], id: [], name: ['name'] },
  indexed: ['name'],
  filters: { name: nameFilterOn('name'), description: filterOn('description') },
  within: () => sql`true`,
  fromRow,
  size: sql`coalesce(length(tlds.description), 0)`,
};

export function tldReads(reads: DatabaseReads): TldReads {
  const db = reads.reader.withTables<TldTables>();
  const { list, stream } = listsOf(reads, TLDS);
  return {
    list,

    stream: (query, onBehalfOf) => stream(query, undefined, onBehalfOf, BATCH),

    verdictsOn: (names) => verdictsOn(reads.reader, names),

    async find(id) {
      const row = await db.selectFrom('tlds').selectAll().where('id', '=', id).executeTakeFirst();
      return row && fromRow(row);
    },
  };
}

/** The names that are TLDs, and any one TLD if there is one. */
const known = preparedList<string, { readonly name: string }>((reader, places) => {
  const db = reader.withTables<TldTables>();
  const any = db.selectFrom('tlds').select('name').limit(1).as('any');
  return db
    .selectFrom('tlds')
    .select('name')
    .where('name', 'in', places)
    .unionAll(db.selectFrom(any).select('name'));
});

async function verdictsOn(db: Kysely<Schema>, names: readonly Fqdn[]): Promise<readonly TldVerdict[]> {
  const asked = names.map((name) => ({ name: name.slice(0, -1), suffixes: suffixesOf(name) }));
  const texts = new Set(asked.flatMap(({ name, suffixes }) => [name, ...suffixes]));
  const { rows } = await db.executeQuery(known(db, [...texts]));
  if (rows.length === 0) return names.map(() => 'no TLDs');
  const tlds = new Set(rows.map((row) => row.name));
  return asked.map(({ name, suffixes }) => {
    if (tlds.has(name)) return 'a TLD itself';
    return suffixes.some((suffix) => tlds.has(suffix)) ? 'below a TLD' : 'below no TLD';
  });
}

export function tldWrites({ now }: OpenTransaction, beforeCommit: BeforeCommit): TldWrites {
  const db = now.withTables<TldTables>();
  let isHeld = false;

  /**
   * Locks the gates last, so that creates wait only for the commit; creates that did not see this change have
   * finished by then.
   */
  const holdCreates = (): void => {
    if (!isHeld) beforeCommit(() => lockAllGates(now));
    isHeld = true;
  };

  const nameIsTaken = async (name: string): Promise<boolean> => {
    const row = await db.selectFrom('tlds').select('id').where('name', '=', name).executeTakeFirst();
    return row !== undefined;
  };

  return {
    verdictsOn: (names) => verdictsOn(now, names),

    async lock(id) {
      await lockNameRules(now);
      const query = db.selectFrom('tlds').selectAll().where('id', '=', id);
      const row = await query.modifyEnd(dialectOf(now).forUpdate).executeTakeFirst();
      return row && fromRow(row);
    },

    async insert(tlds) {
      await lockNameRules(now);
      holdCreates();
      let added = 0;
      for (let start = 0; start < tlds.length; start += BATCH) {
        const rows = tlds.slice(start, start + BATCH).map(toRow);
        const insert = db.insertInto('tlds').values(rows);
        const { numInsertedOrUpdatedRows } = await insert
          .onConflict((conflict) => conflict.column('name').doNothing())
          .executeTakeFirst();
        added += Number(numInsertedOrUpdatedRows ?? 0);
      }
      return added;
    },

    async update(current, changed) {
      if (changed.name !== current.name) {
        if (await nameIsTaken(changed.name)) return false;
        holdCreates();
      }
      const { id, ...columns } = toRow(changed);
      await db.updateTable('tlds').set(columns).where('id', '=', id).execute();
      return true;
    },

    async remove(id) {
      holdCreates();
      await db.deleteFrom('tlds').where('id', '=', id).execute();
    },
  };
}

export const tlds = {
  keys: { tlds: 'id' },
  migrations: [{ version: 10, oldestReader: 5, up: table }],
  reads: tldReads,
  writes: tldWrites,
} as const satisfies StoredPart;
