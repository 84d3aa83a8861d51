/** Checks the matches of a list before reading them: whether they are few, and whether they can be sorted. */
import { type RawBuilder, sql } from 'kysely';
import type { Scope } from '../../model/access/scope.ts';
import { DomainError } from '../../model/errors.ts';
import type { LongReads } from '../database/database.ts';
import { dialectOf } from '../database/dialect.ts';
import { limitTo } from '../database/limit.ts';
import { type AnyQuery, type Listing, selectionsOf } from './listing.ts';

/** Maximum number of rows to sort without an index. */
const MAX_SORTED = 100_000;

export interface ListSearch {
  /** A few rows that include all matches. */
  readonly candidates?: RawBuilder<unknown>;
  /** How many candidates there are, if they were counted to the last. */
  readonly found?: number;
  /** Set if too many rows match to count them. */
  readonly isOfMany?: true;
}

/** The sort keys that are allowed for any number of matches. */
function servedKeys<Query extends AnyQuery, Within, Row extends { id: string }>(
  { indexed, alwaysTaken = [] }: Listing<Query, Within, Row, unknown>,
  within: Within,
): readonly string[] {
  const isUnrestricted = within === undefined || (within as Scope) === 'all projects';
  return [...new Set<string>([...indexed, ...alwaysTaken, ...(isUnrestricted ? ['id'] : [])])];
}

/**
 * Examines the matches of a list in bounded time.
 * @returns a function that throws `slow_sort_key` if too many rows match to be sorted without an index
 */
export function searchesOf<Query extends AnyQuery, Within, Row extends { id: string }>(
  longReads: LongReads,
  listing: Listing<Query, Within, Row, unknown>,
) {
  const { matching } = selectionsOf(listing);

  async function searched(
    { filters, sortKey }: Query,
    within: Within,
    onBehalfOf: string,
  ): Promise<ListSearch> {
    const db = longReads(onBehalfOf);
    const search = listing.search?.(filters, within, dialectOf(db));
    if (search === undefined) return {};
    const { maxCandidates, rows: candidates } = search;
    const { rows } = await sql<{ found: number | null }>`
      select ${search.count(maxCandidates + 1)} as found`.execute(db);
    const found = rows[0]?.found ?? null;
    if (found === null) return {};
    if (Number(found) <= maxCandidates) return { candidates, found: Number(found) };
    // In index order, a page fills quickly when many rows match.
    return servedKeys(listing, within).includes(sortKey)
      ? { isOfMany: true }
      : { isOfMany: true, candidates };
  }

  async function requireSortable(
    { filters, sortKey }: Query,
    within: Within,
    onBehalfOf: string,
    { candidates }: ListSearch,
  ): Promise<void> {
    const served = servedKeys(listing, within);
    if (served.includes(sortKey)) return;
    const reading = { db: longReads(onBehalfOf), isLong: true, candidates };
    const counts = matching(reading, filters, within).map(
      (rows) => sql`(select count(*) from (select 1 from ${rows} ${limitTo(MAX_SORTED + 1)}) as found)`,
    );
    const { rows } = await sql<{ total: number }>`select ${sql.join(counts, sql` + `)} as total`.execute(
      reading.db,
    );
    if (Number(rows[0]?.total) <= MAX_SORTED) return;
    throw new DomainError(
      'slow_sort_key',
      `More than ${MAX_SORTED.toLocaleString('en')} entries match, too many to sort by "${sortKey}". Sort by ${served.join(' or ')}, or filter the list.`,
    );
  }

  return async (query: Query, within: Within, onBehalfOf: string): Promise<ListSearch> => {
    const search = await searched(query, within, onBehalfOf);
    if (search.found === undefined) await requireSortable(query, within, onBehalfOf, search);
    return search;
  };
}
