import { type RawBuilder, sql } from 'kysely';
import { subtreeKey } from '../../dns/names.ts';
import { parseOwnerName } from '../../dns/owner-name.ts';
import type { Scope } from '../../model/access/scope.ts';
import { filteredName, hasWildcard } from '../../model/name-filter.ts';
import type { RecordsetQuery } from '../../model/recordsets/recordset.ts';
import type { RecordsetsOfZone } from '../../model/recordsets/store.ts';
import type { Dialect } from '../database/dialect.ts';
import { filterOn, matchesFilter, matchesName } from '../lists/list-conditions.ts';
import { zonesByIndex } from '../lists/zone-limits.ts';
import { RECORDSET_ACTION, RECORDSET_STATUS } from './rows.ts';

type Filters = RecordsetQuery['filters'];

/** A project, a zone, or everything. */
export type FilterScope = Scope | RecordsetsOfZone;

/** True if a record equals the text, in canonical form or as sent; `*` stands for any text. */
function holdsRecord(text: string, { jsonTexts, jsonMembers, timeCheck }: Dialect): RawBuilder<boolean> {
  const matches = matchesFilter(sql.ref('record.value'), text);
  const among = (texts: RawBuilder<unknown>, check: RawBuilder<unknown> | undefined) => {
    const isInTime = check === undefined ? sql`` : sql`${check} and `;
    return sql`exists (select 1 from ${texts} where ${isInTime}${matches})`;
  };
  const records = among(jsonTexts(sql.ref('recordsets.records')), timeCheck?.text);
  const spellings = among(jsonMembers(sql.ref('recordsets.spellings')), timeCheck?.member);
  return sql`(${records} or ${spellings})`;
}

function hasName(text: string): RawBuilder<boolean> {
  if (hasWildcard(text)) return matchesName('recordsets.name', text);
  const name = parseOwnerName(filteredName(text));
  // A text that is not a name matches nothing.
  if (!name.ok) return sql`false`;
  return sql`(recordsets.name = ${name.value} and recordsets.subtree_key = ${subtreeKey(name.value)})`;
}

export const RECORDSET_CONDITIONS = {
  name: hasName,
  // Not by an index: PostgreSQL might read and sort all recordsets of a zone, instead of a page of them in their order.
  type: filterOn(sql`coalesce(recordsets.type, '')`),
  ttl: filterOn(sql`cast(recordsets.ttl as text)`),
  data: holdsRecord,
  description: filterOn('recordsets.description'),
  status: filterOn(RECORDSET_STATUS),
  action: filterOn(RECORDSET_ACTION),
} satisfies Record<keyof Filters, (text: string, dialect: Dialect) => RawBuilder<boolean>>;

/**
 * The recordsets of one project, of one zone, or all. A name has few recordsets, so the query must use the index on
 * the name: wrapping the owner in an expression, for which there is no index, leaves the database no other choice.
 */
export function recordsetsWithin(within: FilterScope, filters: Filters = {}): RawBuilder<boolean> {
  if (within === 'all projects') return sql`true`;
  const limits = 'zoneId' in within ? undefined : zonesByIndex(within);
  const [column, owner] =
    'zoneId' in within ? ['recordsets.zone_id', within.zoneId] : ['recordsets.project_id', within.projectId];
  const isNamed = filters.name !== undefined && !hasWildcard(filters.name);
  if (limits !== undefined && !isNamed)
    return sql`(coalesce(${sql.ref(column!)}, '') = ${owner}
      and recordsets.zone_id in (select zones.id from zones where ${limits}))`;
  return isNamed ? sql`coalesce(${sql.ref(column!)}, '') = ${owner}` : sql`${sql.ref(column!)} = ${owner}`;
}
