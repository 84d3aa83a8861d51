import { type Kysely, sql } from 'kysely';
import type { Scope } from '../../model/access/scope.ts';
import { filteredName, hasWildcard } from '../../model/name-filter.ts';
import type { Zone, ZoneQuery } from '../../model/zones/zone.ts';
import type { Dialect } from '../database/dialect.ts';
import type { NameSearch } from '../database/name-search.ts';
import type { Schema } from '../database/schema.ts';
import { filterOn, inScope, matchesName, nameFilterOn } from '../lists/list-conditions.ts';
import type { Listing } from '../lists/listing.ts';
import { IS_SHARED, receivedBy, sharedZones } from '../shares.ts';
import { hasStatus, ZONE_JOINS, ZONE_STATE, ZONE_STATUS, type ZoneRow, zoneFromRow } from './rows.ts';
import { zoneByName } from './zone-by-key.ts';

async function counted(db: Kysely<Schema>, scope: Scope): Promise<number> {
  const own = sql`(select coalesce(sum(zones), 0) from projects where ${inScope(scope)})`;
  const { rows } = await sql<{ total: number }>`select ${own} + ${receivedBy(scope)} as total`.execute(db);
  return Number(rows[0]!.total);
}

/** Maximum number of a project's zones to search without the name index. */
const FEW_OF_PROJECT = 100_000;

function searchedNames(
  { name }: ZoneQuery['filters'],
  scope: Scope,
  dialect: Dialect,
): NameSearch | undefined {
  if (name === undefined || !hasWildcard(name)) return undefined;
  const search = dialect.searchNames(name, matchesName('zones.name', name));
  if (search === undefined || scope === 'all projects') return search;
  const isLarge = sql`(select zones from projects where project_id = ${scope.projectId}) > ${FEW_OF_PROJECT}`;
  return { ...search, count: (most) => sql`case when ${isLarge} then ${search.count(most)} end` };
}

export const ZONES: Listing<ZoneQuery, Scope, ZoneRow, Zone> = {
  table: 'zones',
  joined: { join: ZONE_JOINS, columns: ZONE_STATE },
  order: {
    created_at: ['created_at'],
    updated_at: ['updated_at'],
    id: [],
    name: ['name'],
    tenant_id: ['project_id'],
    serial: ['serial'],
    ttl: ['ttl'],
    status: [{ expression: ZONE_STATUS, of: ({ current_status }) => current_status }],
  },
  indexed: ['created_at'],
  alwaysTaken: ['name'],
  filters: {
    name: nameFilterOn('zones.name'),
    email: filterOn('zones.email'),
    status: hasStatus,
    description: filterOn('zones.description'),
    ttl: filterOn(sql`cast(zones.ttl as text)`),
    type: filterOn('zones.type'),
    shared: filterOn(sql`case ${IS_SHARED} when 1 then 'true' else 'false' end`),
  },
  within: (scope) => inScope(scope, 'zones.project_id'),
  withinSlots: {
    kindOf: (scope) => (scope === 'all projects' ? scope : 'project'),
    slots: (first, slot) =>
      first === 'all projects' ? first : { projectId: slot((scope) => (scope as typeof first).projectId) },
  },
  also: sharedZones,
  search: searchedNames,
  lookUp(db, { name, ...others }, scope) {
    if (name === undefined || hasWildcard(name) || Object.keys(others).length > 0) return undefined;
    return zoneByName(db, filteredName(name), scope);
  },
  fromRow: zoneFromRow,
  counted,
  size: sql`length(zones.attributes)`,
};
