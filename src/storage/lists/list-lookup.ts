import type { Kysely } from 'kysely';
import type { Page } from '../../model/lists.ts';
import type { Schema } from '../database/schema.ts';
import { type AnyQuery, type Listing, MAX_LOOKED_UP, orderBy } from './listing.ts';

/**
 * Reads the page of the few rows that exact filters select, in one short read.
 * @returns a function that returns undefined if the rows are not few, or if no index finds them
 */
export function lookUpsOf<Query extends AnyQuery, Within, Row extends { id: string }, Thing>(
  reader: Kysely<Schema>,
  listing: Listing<Query, Within, Row, Thing>,
) {
  return async (query: Query, within: Within): Promise<Page<Thing> | undefined> => {
    if (query.marker !== undefined) return undefined;
    const rows = await listing.lookUp?.(reader, query.filters, within);
    if (rows === undefined || rows.length > MAX_LOOKED_UP) return undefined;
    const page = rows.length < 2 ? rows : orderBy(listing, query).sorted(rows).slice(0, query.limit);
    const total = query.isCounted === true ? { total: rows.length } : {};
    return { items: page.map(listing.fromRow), more: rows.length > page.length, ...total };
  };
}
