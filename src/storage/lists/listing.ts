/** What a list is of, and the statements that select its rows. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { ListQuery } from '../../model/lists.ts';
import { type Flavour, flavourOf } from '../database/flavour.ts';
import { limitTo } from '../database/limit.ts';
import type { NameSearch } from '../database/name-search.ts';
import type { Schema } from '../database/schema.ts';
import { type Ordering, orderOf, type Position } from './list-order.ts';

export type AnyQuery = ListQuery<string, string>;
type Condition = RawBuilder<boolean>;
type Db = Kysely<Schema>;

/** The description of the lists of a resource. */
export interface Listing<Query extends AnyQuery, Within, Row extends { id: string }, Thing> {
  readonly table: keyof Schema;
  /** Joins and additional columns, if the list needs more than the columns of the table. */
  readonly joined?: { readonly join: RawBuilder<unknown>; readonly columns: RawBuilder<unknown> };
  /** The columns behind each sort key. The id is always added last, so that no two rows are equal. */
  readonly order: Readonly<Record<Query['sortKey'], readonly Ordering<Row>[]>>;
  /** The sort keys for which an index holds the rows in order, whatever the list is restricted to. */
  readonly indexed: readonly Query['sortKey'][];
  /** More sort keys that lists of any length take, besides the id of lists that are not restricted. */
  readonly alwaysTaken?: readonly Query['sortKey'][];
  readonly filters: Readonly<
    Record<keyof Query['filters'] & string, (text: string, flavour: Flavour) => Condition>
  >;
  /** The rows that lists can return. The filters do not change these rows, only how to find them. */
  within(within: Within, filters: Query['filters']): Condition;
  /** Several filters, none of which has a row of another, that together find the same: each by an index of its own, in order. */
  alternatives?(within: Within, filters: Query['filters']): readonly Query['filters'][];
  /** More rows that lists can return, none of which is among the others. */
  also?(within: Within): More | undefined;
  /** Finds the rows by an index that does not hold them in order, if a filter allows it. */
  search?(filters: Query['filters'], within: Within, flavour: Flavour): NameSearch | undefined;
  fromRow(row: Row): Thing;
  /** The bytes of a row, roughly, if rows can be large. */
  readonly size?: RawBuilder<number>;
  /** The number of rows, if counters have it. */
  counted?(db: Db, within: Within): Promise<number>;
}

/** Rows that are found by another table: those of one owner are few. */
interface More {
  /** The condition that a row is one of them. */
  readonly isAmong: Condition;
  /** They alone, in the place of the table and under its name. */
  readonly from: RawBuilder<unknown>;
}

/** The database, and whether a statement on it looks at the clock. */
export interface Reading {
  readonly db: Db;
  readonly isLong: boolean;
  /** The rows among which all matches are, in the place of the table and under its name; undefined for the table. */
  readonly candidates?: RawBuilder<unknown> | undefined;
}

/** The filter and the order of a list, independent of the page. */
export type Selection<Query extends AnyQuery> = Pick<Query, 'filters' | 'sortKey' | 'sortDir'>;

/** One order of a list, and the position of a row in it. */
export function orderBy<Query extends AnyQuery, Within, Row extends { id: string }, Thing>(
  { table, order }: Listing<Query, Within, Row, Thing>,
  { sortKey, sortDir }: Selection<Query>,
) {
  return orderOf<Row>(table, order[sortKey as Query['sortKey']], sortDir);
}

/** Where the rows of a list come from, and the columns that make one. */
export function sourceOf(
  { table, joined }: Pick<Listing<never, never, never, never>, 'table' | 'joined'>,
  rows: RawBuilder<unknown> = sql.table(table),
) {
  const own = sql`${sql.table(table)}.*`;
  if (joined === undefined) return { from: rows, columns: own };
  return { from: sql`${rows} ${joined.join}`, columns: sql`${own}, ${joined.columns}` };
}

/** The statements that select the rows of a list that match. */
export function selectionsOf<Query extends AnyQuery, Within, Row extends { id: string }, Thing>(
  listing: Listing<Query, Within, Row, Thing>,
) {
  const { table } = listing;
  const { columns } = sourceOf(listing);

  /** Where the rows that match are: in one place, or in several of which none has a row of another. */
  function matching(
    reading: Reading,
    filters: Query['filters'],
    within: Within,
    ...more: readonly Condition[]
  ): readonly RawBuilder<unknown>[] {
    const all = listing.alternatives?.(within, filters) ?? [filters];
    return all.flatMap((one) => matchingOne(reading, one, within, more));
  }

  function matchingOne(
    { db, isLong, candidates }: Reading,
    filters: Query['filters'],
    within: Within,
    more: readonly Condition[],
  ): readonly RawBuilder<unknown>[] {
    const flavour = flavourOf(db);
    const check = isLong ? flavour.timeCheck?.row(table) : undefined;
    const given = Object.entries(filters) as [keyof Query['filters'] & string, string][];
    const conditions = [...given.map(([filter, text]) => listing.filters[filter](text, flavour)), ...more];
    const own = [listing.within(within, filters), ...(check === undefined ? [] : [check]), ...conditions];
    const parts = [sql`${sourceOf(listing, candidates).from} where ${sql.join(own, sql` and `)}`];
    const also = listing.also?.(within);
    if (also === undefined) return parts;
    // They are too few to take long.
    const where = sql.join([sql`true`, ...conditions], sql` and `);
    return [...parts, sql`${sourceOf(listing, also.from).from} where ${where}`];
  }

  function selecting(
    reading: Reading,
    query: Selection<Query>,
    within: Within,
    limit: number,
    after?: Position,
  ): RawBuilder<Row> {
    const order = orderBy(listing, query);
    const beyond = after === undefined ? [] : [order.after(after)];
    const parts = matching(reading, query.filters, within, ...beyond);
    const page = (some: RawBuilder<unknown>, rows: RawBuilder<unknown>) =>
      sql<Row>`select ${some}, ${order.carried} from ${rows} order by ${order.clause} ${limitTo(limit)}`;
    if (parts.length === 1 && reading.candidates === undefined) return page(columns, parts[0]!);
    const name = sql.table(table);
    // What is joined is looked up for the rows of the page alone, and stands in the statement once.
    const pages = parts.map((rows) => sql`select * from (${page(sql`${name}.*`, rows)}) as ${name}`);
    const all = sourceOf(listing, sql`(${sql.join(pages, sql` union all `)}) as ${name}`);
    return sql<Row>`select ${all.columns} from ${all.from} order by ${order.carriedClause} ${limitTo(limit)}`;
  }

  /** The condition of all rows that lists can return. */
  function anywhere(within: Within): Condition {
    const own = listing.within(within, {});
    const also = listing.also?.(within);
    return also === undefined ? own : sql`(${own} or ${also.isAmong})`;
  }

  return { anywhere, matching, selecting };
}
