import { sql } from 'kysely';
import type { Scope } from '../../model/access/scope.ts';
import { DomainError } from '../../model/errors.ts';
import type { Lists, Page } from '../../model/lists.ts';
import { pipelined } from '../../runtime/pipelined.ts';
import type { DatabaseReads } from '../database/database.ts';
import { lookUpsOf } from './list-lookup.ts';
import type { KeysetPosition } from './list-order.ts';
import { type ListSearch, searchesOf } from './list-search.ts';
import { streamOf } from './list-stream.ts';
import {
  type AnyQuery,
  type ListDatabase,
  type Listing,
  orderBy,
  rowsOf,
  SMALL_PAGE,
  selectionsOf,
  sourceOf,
} from './listing.ts';
import { measuredPagesOf } from './measured-pages.ts';
import { shortPagesOf } from './short-pages.ts';

export type { Listing } from './listing.ts';

/** Maximum size of a page that counts as a short read. */
const SHORT_PAGE = 100;

/** A requested page, and what is known about the matches. */
interface PageRequest<Query, Within> {
  readonly query: Query;
  readonly within: Within;
  readonly onBehalfOf: string;
  readonly search: ListSearch;
}

/** Lists a resource. The cost of a page does not depend on the number of pages before it. */
export function listsOf<Query extends AnyQuery, Within, Row extends { id: string }, Thing>(
  { reader, longReads }: DatabaseReads,
  listing: Listing<Query, Within, Row, Thing>,
) {
  const { table } = listing;
  const { from, columns } = sourceOf(listing);
  const { anywhere, matching, selecting } = selectionsOf(listing);
  const searchFor = searchesOf(longReads, listing);
  const lookedUp = lookUpsOf(reader, listing);
  const readShortly = listing.withinSlots && shortPagesOf(reader, listing, listing.withinSlots);
  const readMeasured = listing.size && measuredPagesOf(listing, listing.size);
  const long = (onBehalfOf: string, { candidates }: ListSearch = {}): ListDatabase => ({
    db: longReads(onBehalfOf),
    isLong: true,
    candidates,
  });

  /** A page without filters that an index holds in order is short: it costs only what it returns. Any other is long. */
  const databaseFor = (
    { filters, sortKey, limit }: Query,
    onBehalfOf: string,
    search: ListSearch,
  ): ListDatabase => {
    const isIndexed = listing.indexed.includes(sortKey as Query['sortKey']);
    const isShort = isIndexed && limit <= SHORT_PAGE && Object.keys(filters).length === 0;
    return isShort ? { db: reader, isLong: false } : long(onBehalfOf, search);
  };

  /** The position of the row that a marker names, even if it does not match the filters. */
  async function markerPosition(marker: string, query: Query, within: Within): Promise<KeysetPosition> {
    const id = sql.ref(`${table}.id`);
    const { rows } = await sql<Row>`
      select ${columns} from ${from} where ${anywhere(within)} and ${id} = ${marker}`.execute(reader);
    const [row] = rows;
    if (row === undefined) throw new DomainError('marker_not_found');
    return orderBy(listing, query).positionOf(row);
  }

  async function pageOf({
    query,
    within,
    onBehalfOf,
    search,
  }: PageRequest<Query, Within>): Promise<Page<Thing>> {
    const { marker, limit } = query;
    const after = marker === undefined ? undefined : await markerPosition(marker, query, within);
    const reading = databaseFor(query, onBehalfOf, search);
    if (readShortly !== undefined && !reading.isLong && limit <= SMALL_PAGE) {
      const rows = await readShortly(query, limit + 1, { within, after });
      return { items: rows.slice(0, limit).map(listing.fromRow), more: rows.length > limit };
    }
    if (readMeasured !== undefined && limit > SMALL_PAGE)
      return readMeasured(reading, query, within, onBehalfOf, after);
    // One row more than the page holds, to see if another page follows.
    const rows = await rowsOf(reading.db, listing, selecting(reading, query, within, limit + 1, after));
    return { items: rows.slice(0, limit).map(listing.fromRow), more: rows.length > limit };
  }

  /** Reading counters is short, except for the sum over all projects. */
  function readCounters(within: Within, onBehalfOf: string): Promise<number> | undefined {
    const isAllProjects = (within as Scope | undefined) === 'all projects';
    return listing.counted?.(isAllProjects ? longReads(onBehalfOf) : reader, within);
  }

  async function countMatches({
    query,
    within,
    onBehalfOf,
    search,
  }: PageRequest<Query, Within>): Promise<number> {
    const reading = long(onBehalfOf, search);
    const counts = matching(reading, query.filters, within).map(
      (rows) => sql`(select count(*) from ${rows})`,
    );
    const { rows } = await sql<{ total: number }>`select ${sql.join(counts, sql` + `)} as total`.execute(
      reading.db,
    );
    return Number(rows[0]?.total);
  }

  async function pageWithMatches(request: PageRequest<Query, Within>): Promise<Page<Thing>> {
    const { query, search } = request;
    // If they do not fit on the page, each of the two reads looks at all candidates.
    if (search.found !== undefined && search.found > query.limit) {
      const [page, total] = await pipelined(pageOf(request), countMatches(request));
      return { ...page, total };
    }
    const page = await pageOf(request);
    // A first page without a successor holds every match: one pass is enough.
    const isComplete = query.marker === undefined && !page.more;
    if (isComplete) return { ...page, total: page.items.length };
    // Counting the matches would take far longer than the page.
    if (search.isOfMany === true) return page;
    return { ...page, total: await countMatches(request) };
  }

  async function countedPageOf(request: PageRequest<Query, Within>): Promise<Page<Thing>> {
    const { query, within, onBehalfOf } = request;
    const isWhole = Object.keys(query.filters).length === 0;
    const counters = isWhole ? readCounters(within, onBehalfOf) : undefined;
    if (counters === undefined) return pageWithMatches(request);
    const [page, total] = await pipelined(pageOf(request), counters);
    return { ...page, total };
  }

  const lists: Lists<Thing, Query, Within> = {
    async list(query, within, onBehalfOf) {
      const found = await lookedUp(query, within);
      if (found !== undefined) return found;
      const request = { query, within, onBehalfOf, search: await searchFor(query, within, onBehalfOf) };
      return query.isCounted === true ? countedPageOf(request) : pageOf(request);
    },
  };

  return { ...lists, stream: streamOf(longReads, listing) };
}
