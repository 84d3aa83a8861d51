import type { Kysely } from 'kysely';
import type { Page } from '../../model/lists.ts';
import { type ExactFilters, exactFiltersIn } from '../../model/name-filter.ts';
import type { Schema } from '../database/schema.ts';
import { type AnyQuery, type Listing, orderBy, SMALL_PAGE } from './listing.ts';

/**
 * The page of a list by an exact name.
 * @param rows all matches, in any order
 */
export function pageOfMatches<Query extends AnyQuery, Within, Row extends { id: string }, Thing>(
  listing: Listing<Query, Within, Row, Thing>,
  rows: readonly Row[],
  query: Query,
): Page<Thing> {
  // Most names have one entry: then there is no order to build.
  const sorted = rows.length < 2 ? rows : orderBy(listing, query).sorted(rows);
  const page = sorted.slice(0, query.limit);
  const total = query.isCounted === true ? { total: rows.length } : {};
  return { items: page.map(listing.fromRow), more: rows.length > page.length, ...total };
}

/** The exact filters of a query, if they are all that restricts it. */
export function exactFiltersOf({ marker, filters }: AnyQuery): ExactFilters | undefined {
  return marker === undefined ? exactFiltersIn(filters) : undefined;
}

/**
 * Reads the page of the few rows of an exact name, in one short read.
 * @returns a function that returns undefined if the rows are not few, or if the list is filtered in another way
 */
export function lookUpsOf<Query extends AnyQuery, Within, Row extends { id: string }, Thing>(
  reader: Kysely<Schema>,
  listing: Listing<Query, Within, Row, Thing>,
) {
  return async (query: Query, within: Within): Promise<Page<Thing> | undefined> => {
    const exact = exactFiltersOf(query);
    if (exact === undefined || listing.lookUp === undefined) return undefined;
    const rows = await listing.lookUp(reader, exact, within);
    return rows.length > SMALL_PAGE ? undefined : pageOfMatches(listing, rows, query);
  };
}
