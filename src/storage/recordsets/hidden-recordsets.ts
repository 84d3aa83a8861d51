/** Recordsets at or below the name of a zone that lies below their own zone. */
import { type Kysely, sql } from 'kysely';
import { canonicalName, END_OF_SUBTREE, type Fqdn, parentsOf, subtreeKey } from '../../dns/names.ts';
import type { ListedRecordset } from '../../model/recordsets/recordset.ts';
import { type HiddenRecords, MAX_COUNTED, MAX_LISTED_NAMES } from '../../model/zones/hidden-records.ts';
import { TimeSlices } from '../../runtime/cooperative-yield.ts';
import { dialectOf } from '../database/dialect.ts';
import { prepared } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';

/** A query for this many places takes a few milliseconds, even for names of very many labels. */
const PLACES_OF_A_QUERY = 200;

/** The key of a name, and the name of one of its parents. */
interface Lineage {
  readonly key: string;
  readonly parent: string;
}

interface HiddenRow extends Lineage {
  readonly found: number;
  /** Separated by spaces, which no name contains. */
  readonly names: string;
}

/** What each name would hide of the nearest zone above it: one query plan for any number of names. */
const hiddenUnder = prepared<readonly Lineage[], HiddenRow>((db, slot) => {
  const list = sql`${slot((lineages) => JSON.stringify(lineages))}`;
  const rows = dialectOf(db).textRows(['key', 'parent'], list);
  // A delegation and its DS are not hidden.
  const within = sql`(select recordsets.name, recordsets.subtree_key from recordsets
    where recordsets.zone_id = nearest.zone_id
      and recordsets.subtree_key >= nearest.key and recordsets.subtree_key < nearest.key || ${sql.lit(END_OF_SUBTREE)}
      and not (recordsets.subtree_key = nearest.key and recordsets.type in ('NS', 'DS'))
    order by recordsets.subtree_key limit ${sql.lit(MAX_COUNTED)})`;
  const first = sql`(select name, subtree_key from ${within} as part
    group by name, subtree_key order by subtree_key limit ${sql.lit(MAX_LISTED_NAMES)})`;
  const nearest = sql`(select above.*, row_number() over (partition by key order by length(parent) desc) as place
    from (
      select lineage.*, (select zones.id from zones where zones.name = lineage.parent) as zone_id from ${rows} as lineage
    ) as above
    where zone_id is not null)`;
  const hidden = sql<HiddenRow>`(
    select nearest.key, nearest.parent, (select count(*) from ${within} as part) as found,
      (select string_agg(name, ' ' order by subtree_key) from ${first} as first) as names
    from ${nearest} as nearest where place = 1)`;
  return db.selectFrom(hidden.as('hidden')).selectAll().where('found', '>', 0);
});

function lineagesOf(name: Fqdn): readonly Lineage[] {
  const key = subtreeKey(name);
  return parentsOf(name).map((parent) => ({ key, parent }));
}

function hiddenFrom(row: HiddenRow): HiddenRecords {
  const names = row.names.split(' ').map((name) => canonicalName(name));
  return { zoneName: canonicalName(row.parent), count: Number(row.found), names };
}

/** What a zone at each of the names would hide of the nearest zone above it. */
export async function hiddenBy(
  db: Kysely<Schema>,
  names: readonly Fqdn[],
): Promise<ReadonlyMap<Fqdn, HiddenRecords>> {
  const lineages = names.flatMap(lineagesOf);
  if (lineages.length === 0) return new Map();
  const { rows } = await db.executeQuery(hiddenUnder(db, lineages));
  const found = new Map(rows.map((row) => [row.key, row]));
  return new Map(
    names.flatMap((name) => {
      const row = found.get(subtreeKey(name));
      return row === undefined ? [] : [[name, hiddenFrom(row)] as const];
    }),
  );
}

/** The apex of a zone and the name of a recordset in it, as keys of the name tree. */
interface TreePlace {
  readonly apex: string;
  readonly key: string;
}

/** For each place, the last zone in key order that is below the apex and not after the name: one index lookup. */
const lastZones = prepared<readonly TreePlace[], { readonly name: string | null }>((db, slot) => {
  const list = sql`${slot((places) => JSON.stringify(places.map((place, number) => ({ ...place, number }))))}`;
  const rows = dialectOf(db).textRows(['apex', 'key', 'number'], list);
  const name = sql<string | null>`(select zones.name from zones
    where zones.subtree_key > place.apex and zones.subtree_key <= place.key order by zones.subtree_key desc limit 1)`;
  return db
    .selectFrom(sql<TreePlace>`${rows}`.as('place'))
    .select(name.as('name'))
    .orderBy(sql`cast(place.number as integer)`);
});

const isAtOrAbove = (key: string, other: string): boolean => other === key || other.startsWith(`${key}!`);

/** The key of the nearest common ancestor. */
function commonKey(one: string, other: string): string {
  let [end, at] = [0, 0];
  for (; at < one.length && one[at] === other[at]; at += 1) if (one[at] === '!') end = at;
  return one.slice(0, end);
}

const keyAbove = (key: string): string => key.slice(0, Math.max(0, key.lastIndexOf('!')));

/** The place of a recordset. A zone exactly at the name of a delegation or its DS does not hide it. */
function placeOf({ name, type, zoneName }: ListedRecordset): TreePlace {
  const key = subtreeKey(name);
  return {
    apex: subtreeKey(canonicalName(zoneName)),
    key: type === 'NS' || type === 'DS' ? keyAbove(key) : key,
  };
}

const isBelowApex = ({ apex, key }: TreePlace): boolean => key.length > apex.length;

/** Either the zone that hides a place, or the place to look up next, or neither. */
interface LookupStep {
  readonly hider?: Fqdn;
  readonly next?: TreePlace;
}

/** If the last zone is not above the place, only a zone above both can hide it. */
function stepFrom(place: TreePlace, last: string | null): LookupStep {
  if (last === null) return {};
  const hider: Fqdn = canonicalName(last);
  const key = subtreeKey(hider);
  return isAtOrAbove(key, place.key) ? { hider } : { next: { ...place, key: commonKey(key, place.key) } };
}

const textOf = ({ apex, key }: TreePlace): string => `${apex} ${key}`;

/**
 * The nearest zone at or above each place. Each zone that precedes a place in key order but is not above it can cost
 * one more step.
 */
async function hidersOf(
  db: Kysely<Schema>,
  places: readonly TreePlace[],
): Promise<readonly (Fqdn | undefined)[]> {
  const steps = new Map<string, LookupStep>();
  for (let open = places; open.length > 0; ) {
    const asked = new Map(open.filter(isBelowApex).map((place) => [textOf(place), place]));
    for (const known of steps.keys()) asked.delete(known);
    if (asked.size === 0) break;
    const { rows } = await db.executeQuery(lastZones(db, [...asked.values()]));
    const found = [...asked].map(([text, place], number) => {
      const step = stepFrom(place, rows[number]!.name);
      steps.set(text, step);
      return step;
    });
    open = found.flatMap(({ next }) => next ?? []);
  }
  return places.map((place) => {
    let step = steps.get(textOf(place));
    while (step?.next !== undefined) step = steps.get(textOf(step.next));
    return step?.hider;
  });
}

/**
 * Adds to each recordset the zone that hides it, unless that is known.
 * @param projectId the project in whose turn the work runs
 */
export async function withHiders(
  db: Kysely<Schema>,
  recordsets: readonly ListedRecordset[],
  projectId: string,
): Promise<readonly ListedRecordset[]> {
  const turns = new TimeSlices(projectId);
  const all: ListedRecordset[] = [];
  for (let start = 0; start < recordsets.length; start += PLACES_OF_A_QUERY) {
    if (turns.isOver) await turns.next();
    const some = recordsets.slice(start, start + PLACES_OF_A_QUERY);
    const unknown = some.filter(({ hiddenBy }) => hiddenBy === undefined);
    const hiders = unknown.length === 0 ? [] : await hidersOf(db, unknown.map(placeOf));
    const found = new Map(unknown.map((recordset, number) => [recordset, hiders[number]]));
    for (const recordset of some) {
      const hiddenBy = found.get(recordset);
      all.push(hiddenBy === undefined ? recordset : { ...recordset, hiddenBy });
    }
  }
  return all;
}
