import { type RawBuilder, sql } from 'kysely';
import type { Page } from '../../model/lists.ts';
import { TimeSlices } from '../../runtime/cooperative-yield.ts';
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

/** Approximate number of bytes that are parsed before others may have a turn. */
const TURN_BYTES = 65_536;

interface MeasuredRow {
  /** Bytes of the page up to and including this row. */
  readonly up_to: number | string;
}

/** The rows that are parsed before others may have a turn, one part after another. */
function* partsOf(rows: readonly MeasuredRow[]): Generator<readonly MeasuredRow[], void> {
  let start = 0;
  while (start < rows.length) {
    const limit = Number(rows[start]!.up_to) + TURN_BYTES;
    const length = rows.slice(start).findIndex(({ up_to }) => Number(up_to) > limit);
    const end = length === -1 ? rows.length : start + length;
    yield rows.slice(start, end);
    start = end;
  }
}

/**
 * Pages that end at a number of bytes. First finds the rows and their sizes, and then reads those that fit: sorting whole
 * rows and summing their sizes takes several times as long as reading them.
 * @param size the approximate size of a row in bytes
 */
export function measuredPagesOf<Query extends AnyQuery, Within, Row extends { id: string }, Thing>(
  listing: Listing<Query, Within, Row, Thing>,
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
    return sql<MeasuredRow>`
      select ${own}, up_to from (
        select ${columns}, page.* from (
          select found.*, sum(row_bytes) over (order by ${order} rows unbounded preceding) as up_to from (${found}) as found
        ) as page cross join ${name} ${joined?.join ?? sql``}
        where ${sql.ref(`${table}.id`)} = page.row_id and up_to - row_bytes < ${MAX_PAGE_BYTES} ${check === undefined ? sql`` : sql`and ${check}`}
      ) as ${name} order by ${order}`;
  }

  const read = (rows: readonly MeasuredRow[]): readonly Row[] =>
    texts === undefined ? (rows as never) : texts.read(rows as never);

  async function readInTurns(rows: readonly MeasuredRow[], onBehalfOf: string): Promise<readonly Thing[]> {
    const turns = new TimeSlices(onBehalfOf);
    const things: Thing[] = [];
    for (const part of partsOf(rows)) {
      for (const row of read(part)) things.push(listing.fromRow(row));
      if (turns.isOver) await turns.next();
    }
    return things;
  }

  return async (
    reading: ListDatabase,
    query: Selection<Query> & { readonly limit: number },
    within: Within,
    onBehalfOf: string,
    after?: KeysetPosition,
  ): Promise<Page<Thing>> => {
    // One row more than the page holds, to see if another page follows.
    const found = placing(reading, query, within, { limit: query.limit + 1, after, size });
    const { carriedClause } = orderBy(listing, query);
    const { rows } = await placed(reading, found, carriedClause).execute(reading.db);
    // The rows end with the one that reaches the limit on bytes, which no single row does.
    const fitting = rows.filter(({ up_to }) => Number(up_to) < MAX_PAGE_BYTES).slice(0, query.limit);
    return { items: await readInTurns(fitting, onBehalfOf), more: rows.length > fitting.length };
  };
}
