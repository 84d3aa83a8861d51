import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely';
import { LOCK_NOT_AVAILABLE } from './postgres/trouble.ts';
import type { Schema } from './schema.ts';

type Expression = RawBuilder<unknown>;

/** Where the SQL of the two databases differs. */
export interface Flavour {
  /** The type of every text column: compared and sorted by code point. */
  readonly text: 'text' | Expression;
  /** The suffix of a query that locks its rows until the transaction ends. */
  readonly forUpdate: Expression;
  /**
   * Bounds the wait for the locks of the statements in between, and tells whether a wait has timed out; undefined if
   * the only lock is on the whole database.
   */
  readonly shortWait:
    | { readonly begin: Expression; readonly end: Expression; isOver(error: unknown): boolean }
    | undefined;
  hasTable(db: Kysely<Schema>, name: string): Promise<boolean>;
  /** The texts of a JSON list as a table `record` with one column `value`. */
  jsonTexts(list: Expression): Expression;
  jsonLength(list: Expression): Expression;
}

async function isTrue(db: Kysely<Schema>, condition: Expression): Promise<boolean> {
  const { rows } = await sql<{ found: unknown }>`select ${condition} as found`.execute(db);
  return Boolean(rows[0]?.found);
}

/** One writer at a time holds the whole database, so no row needs a lock of its own. */
const SQLITE: Flavour = {
  text: 'text',
  forUpdate: sql``,
  shortWait: undefined,
  hasTable: (db, name) => isTrue(db, sql`exists (select 1 from sqlite_master where name = ${name})`),
  jsonTexts: (list) => sql`json_each(${list}) as record`,
  jsonLength: (list) => sql`json_array_length(${list})`,
};

const POSTGRES: Flavour = {
  text: sql`text collate "C"`,
  forUpdate: sql`for update`,
  shortWait: {
    // The default is not what was in force: transactions may have settings of their own.
    begin: sql`select set_config('zonewarden.lock_timeout', current_setting('lock_timeout'), true), set_config('lock_timeout', '200ms', true)`,
    end: sql`select set_config('lock_timeout', current_setting('zonewarden.lock_timeout'), true)`,
    isOver: (error) => (error as { code?: unknown }).code === LOCK_NOT_AVAILABLE,
  },
  hasTable: (db, name) => isTrue(db, sql`to_regclass(${name}) is not null`),
  jsonTexts: (list) => sql`json_array_elements_text(${list}::json) as record (value)`,
  jsonLength: (list) => sql`json_array_length(${list}::json)`,
};

/** The SQL flavour of the database in use. */
export function flavourOf<DB>(db: Kysely<DB>): Flavour {
  return db.getExecutor().adapter instanceof PostgresAdapter ? POSTGRES : SQLITE;
}
