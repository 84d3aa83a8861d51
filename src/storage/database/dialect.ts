import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely';
import type { NameSearch } from './name-search.ts';
import { searchNames as searchNamesInPostgres } from './name-search-postgres.ts';
import { reindex, searchNames as searchNamesInSqlite, unindexed } from './name-search-sqlite.ts';
import { LOCK_NOT_AVAILABLE } from './postgres-errors.ts';
import type { Schema } from './schema.ts';
import { CACHE_KIB } from './writer-cache.ts';

type SqlExpression = RawBuilder<unknown>;

/** The SQL that differs between the two databases. */
export interface Dialect {
  readonly kind: 'sqlite' | 'postgresql';
  /** The type of every text column: compared and sorted by code point. */
  readonly text: 'text' | SqlExpression;
  /** Suffix of a table whose rows are stored in key order, if the database has such tables. */
  readonly clustered: SqlExpression;
  /** The server's time in the store's format; null if there is no server. */
  readonly now: SqlExpression;
  /** False if a writer holds the whole database, so that rows need no locks. */
  readonly locksRows: boolean;
  /** Suffix of a query that locks its rows until the transaction ends. */
  readonly forUpdate: SqlExpression;
  /** Like `forUpdate`, for the rows of one table of a join. */
  forUpdateOf(table: string): SqlExpression;
  /** Suffix of a query that locks its rows and skips those that others have locked. */
  readonly skipLocked: SqlExpression;
  /**
   * Statements before and after those whose wait for locks is limited; `isOver` is true if a wait timed out.
   * Undefined if the only lock is on the whole database.
   */
  readonly shortWait:
    | { readonly begin: SqlExpression; readonly end: SqlExpression; isOver(error: unknown): boolean }
    | undefined;
  hasTable(db: Kysely<Schema>, name: string): Promise<boolean>;
  /** The texts of a JSON array as a table `record` with one column `value`. */
  jsonTexts(list: SqlExpression): SqlExpression;
  /** True if a column, which an index begins with, has one of the texts of a JSON array. */
  isAmong(column: SqlExpression, list: SqlExpression): RawBuilder<boolean>;
  /** True if a column, which an index begins with, has one of the values that a query selects. */
  isSelected(column: SqlExpression, values: SqlExpression): RawBuilder<boolean>;
  /** Like `jsonTexts`, for the values of a JSON object, or of null. */
  jsonMembers(object: SqlExpression): SqlExpression;
  /** The objects of a JSON array as an unnamed table with text columns. */
  textRows(members: readonly string[], list: SqlExpression): SqlExpression;
  /** Like `textRows`, as a table `record` whose columns have the types of the given table's columns. */
  jsonRows(table: string, columns: readonly string[], list: SqlExpression): SqlExpression;
  jsonLength(list: SqlExpression): SqlExpression;
  /** The values as the text of a JSON array. */
  jsonArray(values: SqlExpression): SqlExpression;
  /** Parses a JSON text for `jsonItem`, under the name `parsed`. */
  parsed(list: SqlExpression): SqlExpression;
  /** The text at one position of the array `parsed`. */
  jsonItem(place: number): SqlExpression;
  /**
   * Conditions that are always true, through which a long read notices its time limit: one for the rows of a table, one
   * for rows that are read whole and can be large, one for `jsonTexts` and one for `jsonMembers`. Undefined if the server
   * ends statements itself.
   */
  readonly timeCheck:
    | {
        row(table: string): SqlExpression;
        /** @param bytes the approximate size of the row */
        wholeRow(table: string, bytes: SqlExpression): SqlExpression;
        readonly text: SqlExpression;
        readonly member: SqlExpression;
      }
    | undefined;
  /** Statements before and after a bulk insert; undefined if the server sizes its cache itself. */
  readonly bulk: { readonly begin: SqlExpression; readonly end: SqlExpression } | undefined;
  /**
   * Finds zones by the filter on their name; undefined if a trigram index cannot help.
   * @param matches the condition that the name matches the filter
   */
  searchNames(filter: string, matches: RawBuilder<boolean>): NameSearch | undefined;
  /**
   * The ids of the zones that `searchNames` should find but does not; none if a server maintains its indexes.
   */
  unindexed(db: Kysely<Schema>): Promise<ReadonlySet<string>>;
  reindex(db: Kysely<Schema>, id: string): Promise<void>;
  /** True if a transaction can drop and recreate an index while others read. */
  readonly remakesIndexes: boolean;
}

async function isTrue(db: Kysely<Schema>, condition: SqlExpression): Promise<boolean> {
  const { rows } = await sql<{ found: unknown }>`select ${condition} as found`.execute(db);
  return Boolean(rows[0]?.found);
}

/** A power of two: a call for every row would cost several times as much as reading the row. */
const ROWS_OF_A_CHECK = 64;
const TEXTS_OF_A_CHECK = 16;
/** A text up to this length is compared with any filter within half a millisecond. */
const SHORT_TEXT = 1024;

/**
 * The first check is at a random row, so that nobody can arrange rows between two checks.
 * @param unless a further condition for a row to go unchecked
 */
function everySoOften(table: string, unless?: SqlExpression): SqlExpression {
  const row = sql.ref(`${table}.rowid`);
  const start = Math.floor(Math.random() * ROWS_OF_A_CHECK);
  const isBetween = sql`(${row} + ${start}) & ${ROWS_OF_A_CHECK - 1}`;
  return sql`(${unless === undefined ? isBetween : sql`${isBetween} and ${unless}`} or in_time(${row}))`;
}

function membersOf(list: SqlExpression, members: readonly string[]): SqlExpression {
  const columns = members.map((member) => sql`value ->> ${sql.lit(member)} as ${sql.ref(member)}`);
  return sql`(select ${sql.join(columns)} from json_each(${list}))`;
}

const SQLITE: Dialect = {
  kind: 'sqlite',
  text: 'text',
  clustered: sql`without rowid`,
  now: sql`null`,
  locksRows: false,
  forUpdate: sql``,
  forUpdateOf: () => sql``,
  skipLocked: sql``,
  shortWait: undefined,
  hasTable: (db, name) => isTrue(db, sql`exists (select 1 from sqlite_master where name = ${name})`),
  jsonTexts: (list) => sql`json_each(${list}) as record`,
  isAmong: (column, list) => sql<boolean>`${column} in (select value from json_each(${list}))`,
  isSelected: (column, values) => sql<boolean>`${column} in (${values})`,
  jsonMembers: (object) => sql`json_each(${object}) as record`,
  textRows: (members, list) => membersOf(list, members),
  jsonRows: (_, columns, list) => sql`${membersOf(list, columns)} as record`,
  jsonLength: (list) => sql`json_array_length(${list})`,
  jsonArray: (values) => sql`json_array(${values})`,
  parsed: (list) => list,
  jsonItem: (place) => sql.raw(`parsed ->> ${place}`),
  timeCheck: {
    row: (table) => everySoOften(table),
    wholeRow: (table, bytes) => everySoOften(table, sql`${bytes} <= ${SHORT_TEXT}`),
    text: sql`(record.key & ${TEXTS_OF_A_CHECK - 1} and length(record.value) <= ${SHORT_TEXT} or in_time(record.key))`,
    // Few records have a separate spelling; their keys are texts.
    member: sql`in_time(record.key)`,
  },
  // Hashes and patterns arrive in random order: if their indexes do not fit the cache, each row reads and writes the
  // disk.
  bulk: { begin: sql`pragma cache_size = -262144`, end: sql.raw(`pragma cache_size = -${CACHE_KIB}`) },
  searchNames: searchNamesInSqlite,
  unindexed,
  reindex,
  remakesIndexes: true,
};

const POSTGRES: Dialect = {
  kind: 'postgresql',
  text: sql`text collate "C"`,
  clustered: sql``,
  now: sql`to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')`,
  locksRows: true,
  forUpdate: sql`for update`,
  forUpdateOf: (table) => sql`for update of ${sql.table(table)}`,
  skipLocked: sql`for update skip locked`,
  shortWait: {
    // Restores the setting rather than the default: a transaction may have its own lock timeout.
    begin: sql`select set_config('zonewarden.lock_timeout', current_setting('lock_timeout'), true), set_config('lock_timeout', '200ms', true)`,
    end: sql`select set_config('lock_timeout', current_setting('zonewarden.lock_timeout'), true)`,
    isOver: (error) => (error as { code?: unknown }).code === LOCK_NOT_AVAILABLE,
  },
  hasTable: (db, name) => isTrue(db, sql`to_regclass(${name}) is not null`),
  jsonTexts: (list) => sql`json_array_elements_text(${list}::json) as record (value)`,
  // As a join with the texts, which the planner takes for a hundred whatever their number, it would read a whole table of
  // some ten thousand rows. An array is looked up by the index.
  isAmong: (column, list) =>
    sql<boolean>`${column} = any (array(select json_array_elements_text(${list}::json)))`,
  isSelected: (column, values) => sql<boolean>`${column} = any (array(${values}))`,
  jsonMembers: (object) => sql`json_each_text(${object}::json) as record (key, value)`,
  textRows(members, list) {
    const columns = members.map((member) => sql`${sql.ref(member)} text`);
    return sql`(select * from json_to_recordset(${list}::json) as member (${sql.join(columns)}))`;
  },
  jsonRows: (table, _, list) =>
    sql`json_populate_recordset(null::${sql.table(table)}, ${list}::json) as record`,
  jsonLength: (list) => sql`json_array_length(${list}::json)`,
  jsonArray: (values) => sql`json_build_array(${values})::text`,
  parsed: (list) => sql`${list}::jsonb`,
  jsonItem: (place) => sql.raw(`(parsed ->> ${place})`),
  timeCheck: undefined,
  bulk: undefined,
  searchNames: searchNamesInPostgres,
  unindexed: async () => new Set(),
  reindex: async () => {},
  remakesIndexes: false,
};

/** The SQL flavour of a database. */
export function dialectOf<DB>(db: Kysely<DB>): Dialect {
  return db.getExecutor().adapter instanceof PostgresAdapter ? POSTGRES : SQLITE;
}
