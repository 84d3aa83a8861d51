import { type RawBuilder, sql } from 'kysely';
import { dialectOf } from '../database/dialect.ts';
import type { KeysetPosition } from './list-order.ts';
import {
  type AnyQuery,
  type ListDatabase,
  type Listing,
  orderBy,
  type Selection,
  selectionsOf,
  sourceOf,
} from './listing.ts';

/** Approximate number of bytes after which a page ends. */
const MAX_PAGE_BYTES = 4_194_304;

interface MeasuredPage<Row> {
  /** The rows before the limit on bytes, and the one that reaches it: no row is as large as a page. */
  readonly rows: readonly Row[];
  /** The number of rows before the limit on bytes. */
  readonly fitting: number;
}

/**
 * Pages that end at a number of bytes. First finds the rows and their sizes, and then reads those that fit: sorting whole
 * rows and summing their sizes takes several times as long as reading them.
 * @param size the approximate size of a row in bytes
 */
export function measuredPagesOf<Query extends AnyQuery, Within, Row extends { id: string }>(
  listing: Listing<Query, Within, Row, unknown>,
  size: RawBuilder<number>,
) {
  const { table, joined, texts } = listing;
  const { columns } = sourceOf(listing);
  const { placing } = selectionsOf(listing);
  const name = sql.table(table);

  /** The rows of a page that were found, in order. */
  function placed({ db, isLong }: ListDatabase, found: RawBuilder<unknown>, order: RawBuilder<unknown>) {
    const own = texts === undefined ? sql`${name}.*` : texts.entry(db);
    const check = isLong ? dialectOf(db).timeCheck?.wholeRow(table, sql`row_bytes`) : undefined;
    // A cross join makes SQLite begin with the page.
    return sql<{ readonly up_to: number }>`
      select ${own}, up_to from (
        select ${columns}, page.* from (
          select found.*, sum(row_bytes) over (order by ${order} rows unbounded preceding) as up_to from (${found}) as found
        ) as page cross join ${name} ${joined?.join ?? sql``}
        where ${sql.ref(`${table}.id`)} = page.row_id and up_to - row_bytes < ${MAX_PAGE_BYTES} ${check === undefined ? sql`` : sql`and ${check}`}
      ) as ${name} order by ${order}`;
  }

  /** @param limit maximum number of rows */
  return async (
    reading: ListDatabase,
    query: Selection<Query>,
    within: Within,
    limit: number,
    after?: KeysetPosition,
  ): Promise<MeasuredPage<Row>> => {
    const found = placing(reading, query, within, { limit, after, size });
    const { carriedClause } = orderBy(listing, query);
    const { rows } = await placed(reading, found, carriedClause).execute(reading.db);
    const fitting = rows.findIndex(({ up_to }) => Number(up_to) >= MAX_PAGE_BYTES);
    return {
      rows: texts === undefined ? (rows as never as readonly Row[]) : texts.read(rows as never),
      fitting: fitting === -1 ? rows.length : fitting,
    };
  };
}
