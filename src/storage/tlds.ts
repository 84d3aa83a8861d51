import { type Kysely, type Selectable, sql } from 'kysely';
import type { Fqdn } from '../dns/names.ts';
import type { TldReads, TldWrites } from '../domain/tlds/store.ts';
import { suffixesOf, type Tld, type TldQuery, type TldVerdict } from '../domain/tlds/tld.ts';
import type { BeforeCommit, OpenTransaction, Reads } from './database.ts';
import { flavourOf } from './flavour.ts';
import { filterOn } from './list-conditions.ts';
import { type Listing, listsOf } from './lists.ts';
import { lockAllGates, lockNameRules } from './name-gates.ts';
import { prepared } from './prepared.ts';
import type { Schema } from './schema.ts';

/** Rows of a statement. */
const BATCH = 500;
/** The least number of suffixes that a statement asks about. */
const FEW = 4;

type Row = Selectable<Schema['tlds']>;

function fromRow(row: Row): Tld {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    createdAt: row.created_at,
    updatedAt: row.updated_at || null,
  };
}

function toRow(tld: Tld): Row {
  return {
    id: tld.id,
    name: tld.name,
    description: tld.description,
    created_at: tld.createdAt,
    updated_at: tld.updatedAt ?? '',
  };
}

const TLDS: Listing<TldQuery, void, Row, Tld> = {
  table: 'tlds',
  order: { created_at: ['created_at'], updated_at: ['updated_at'], id: [], name: ['name'] },
  indexed: ['name'],
  filters: { name: filterOn('name'), description: filterOn('description') },
  within: () => sql`true`,
  fromRow,
  size: sql`coalesce(length(tlds.description), 0)`,
};

async function verdictOn(db: Kysely<Schema>, name: Fqdn): Promise<TldVerdict> {
  const { rows } = await db.executeQuery(verdictQuery(db, name));
  return verdictOf(rows[0]!);
}

export function tldReads(reads: Reads): TldReads {
  const { reader: db } = reads;
  const { list, stream } = listsOf(reads, TLDS);
  return {
    list,

    stream: (query, onBehalfOf) => stream(query, undefined, onBehalfOf, BATCH),

    verdictOn: (name) => verdictOn(db, name),

    async find(id) {
      const row = await db.selectFrom('tlds').selectAll().where('id', '=', id).executeTakeFirst();
      return row && fromRow(row);
    },
  };
}

interface Found {
  readonly is_one: unknown;
  readonly is_below: unknown;
  readonly is_free: unknown;
}

/** As many suffixes as the name has, or twice the last: a few statements serve all names. */
function verdictStatement(size: number) {
  return prepared<readonly string[], Found>((db, slot) => {
    const [name, ...suffixes] = Array.from({ length: size + 1 }, (_, place) => slot((names) => names[place]));
    const some = db.selectFrom('tlds').select('id');
    return db.selectNoFrom(({ exists, not }) => [
      exists(some.where('name', '=', name!)).as('is_one'),
      exists(some.where('name', 'in', suffixes)).as('is_below'),
      not(exists(some)).as('is_free'),
    ]);
  });
}

const STATEMENTS = new Map<number, ReturnType<typeof verdictStatement>>();

function verdictQuery(db: Kysely<Schema>, name: Fqdn) {
  const suffixes = suffixesOf(name);
  let size = FEW;
  while (size < suffixes.length) size *= 2;
  let statement = STATEMENTS.get(size);
  if (statement === undefined) {
    statement = verdictStatement(size);
    STATEMENTS.set(size, statement);
  }
  const filling = Array.from({ length: size - suffixes.length }, () => suffixes.at(-1)!);
  return statement(db, [name.slice(0, -1), ...suffixes, ...filling]);
}

function verdictOf({ is_one, is_below, is_free }: Found): TldVerdict {
  if (is_free) return 'no TLDs';
  if (is_one) return 'a TLD itself';
  return is_below ? 'below a TLD' : 'below no TLD';
}

export function tldWrites({ now: db }: OpenTransaction, beforeCommit: BeforeCommit): TldWrites {
  let isHeld = false;

  /** Last, so that creates wait only for the commit: creates that have not seen this change have finished by then. */
  const holdCreates = (): void => {
    if (!isHeld) beforeCommit(() => lockAllGates(db));
    isHeld = true;
  };

  const nameIsTaken = async (name: string): Promise<boolean> => {
    const row = await db.selectFrom('tlds').select('id').where('name', '=', name).executeTakeFirst();
    return row !== undefined;
  };

  return {
    verdictOn: (name) => verdictOn(db, name),

    async lock(id) {
      await lockNameRules(db);
      const query = db.selectFrom('tlds').selectAll().where('id', '=', id);
      const row = await query.modifyEnd(flavourOf(db).forUpdate).executeTakeFirst();
      return row && fromRow(row);
    },

    async insert(tlds) {
      await lockNameRules(db);
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
