/** PostgreSQL keeps the trigrams in a GIN index of its extension pg_trgm, and maintains the index itself. */
import { type RawBuilder, sql } from 'kysely';
import { type NameSearch, trigramsOf } from './name-search.ts';
import { isBuilt } from './postgres-indexes.ts';

export const INDEX = 'zones_name_trigrams';

const MAX_CANDIDATES = 25_000;

export function searchNames(filter: string, matches: RawBuilder<boolean>): NameSearch | undefined {
  if (trigramsOf(filter).length === 0) return undefined;
  return {
    maxCandidates: MAX_CANDIDATES,
    count: (most) => sql`case when ${isBuilt(INDEX)}
      then (select count(*) from (select 1 from zones where ${matches} limit ${most}) as candidates) end`,
    // `offset 0` keeps conditions and orders out of the subquery; otherwise an order could make it scan all zones.
    rows: sql`(select * from zones where ${matches} offset 0) as zones`,
  };
}
