import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Scope } from '../domain/acts/scope.ts';
import { DomainError } from '../domain/errors.ts';
import type { ListQuery, Lists, Page } from '../domain/lists.ts';
import { together } from '../domain/together.ts';
import type { Reads } from './database.ts';
import { type Flavour, flavourOf } from './flavour.ts';
import { type Ordering, orderOf, type Position } from './list-order.ts';
import type { Schema } from './schema.ts';

type AnyQuery = ListQuery<string, string>;
type Condition = RawBuilder<boolean>;
type Db = Kysely<Schema>;

/** The largest page that counts as a short read. */
const SHORT_PAGE = 100;
/** The largest page that is not measured: rows of any size fit into memory. */
const SMALL_PAGE = 50;
/** Roughly the bytes of rows after which a page ends. */
const BYTES_OF_A_PAGE = 4_194_304;

/** The description of the lists of a resource. */
export interface Listing<Query extends AnyQuery, Within, Row extends { id: string }, Thing> {
  readonly table: keyof Schema;
  /** Joins and additional columns, if the list needs more than the columns of the table. */
  readonly joined?: { readonly join: RawBuilder<unknown>; readonly columns: RawBuilder<unknown> };
  /** The columns behind each sort key. The id is always added last, so that no two rows are equal. */
  readonly order: Readonly<Record<Query['sortKey'], readonly Ordering<Row>[]>>;
  /** The sort keys for which an index holds the rows in order, whatever the list is restricted to. */
  readonly indexed: readonly Query['sortKey'][];
  readonly filters: Readonly<
    Record<keyof Query['filters'] & string, (text: string, flavour: Flavour) => Condition>
  >;
  /** The rows that lists can return. The filters do not change these rows, only how to find them. */
  within(within: Within, filters: Query['filters']): Condition;
  /** More rows that lists can return, none of which is among the others: each of both has its index. */
  alsoWithin?(within: Within): Condition | undefined;
  fromRow(row: Row): Thing;
  /** The bytes of a row, roughly, if rows can be large. */
  readonly size?: RawBuilder<number>;
  /** The number of rows, if counters have it. */
  counted?(db: Db, within: Within): Promise<number>;
}

/** The database, and whether a statement on it looks at the clock. */
interface Reading {
  readonly db: Db;
  readonly isLong: boolean;
}

/** The filter and the order of a list, independent of the page. */
type Selection<Query extends AnyQuery> = Pick<Query, 'filters' | 'sortKey' | 'sortDir'>;

/** One order of a list, and the position of a row in it. */
function orderBy<Query extends AnyQuery, Within, Row extends { id: string }, Thing>(
  { table, order }: Listing<Query, Within, Row, Thing>,
  { sortKey, sortDir }: Selection<Query>,
) {
  return orderOf<Row>(table, order[sortKey as Query['sortKey']], sortDir);
}

/** Where the rows of a list come from, and the columns that make one. */
function sourceOf({ table, joined }: Pick<Listing<never, never, never, never>, 'table' | 'joined'>) {
  const own = sql`${sql.table(table)}.*`;
  if (joined === undefined) return { from: sql.table(table), columns: own };
  return { from: sql`${sql.table(table)} ${joined.join}`, columns: sql`${own}, ${joined.columns}` };
}

/**
 * The rows of one page: as many as it holds, or fewer if they take too many bytes.
 * @param selected one row more than the page holds, which says whether another page follows
 */
async function pageRows<Query extends AnyQuery, Row extends { id: string }>(
  db: Db,
  selected: RawBuilder<Row>,
  query: Query,
  listing: Listing<Query, never, Row, unknown>,
): Promise<{ readonly rows: readonly Row[]; readonly more: boolean }> {
  const { limit } = query;
  const { table, size } = listing;
  if (size === undefined || limit <= SMALL_PAGE) {
    const { rows } = await selected.execute(db);
    return { rows: rows.slice(0, limit), more: rows.length > limit };
  }
  const { carriedClause: clause } = orderBy(listing, query);
  // Under the name of the table, so that its columns keep theirs.
  const name = sql.table(table);
  const { rows } = await sql<Row & { readonly found: number }>`
    select * from (
      select ${name}.*, count(*) over () as found,
        sum(${size}) over (order by ${clause} rows unbounded preceding) - (${size}) as before
      from (${selected}) as ${name}
    ) as ${name} where before < ${BYTES_OF_A_PAGE} order by ${clause}`.execute(db);
  const page = rows.slice(0, limit);
  return { rows: page, more: Number(rows[0]?.found ?? 0) > page.length };
}

/** Which rows of a list match, and the statement that selects them. */
function selectionsOf<Query extends AnyQuery, Within, Row extends { id: string }, Thing>(
  listing: Listing<Query, Within, Row, Thing>,
) {
  const { table } = listing;
  const { from, columns } = sourceOf(listing);

  const restrictionsTo = (within: Within, filters: Query['filters']): readonly Condition[] => {
    const also = listing.alsoWithin?.(within);
    return [listing.within(within, filters), ...(also === undefined ? [] : [also])];
  };

  /** The conditions of the rows that match: one, or two that no row fulfils both. */
  const matching = (
    { db, isLong }: Reading,
    filters: Query['filters'],
    within: Within,
  ): readonly Condition[] => {
    const flavour = flavourOf(db);
    const check = isLong ? flavour.timeCheck?.row(table) : undefined;
    const given = Object.entries(filters) as [keyof Query['filters'] & string, string][];
    const conditions = given.map(([filter, text]) => listing.filters[filter](text, flavour));
    return restrictionsTo(within, filters).map((restriction) =>
      sql.join([restriction, ...(check === undefined ? [] : [check]), ...conditions], sql` and `),
    );
  };

  function selecting(
    reading: Reading,
    query: Selection<Query>,
    within: Within,
    limit: number,
    after?: Position,
  ): RawBuilder<Row> {
    const order = orderBy(listing, query);
    const parts = matching(reading, query.filters, within).map((matches) => {
      const where = after === undefined ? matches : sql`${matches} and ${order.after(after)}`;
      return sql<Row>`select ${columns}, ${order.carried} from ${from} where ${where} order by ${order.clause} limit ${limit}`;
    });
    if (parts.length === 1) return parts[0]!;
    const name = sql.table(table);
    const all = parts.map((part) => sql`select * from (${part}) as ${name}`);
    return sql<Row>`select * from (${sql.join(all, sql` union all `)}) as ${name} order by ${order.carriedClause} limit ${limit}`;
  }

  return { restrictionsTo, matching, selecting };
}

/** Lists a resource: each page costs the same, however many come before it. */
export function listsOf<Query extends AnyQuery, Within, Row extends { id: string }, Thing>(
  { reader, longReads }: Reads,
  listing: Listing<Query, Within, Row, Thing>,
) {
  const { table } = listing;
  const { from, columns } = sourceOf(listing);
  const { restrictionsTo, matching, selecting } = selectionsOf(listing);
  const long = (onBehalfOf: string): Reading => ({ db: longReads(onBehalfOf), isLong: true });

  /** A page without filters that an index holds in order is short: it costs what it returns. Any other is long. */
  const readingFor = ({ filters, sortKey, limit }: Query, onBehalfOf: string): Reading => {
    const isIndexed = listing.indexed.includes(sortKey as Query['sortKey']);
    const isShort = isIndexed && limit <= SHORT_PAGE && Object.keys(filters).length === 0;
    return isShort ? { db: reader, isLong: false } : long(onBehalfOf);
  };

  /** The position of the row that a marker names, whether or not it matches the filters. */
  async function markerPosition(marker: string, query: Query, within: Within): Promise<Position> {
    const id = sql.ref(`${table}.id`);
    const { rows } = await sql<Row>`
      select ${columns} from ${from} where (${sql.join(restrictionsTo(within, {}), sql` or `)}) and ${id} = ${marker}`.execute(
      reader,
    );
    const [row] = rows;
    if (row === undefined) throw new DomainError('marker_not_found');
    return orderBy(listing, query).positionOf(row);
  }

  async function pageOf(query: Query, within: Within, onBehalfOf: string): Promise<Page<Thing>> {
    const { marker, limit } = query;
    const after = marker === undefined ? undefined : await markerPosition(marker, query, within);
    const reading = readingFor(query, onBehalfOf);
    // One row more than the page holds says whether another page follows.
    const selected = selecting(reading, query, within, limit + 1, after);
    const { rows, more } = await pageRows(reading.db, selected, query, listing);
    return { items: rows.map(listing.fromRow), more };
  }

  /** Counters are a short read, except for the sum of those of all projects. */
  function readCounters(within: Within, onBehalfOf: string): Promise<number> | undefined {
    const isOfAll = (within as Scope | undefined) === 'all projects';
    return listing.counted?.(isOfAll ? longReads(onBehalfOf) : reader, within);
  }

  async function countMatches(
    filters: Query['filters'],
    within: Within,
    onBehalfOf: string,
  ): Promise<number> {
    const reading = long(onBehalfOf);
    const counts = matching(reading, filters, within).map(
      (matches) => sql`(select count(*) from ${from} where ${matches})`,
    );
    const { rows } = await sql<{ total: number }>`select ${sql.join(counts, sql` + `)} as total`.execute(
      reading.db,
    );
    return Number(rows[0]?.total);
  }

  async function countedPageOf(query: Query, within: Within, onBehalfOf: string): Promise<Page<Thing>> {
    const isWhole = Object.keys(query.filters).length === 0;
    const counters = isWhole ? readCounters(within, onBehalfOf) : undefined;
    if (counters !== undefined) {
      const [page, total] = await together(pageOf(query, within, onBehalfOf), counters);
      return { ...page, total };
    }
    const page = await pageOf(query, within, onBehalfOf);
    // A first page that no other follows has compared every row: one pass is enough.
    const isAll = query.marker === undefined && !page.more;
    const total = isAll ? page.items.length : await countMatches(query.filters, within, onBehalfOf);
    return { ...page, total };
  }

  const lists: Lists<Thing, Query, Within> = {
    list: (query, within, onBehalfOf) =>
      query.isCounted === true ? countedPageOf(query, within, onBehalfOf) : pageOf(query, within, onBehalfOf),
  };

  /** All matches, in batches. */
  async function* stream(
    query: Selection<Query>,
    within: Within,
    onBehalfOf: string,
    batch: number,
  ): AsyncGenerator<readonly Thing[], void> {
    const { positionOf } = orderBy(listing, query);
    let after: Position | undefined;
    for (;;) {
      const reading = long(onBehalfOf);
      const { rows } = await selecting(reading, query, within, batch, after).execute(reading.db);
      yield rows.map(listing.fromRow);
      const last = rows.at(-1);
      if (last === undefined || rows.length < batch) return;
      after = positionOf(last);
    }
  }

  return { ...lists, stream };
}
