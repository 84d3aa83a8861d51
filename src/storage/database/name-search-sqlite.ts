/**
 * The embedded database keeps the trigrams in `zone_names`, a contentless full-text index by the row number of the
 * zone. It holds the zones up to `zone_search.up_to`, as they were when indexed. Newer zones are indexed later, and
 * triggers record changes to indexed zones in `zone_names_changed`: both are few, and are candidates of every search.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { addToGroup } from '../../runtime/group-by.ts';
import { limitTo } from './limit.ts';
import { type NameSearch, trigramsOf } from './name-search.ts';
import type { Schema } from './schema.ts';

/** Zones of one step, and total characters of their names: some milliseconds. */
const STEP = { zones: 200, characters: 6000 };
/** Number of index pages to merge after a step. */
const MERGED_PAGES = 16;
const MAX_CANDIDATES = 100_000;
/** Maximum number of unindexed zones while the index is complete: indexing zones one by one would cost more. */
const MAX_WAITING = 1000;
/** With more unindexed zones, as after a bulk write, the index does not help. */
const MAX_COMPARED = 10_000;
/** Number of zones that are compared with the index at once. */
const VERIFIED = 10_000;

/** Quotes a trigram as one term, whatever it contains. */
const quoted = (trigram: string) => `"${trigram.replaceAll('"', '""')}"`;

const matchOf = (trigrams: readonly string[]) => trigrams.map(quoted).join(' ');

const CHANGED = sql`select number from zone_names_changed`;
const BEHIND = sql`((select coalesce(max(rowid), 0) from zones) - up_to)`;
const WAITING = sql`select rowid as number from zones where rowid > (select up_to from zone_search)`;

export function searchNames(filter: string): NameSearch | undefined {
  const trigrams = trigramsOf(filter);
  if (trigrams.length === 0) return undefined;
  const matches = sql`zone_names match ${matchOf(trigrams)}`;
  const indexed = sql`select rowid as number from zone_names where ${matches} and rowid not in (${CHANGED})`;
  const candidates = sql`(${indexed} union all ${CHANGED} union all ${WAITING})`;
  return {
    maxCandidates: MAX_CANDIDATES,
    count: (most) => sql`case when (select is_complete = 1 and ${BEHIND} <= ${MAX_COMPARED} from zone_search)
      then (select count(*) from (select 1 from ${candidates} ${limitTo(most)})) end`,
    // SQLite keeps the join order of a cross join.
    rows: sql`${candidates} as candidates cross join zones on zones.rowid = candidates.number`,
  };
}

/** True if the index is so far behind that it should be updated now. */
export async function isBehind(db: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql<{ behind: number }>`
    select is_complete = 0 or ${BEHIND} > ${MAX_WAITING}
      or (select count(*) from (${CHANGED} ${limitTo(MAX_WAITING)})) = ${MAX_WAITING} as behind
    from zone_search`.execute(db);
  return rows[0]?.behind === 1;
}

/** The numbers of the next step, from rows of number and name. */
async function nextStep(db: Kysely<Schema>, rows: RawBuilder<unknown>): Promise<readonly number[]> {
  const some = sql`select number, name from (${rows}) order by number ${limitTo(STEP.zones)}`;
  const found = await sql<{ number: number }>`
    select number from (select number, sum(length(name)) over (order by number rows unbounded preceding) - length(name) as before
      from (${some})) where before < ${STEP.characters} order by number`.execute(db);
  return found.rows.map(({ number }) => number);
}

async function indexChanged(db: Kysely<Schema>): Promise<number> {
  const named = sql`select number, coalesce(name, '') as name from zone_names_changed left join zones on zones.rowid = number`;
  const numbers = await nextStep(db, named);
  const last = numbers.at(-1);
  if (last === undefined) return 0;
  const some = sql`(${CHANGED} where number <= ${last})`;
  await sql`delete from zone_names where rowid in ${some}`.execute(db);
  await sql`insert into zone_names (rowid, name) select rowid, name from zones where rowid in ${some}`.execute(
    db,
  );
  await sql`delete from zone_names_changed where number <= ${last}`.execute(db);
  return numbers.length;
}

async function indexWaiting(db: Kysely<Schema>): Promise<number> {
  const named = sql`select rowid as number, name from zones where rowid > (select up_to from zone_search)`;
  const numbers = await nextStep(db, named);
  const last = numbers.at(-1);
  if (last === undefined) return 0;
  await sql`insert into zone_names (rowid, name)
    select rowid, name from zones where rowid > (select up_to from zone_search) and rowid <= ${last}`.execute(
    db,
  );
  await sql`update zone_search set up_to = ${last}`.execute(db);
  return numbers.length;
}

interface IndexedZone {
  readonly id: string;
  readonly number: number;
}

/** The zones that have each trigram in their names. */
function zonesByTrigram(
  zones: readonly (IndexedZone & { readonly name: string })[],
): ReadonlyMap<string, readonly IndexedZone[]> {
  const byTrigram = new Map<string, IndexedZone[]>();
  for (const zone of zones) {
    for (const trigram of trigramsOf(zone.name)) addToGroup<string, IndexedZone>(byTrigram, trigram, zone);
  }
  return byTrigram;
}

/** Those of the zones that the index lacks for a trigram. `after` and `upTo` are row numbers that bound theirs. */
async function unindexedFor(
  db: Kysely<Schema>,
  trigram: string,
  zones: readonly IndexedZone[],
  { after, upTo }: { readonly after: number; readonly upTo: number },
): Promise<readonly IndexedZone[]> {
  const { rows } = await sql<{ number: number }>`select rowid as number from zone_names
    where zone_names match ${quoted(trigram)} and rowid > ${after} and rowid <= ${upTo}`.execute(db);
  const indexed = new Set(rows.map(({ number }) => number));
  return zones.filter(({ number }) => !indexed.has(number));
}

/**
 * The ids of the zones whose names the index should have but does not have under their row number. Reads the index once,
 * in ranges of row numbers: the entries of one trigram are in that order.
 */
export async function unindexed(db: Kysely<Schema>): Promise<ReadonlySet<string>> {
  const missing = new Set<string>();
  let after = 0;
  for (;;) {
    const { rows } = await sql<{ id: string; name: string; number: number }>`
      select id, name, rowid as number from zones where rowid > ${after}
        and rowid <= (select up_to from zone_search) and rowid not in (${CHANGED})
        order by rowid ${limitTo(VERIFIED)}`.execute(db);
    const upTo = rows.at(-1)?.number;
    if (upTo === undefined) return missing;
    for (const [trigram, zones] of zonesByTrigram(rows))
      for (const { id } of await unindexedFor(db, trigram, zones, { after, upTo })) missing.add(id);
    after = upTo;
  }
}

/** Searches find the zone at once; the next step indexes it. */
export async function reindex(db: Kysely<Schema>, id: string): Promise<void> {
  await sql`insert or ignore into zone_names_changed (number) select rowid from zones
    where id = ${id} and rowid <= (select up_to from zone_search)`.execute(db);
}

/**
 * Indexes the zones of one step.
 * @returns true if there may be more
 */
export async function indexSome(db: Kysely<Schema>): Promise<boolean> {
  const done = (await indexChanged(db)) || (await indexWaiting(db));
  if (done === 0) await sql`update zone_search set is_complete = 1 where is_complete = 0`.execute(db);
  return done > 0;
}

/** Merges some index pages: FTS5's automatic merge would occasionally take much longer than a step. */
export async function mergeSome(db: Kysely<Schema>): Promise<void> {
  await sql`insert into zone_names (zone_names, rank) values ('merge', ${MERGED_PAGES})`.execute(db);
}
