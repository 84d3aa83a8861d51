/** The description of a list, and the statements that select its rows. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { ListQuery } from '../../model/lists.ts';
import type { ExactFilters } from '../../model/name-filter.ts';
import { type Dialect, dialectOf } from '../database/dialect.ts';
import { limitTo } from '../database/limit.ts';
import type { NameSearch } from '../database/name-search.ts';
import type { Schema } from '../database/schema.ts';
import { type KeysetPosition, type OrderClauses, type Ordering, orderOf } from './list-order.ts';
import type { RowTexts } from './row-texts.ts';
import type { WithinSlots } from './within-slots.ts';

export type AnyQuery = ListQuery<string, string>;

/** Maximum size of a page that is not measured: its rows fit into memory, whatever their size. */
export const SMALL_PAGE = 20;

/** Describes the lists of a resource. */
export interface Listing<Query extends AnyQuery, Within, Row extends { id: string }, Thing> {
  readonly table: string;
  /** Joins and additional columns, if the list needs more than the table's columns. */
  readonly joined?: { readonly join: RawBuilder<unknown>; readonly columns: RawBuilder<unknown> };
  /** The columns of each sort key. The id is always added last, so that no two rows are equal. */
  readonly order: Readonly<Record<Query['sortKey'], readonly Ordering<Row>[]>>;
  /** The sort keys for which an index holds the rows in order, whatever the list is restricted to. */
  readonly indexed: readonly Query['sortKey'][];
  /** Other sort keys allowed for lists of any length, in addition to the id for unrestricted lists. */
  readonly alwaysTaken?: readonly Query['sortKey'][];
  readonly filters: Readonly<
    Record<keyof Query['filters'] & string, (text: string, dialect: Dialect) => RawBuilder<boolean>>
  >;
  /** The rows that lists can return. The filters do not change these rows, only how they are found. */
  within(within: Within, filters: Query['filters']): RawBuilder<boolean>;
  /** Set for lists that are read so often that their short pages are worth statements of their own. */
  readonly withinSlots?: WithinSlots<Within>;
  /** Disjoint filters that together match the same rows: each uses its own index, in order. */
  alternatives?(within: Within, filters: Query['filters']): readonly Query['filters'][];
  /** Additional rows that lists can return, disjoint from the others. */
  also?(within: Within): More | undefined;
  /** Finds the rows through an index that does not hold them in order, if a filter allows it. */
  search?(filters: Query['filters'], within: Within, dialect: Dialect): NameSearch | undefined;
  /** Looks up the rows of an exact name by an index, in any order. May return only `SMALL_PAGE` + 1 of them. */
  lookUp?(db: Kysely<Schema>, exact: ExactFilters, within: Within): Promise<readonly Row[]>;
  fromRow(row: Row): Thing;
  /** Set for lists that are read so often, or in such long pages, that the cost of a row matters. */
  readonly texts?: RowTexts<Row>;
  /** The approximate size of a row in bytes, if rows can be large. */
  readonly size?: RawBuilder<number>;
  /** The number of rows, if counters know it. */
  counted?(db: Kysely<Schema>, within: Within): Promise<number>;
}

/** Rows found through another table: one owner has few of them. */
interface More {
  /** True if a row is one of them. */
  readonly isAmong: RawBuilder<boolean>;
  /** These rows alone, in place of the table and under its name. */
  from(dialect: Dialect): RawBuilder<unknown>;
}

/** A database, and whether its statements check a time limit. */
export interface ListDatabase {
  readonly db: Kysely<Schema>;
  readonly isLong: boolean;
  /** Rows that include all matches, in place of the table and under its name; undefined for the table itself. */
  readonly candidates?: RawBuilder<unknown> | undefined;
}

/** A page of which only the ids are read. */
interface PageOfIds {
  /** Maximum number of rows. */
  readonly limit: number;
  readonly after: KeysetPosition | undefined;
  /** The size of a row in bytes. */
  readonly size: RawBuilder<number>;
}

/** The filter and the order of a list, regardless of the page. */
export type Selection<Query extends AnyQuery> = Pick<Query, 'filters' | 'sortKey' | 'sortDir'>;

/** One order of a list, and the position of a row in it. */
export function orderBy<Query extends AnyQuery, Within, Row extends { id: string }, Thing>(
  { table, order }: Listing<Query, Within, Row, Thing>,
  { sortKey, sortDir }: Selection<Query>,
) {
  return orderOf<Row>(table, order[sortKey as Query['sortKey']], sortDir);
}

/** The source of a list's rows, and their columns. */
export function sourceOf(
  { table, joined }: Pick<Listing<never, never, never, never>, 'table' | 'joined'>,
  rows: RawBuilder<unknown> = sql.table(table),
) {
  const own = sql`${sql.table(table)}.*`;
  if (joined === undefined) return { from: rows, columns: own };
  return { from: sql`${rows} ${joined.join}`, columns: sql`${own}, ${joined.columns}` };
}

/** Runs a statement that selects rows of a list. */
export async function rowsOf<Row extends { id: string }>(
  db: Kysely<Schema>,
  { texts }: Pick<Listing<never, never, Row, unknown>, 'texts'>,
  selected: RawBuilder<Row>,
): Promise<readonly Row[]> {
  if (texts === undefined) return (await selected.execute(db)).rows;
  return texts.read((await texts.select(db, selected).execute(db)).rows);
}

/** The statements that select the matching rows of a list. */
export function selectionsOf<Query extends AnyQuery, Within, Row extends { id: string }, Thing>(
  listing: Listing<Query, Within, Row, Thing>,
) {
  const { table } = listing;
  const { columns } = sourceOf(listing);

  /** The sources of the matching rows: one or more, without duplicates. */
  function matching(
    reading: ListDatabase,
    filters: Query['filters'],
    within: Within,
    ...more: readonly RawBuilder<boolean>[]
  ): readonly RawBuilder<unknown>[] {
    const all = listing.alternatives?.(within, filters) ?? [filters];
    return all.flatMap((one) => matchingOne(reading, one, within, more));
  }

  function matchingOne(
    { db, isLong, candidates }: ListDatabase,
    filters: Query['filters'],
    within: Within,
    more: readonly RawBuilder<boolean>[],
  ): readonly RawBuilder<unknown>[] {
    const dialect = dialectOf(db);
    const check = isLong ? dialect.timeCheck?.row(table) : undefined;
    const given = Object.entries(filters) as [keyof Query['filters'] & string, string][];
    const conditions = [...given.map(([filter, text]) => listing.filters[filter](text, dialect)), ...more];
    const own = [listing.within(within, filters), ...(check === undefined ? [] : [check]), ...conditions];
    const parts = [sql`${sourceOf(listing, candidates).from} where ${sql.join(own, sql` and `)}`];
    const also = listing.also?.(within);
    if (also === undefined) return parts;
    // These rows are too few to take long.
    const where = sql.join([sql`true`, ...conditions], sql` and `);
    return [...parts, sql`${sourceOf(listing, also.from(dialect)).from} where ${where}`];
  }

  function selecting(
    reading: ListDatabase,
    query: Selection<Query>,
    within: Within,
    limit: number,
    after?: KeysetPosition,
  ): RawBuilder<Row> {
    const order = orderBy(listing, query);
    const beyond = after === undefined ? [] : [order.after(after)];
    const parts = matching(reading, query.filters, within, ...beyond);
    if (parts.length > 1 || reading.candidates !== undefined) return joinedLast(order, parts, limit);
    return sql<Row>`select ${columns}, ${order.carried} from ${parts[0]!} order by ${order.clause} ${limitTo(limit)}`;
  }

  /** A page of the rows of some sources, of which only those of the page are joined. */
  function joinedLast(order: OrderClauses, parts: readonly RawBuilder<unknown>[], limit: number) {
    const name = sql.table(table);
    const pages = parts.map(
      (rows) => sql`select * from (select ${name}.*, ${order.carried}
        from ${rows} order by ${order.clause} ${limitTo(limit)}) as ${name}`,
    );
    const all = sourceOf(listing, sql`(${sql.join(pages, sql` union all `)}) as ${name}`);
    return sql<Row>`select ${all.columns} from ${all.from} order by ${order.carriedClause} ${limitTo(limit)}`;
  }

  /** The ids of the rows of a page, with what orders them and their sizes. */
  function placing(
    reading: ListDatabase,
    query: Selection<Query>,
    within: Within,
    { limit, after, size }: PageOfIds,
  ): RawBuilder<unknown> {
    const order = orderBy(listing, query);
    const beyond = after === undefined ? [] : [order.after(after)];
    const parts = matching(reading, query.filters, within, ...beyond).map(
      (rows) =>
        sql`select ${sql.ref(`${table}.id`)} as row_id, ${order.carried}, ${size} as row_bytes
          from ${rows} order by ${order.clause} ${limitTo(limit)}`,
    );
    if (parts.length === 1) return parts[0]!;
    const all = parts.map((part) => sql`select * from (${part}) as part`);
    return sql`select * from (${sql.join(all, sql` union all `)}) as parts order by ${order.carriedClause} ${limitTo(limit)}`;
  }

  /** True for every row that lists can return. */
  function anywhere(within: Within): RawBuilder<boolean> {
    const own = listing.within(within, {});
    const also = listing.also?.(within);
    return also === undefined ? own : sql`(${own} or ${also.isAmong})`;
  }

  return { anywhere, joinedLast, matching, placing, selecting };
}
