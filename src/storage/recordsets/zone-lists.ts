/** Lists the recordsets of one zone, if a scope sees the zone. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { END_OF_SUBTREE, type OwnerName, subtreeKey } from '../../dns/names.ts';
import { parseOwnerName } from '../../dns/owner-name.ts';
import { limitsInZone, type Scope } from '../../model/access/scope.ts';
import { DomainError } from '../../model/errors.ts';
import type { Page } from '../../model/lists.ts';
import type { ListedRecordset, RecordsetQuery } from '../../model/recordsets/recordset.ts';
import type { RecordsetReads } from '../../model/recordsets/store.ts';
import { limitTo } from '../database/limit.ts';
import { prepared, type SlotFor } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';
import { exactFiltersOf, pageOfMatches } from '../lists/list-lookup.ts';
import { type Listing, SMALL_PAGE } from '../lists/listing.ts';
import { zoneCheckIn } from '../lists/zone-limits.ts';
import { shareScopeIn, zonesSeenBy } from '../shares.ts';
import type { FilterScope } from './filters.ts';
import { withHiders } from './hidden-recordsets.ts';
import { type ListedRow, type ListRow, LOOKED_UP } from './lookups.ts';
import { everyAllowsReading } from './read-limits.ts';

interface ZoneInScope {
  readonly zoneId: string;
  readonly scope: Scope;
}

interface NamedKey extends ZoneInScope {
  readonly name: OwnerName;
  readonly type: string | undefined;
}

interface SeenZoneRow {
  readonly zone_name: string;
  readonly zone_project_id: string;
  /** 1 if a zone lies below it, so that recordsets may be hidden. */
  readonly has_below: number;
  /** Number of its recordsets, as lists count them. */
  readonly total: number;
}

/** A row for each match, or one with nulls if nothing matches; none if the scope does not see the zone. */
interface NamedRow extends Omit<ListedRow, 'id'> {
  readonly id: string | null;
  readonly zone_project_id: string;
}

function isSeen<V extends ZoneInScope>(slot: SlotFor<V>, first: V): RawBuilder<boolean> {
  const scope: Scope =
    first.scope === 'all projects'
      ? first.scope
      : { projectId: slot(({ scope: within }) => (within as typeof first.scope & object).projectId) };
  return sql<boolean>`zones.id = ${slot(({ zoneId }) => zoneId)} and ${zonesSeenBy(scope)}`;
}

/** One statement for each kind of scope, and of whatever else `kindOf` tells apart. */
function preparedFor<V extends ZoneInScope, R>(
  kindOf: (values: V) => boolean,
  build: (slot: SlotFor<V>, first: V) => RawBuilder<R>,
) {
  const statements = new Map<string, ReturnType<typeof prepared<V, R>>>();
  return (db: Kysely<Schema>, values: V) => {
    const kind = `${values.scope === 'all projects'} ${kindOf(values)}`;
    let statement = statements.get(kind);
    if (statement === undefined) {
      statement = prepared<V, R>((_, slot, first) => build(slot, first));
      statements.set(kind, statement);
    }
    return statement(db, values);
  };
}

const seenZone = preparedFor<ZoneInScope, SeenZoneRow>(
  () => true,
  (slot, first) => sql`select zones.project_id as zone_project_id, zones.name as zone_name,
    case when zones.action = 'DELETE' then 0 else zones.recordsets + 2 end as total,
    case when (select 1 from zones as below where below.subtree_key > zones.subtree_key
      and below.subtree_key < zones.subtree_key || ${sql.lit(END_OF_SUBTREE)} limit 1) is null then 0 else 1 end as has_below
    from zones where ${isSeen(slot, first)}`,
);

const namedInZone = preparedFor<NamedKey, NamedRow>(
  ({ type }) => type === undefined,
  (slot, first) => {
    const ofType = first.type === undefined ? sql`` : sql`and recordsets.type = ${slot(({ type }) => type)}`;
    return sql`select zones.project_id as zone_project_id, ${LOOKED_UP} from zones
      left join recordsets on recordsets.zone_id = zones.id
        and recordsets.subtree_key = ${slot(({ name }) => subtreeKey(name))}
        and recordsets.name = ${slot(({ name }) => name)} ${ofType}
      left join publications on publications.zone_id = zones.id
      left join secondaries on secondaries.zone_id = zones.id
      where ${isSeen(slot, first)} ${limitTo(SMALL_PAGE + 1)}`;
  },
);

/** @throws DomainError `zone_not_found` */
function requireRow<R extends { readonly zone_name: string }>(
  row: R | undefined,
  { zoneId: id, scope }: ZoneInScope,
): R {
  const isSeen = row !== undefined && zoneCheckIn(scope)?.({ id, name: row.zone_name }) !== false;
  if (!isSeen) throw new DomainError('zone_not_found');
  return row;
}

const isMatch = (row: NamedRow): row is NamedRow & ListedRow => row.id !== null;

/** @param list lists the recordsets of a zone, without regard to who sees it */
export function zoneListsOf(
  db: Kysely<Schema>,
  listing: Listing<RecordsetQuery, FilterScope, ListRow, ListedRecordset>,
  list: RecordsetReads['list'],
): RecordsetReads['listOfZone'] {
  /** @throws DomainError `zone_not_found` if the share has ended meanwhile */
  async function limitsFor({ scope, ...zone }: ZoneInScope & { readonly owner: string }) {
    const shareScope = await shareScopeIn(db, scope, zone);
    if (shareScope === undefined) throw new DomainError('zone_not_found');
    return limitsInZone(scope, { shareScope });
  }

  /** The page of an exact name, in one statement; undefined if the query has other filters, or many matches. */
  async function lookedUp(
    query: RecordsetQuery,
    { zoneId, scope }: ZoneInScope,
    admit: (owner: string) => void,
  ): Promise<Page<ListedRecordset> | undefined> {
    const exact = exactFiltersOf(query);
    const name = exact === undefined ? undefined : parseOwnerName(exact.name);
    if (exact === undefined || !name?.ok) return undefined;
    const { rows } = await db.executeQuery(
      namedInZone(db, { zoneId, scope, name: name.value, type: exact.type }),
    );
    const owner = requireRow(rows[0], { zoneId, scope }).zone_project_id;
    admit(owner);
    if (rows.length > SMALL_PAGE) return undefined;
    const limits = await limitsFor({ zoneId, scope, owner });
    const isReadable = (row: NamedRow & ListedRow) =>
      limits.length === 0 || everyAllowsReading(limits, listing.fromRow(row));
    return pageOfMatches(listing, rows.filter(isMatch).filter(isReadable), query);
  }

  return async (query, { zoneId, scope, admit }, onBehalfOf, projectId) => {
    const key = { zoneId, scope };
    const found = await lookedUp(query, key, admit);
    if (found !== undefined) return { ...found, items: await withHiders(db, found.items, projectId) };
    const { rows } = await db.executeQuery(seenZone(db, key));
    const { zone_project_id: owner, has_below: hasBelow, total } = requireRow(rows[0], key);
    admit(owner);
    const within = await limitsFor({ zoneId, scope, owner });
    const isWhole = Object.keys(query.filters).length === 0 && within.length === 0;
    const isCounted = query.isCounted === true;
    const listed = await list({ ...query, isCounted: isCounted && !isWhole }, { zoneId, within }, onBehalfOf);
    const page = isCounted && isWhole ? { ...listed, total } : listed;
    return hasBelow === 0 ? page : { ...page, items: await withHiders(db, page.items, projectId) };
  };
}
