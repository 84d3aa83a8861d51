import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Scope } from '../../model/access/scope.ts';
import { hasWildcard } from '../../model/name-filter.ts';
import type { Zone, ZoneQuery } from '../../model/zones/zone.ts';
import type { Dialect } from '../database/dialect.ts';
import type { NameSearch } from '../database/name-search.ts';
import { prepared } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';
import { filterOn, inScope, matchesName, nameFilterOn } from '../lists/list-conditions.ts';
import type { Listing } from '../lists/listing.ts';
import { rowTextsOf } from '../lists/row-texts.ts';
import { zonesByIndex } from '../lists/zone-limits.ts';
import { IS_SHARED, receivedBy, sharedZones } from '../shares.ts';
import {
  hasStatus,
  type ListedZoneRow,
  ZONE_COLUMNS,
  ZONE_JOINS,
  ZONE_STATE,
  ZONE_STATUS,
  zoneFromRow,
} from './rows.ts';
import { zoneByName } from './zone-by-key.ts';

const countIn = (scope: Scope) =>
  sql<{ total: number }>`select (select coalesce(sum(zones), 0) from projects where ${inScope(scope)})
    + ${receivedBy(scope)} as total`;
const countOfAll = prepared(() => countIn('all projects'));
const countOfProject = prepared<string, { total: number }>((_, slot) =>
  countIn({ projectId: slot((projectId) => projectId) }),
);

async function counted(db: Kysely<Schema>, scope: Scope): Promise<number> {
  const query = scope === 'all projects' ? countOfAll(db, undefined) : countOfProject(db, scope.projectId);
  return Number((await db.executeQuery(query)).rows[0]!.total);
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

/** With an index on other columns for the limits of a scope, the one on the project must not be used. */
function zonesIn(scope: Scope): RawBuilder<boolean> {
  const limits = zonesByIndex(scope);
  if (limits === undefined || scope === 'all projects') return inScope(scope, 'zones.project_id');
  return sql`(coalesce(zones.project_id, '') = ${scope.projectId} and ${limits})`;
}

export const ZONES: Listing<ZoneQuery, Scope, ListedZoneRow, Zone> = {
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
  within: zonesIn,
  withinSlots: {
    kindOf: (scope) => (scope === 'all projects' ? scope : 'project'),
    slots: (first, slot) =>
      first === 'all projects' ? first : { projectId: slot((scope) => (scope as typeof first).projectId) },
  },
  also: sharedZones,
  search: searchedNames,
  async lookUp(db, { name, type }, scope) {
    const zones = await zoneByName(db, name, scope);
    return type === undefined ? zones : zones.filter((zone) => zone.type === type);
  },
  fromRow: zoneFromRow,
  texts: rowTextsOf<ListedZoneRow>(ZONE_COLUMNS),
  counted,
  size: sql`length(zones.attributes)`,
};
