/** PostgreSQL keeps the trigrams in a GIN index of its extension pg_trgm, and maintains the index itself. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type NameSearch, trigramsOf } from './name-search.ts';
import type { Schema } from './schema.ts';

export const INDEX = 'zones_name_trigrams';

const MAX_CANDIDATES = 25_000;

const IS_COMPLETE = sql<boolean>`exists (select 1 from pg_index where indexrelid = to_regclass(${sql.lit(INDEX)}) and indisvalid)`;

export function searchNames(filter: string, matches: RawBuilder<boolean>): NameSearch | undefined {
  if (trigramsOf(filter).length === 0) return undefined;
  return {
    maxCandidates: MAX_CANDIDATES,
    count: (most) => sql`case when ${IS_COMPLETE}
      then (select count(*) from (select 1 from zones where ${matches} limit ${most}) as candidates) end`,
    // `offset 0` keeps conditions and orders out of the subquery; otherwise an order could make it scan all zones.
    rows: sql`(select * from zones where ${matches} offset 0) as zones`,
  };
}

export async function isComplete(db: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql<{ complete: boolean }>`select ${IS_COMPLETE} as complete`.execute(db);
  return rows[0]?.complete === true;
}
