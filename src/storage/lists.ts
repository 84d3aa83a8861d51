import { type Kysely, type RawBuilder, sql } from 'kysely';
import { DomainError } from '../domain/errors.ts';
import type { ListQuery, Lists } from '../domain/lists.ts';
import { type Flavour, flavourOf } from './flavour.ts';
import type { Schema } from './schema.ts';

type AnyQuery = ListQuery<string, string>;
type Condition = RawBuilder<boolean>;
type Value = string | number;

/** A column, or an expression with its value in a row. It is never null. */
type Ordering<Row> = (keyof Row & string) | { expression: RawBuilder<unknown>; of(row: Row): Value };

/** The description of the lists of a resource. */
export interface Listing<Query extends AnyQuery, Within, Row extends { id: string }, Thing> {
  readonly table: keyof Schema;
  /** Joins and additional columns, if the list needs more than the columns of the table. */
  readonly joined?: { readonly join: RawBuilder<unknown>; readonly columns: RawBuilder<unknown> };
  /** The columns behind each sort key. The id is always added last, so that no two rows are equal. */
  readonly order: Readonly<Record<Query['sortKey'], readonly Ordering<Row>[]>>;
  readonly filters: Readonly<
    Record<keyof Query['filters'] & string, (text: string, flavour: Flavour) => Condition>
  >;
  /** The rows that lists can return. The filters do not change these rows, only how to find them. */
  within(within: Within, filters: Query['filters']): Condition;
  fromRow(row: Row): Thing;
  /** The number of rows, if counters have it. */
  counted?(db: Kysely<Schema>, within: Within): Promise<number>;
}

/** The filter and the order of a list, independent of the page. */
type Selection<Query extends AnyQuery> = Pick<Query, 'filters' | 'sortKey' | 'sortDir'>;

/** Where a page starts: after the row with these values of the sort columns. */
type Position = readonly Value[];

/** One order of a list, and the position of a row in it. */
function orderBy<Query extends AnyQuery, Within, Row extends { id: string }, Thing>(
  listing: Listing<Query, Within, Row, Thing>,
  { sortKey, sortDir }: Selection<Query>,
) {
  const by: readonly Ordering<Row>[] = [...listing.order[sortKey as Query['sortKey']], 'id'];
  const columns = by.map((one) =>
    typeof one === 'string' ? sql.ref(`${listing.table}.${one}`) : one.expression,
  );
  const direction = sql.raw(sortDir);
  const beyond = sql.raw(sortDir === 'asc' ? '>' : '<');
  return {
    clause: sql.join(columns.map((column) => sql`${column} ${direction}`)),
    after: (position: Position): Condition => sql`(${sql.join(columns)}) ${beyond} (${sql.join(position)})`,
    positionOf: (row: Row): Position =>
      by.map((one) => (typeof one === 'string' ? (row[one] as Value) : one.of(row))),
  };
}

/** Lists a resource: each page costs the same, however many come before it. */
export function listsOf<Query extends AnyQuery, Within, Row extends { id: string }, Thing>(
  db: Kysely<Schema>,
  listing: Listing<Query, Within, Row, Thing>,
) {
  const { table, joined } = listing;
  const from = joined === undefined ? sql.table(table) : sql`${sql.table(table)} ${joined.join}`;
  const own = sql`${sql.table(table)}.*`;
  const columns = joined === undefined ? own : sql`${own}, ${joined.columns}`;

  const matching = (filters: Query['filters'], within: Within): Condition => {
    const given = Object.entries(filters) as [keyof Query['filters'] & string, string][];
    const conditions = given.map(([filter, text]) => listing.filters[filter](text, flavourOf(db)));
    return sql.join([listing.within(within, filters), ...conditions], sql` and `);
  };

  async function rowsOf(
    query: Selection<Query>,
    within: Within,
    limit: number,
    after?: Position,
  ): Promise<Row[]> {
    const order = orderBy(listing, query);
    const matches = matching(query.filters, within);
    const where = after === undefined ? matches : sql`${matches} and ${order.after(after)}`;
    const { rows } = await sql<Row>`
      select ${columns} from ${from} where ${where} order by ${order.clause} limit ${limit}`.execute(db);
    return rows;
  }

  /** The position of the row that a marker names, whether or not it matches the filters. */
  async function markerPosition(marker: string, query: Query, within: Within): Promise<Position> {
    const id = sql.ref(`${table}.id`);
    const { rows } = await sql<Row>`
      select ${columns} from ${from} where ${listing.within(within, {})} and ${id} = ${marker}`.execute(db);
    const [row] = rows;
    if (row === undefined) throw new DomainError('marker_not_found');
    return orderBy(listing, query).positionOf(row);
  }

  const lists: Lists<Thing, Query, Within> = {
    async list(query, within) {
      const { marker, limit } = query;
      const after = marker === undefined ? undefined : await markerPosition(marker, query, within);
      // One row more than the page holds says whether another page follows.
      const rows = await rowsOf(query, within, limit + 1, after);
      return { items: rows.slice(0, limit).map(listing.fromRow), more: rows.length > limit };
    },

    async count(filters, within) {
      const isWhole = Object.keys(filters).length === 0;
      if (isWhole && listing.counted !== undefined) return listing.counted(db, within);
      const { rows } = await sql<{ total: number }>`
        select count(*) as total from ${from} where ${matching(filters, within)}`.execute(db);
      return Number(rows[0]?.total);
    },
  };

  /** All matches, in batches. */
  async function* stream(
    query: Selection<Query>,
    within: Within,
    batch: number,
  ): AsyncGenerator<readonly Thing[], void> {
    const { positionOf } = orderBy(listing, query);
    let after: Position | undefined;
    for (;;) {
      const rows = await rowsOf(query, within, batch, after);
      yield rows.map(listing.fromRow);
      const last = rows.at(-1);
      if (last === undefined || rows.length < batch) return;
      after = positionOf(last);
    }
  }

  return { ...lists, stream };
}
