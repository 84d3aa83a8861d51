import type { Kysely } from 'kysely';
import { canonicalName, type Fqdn } from '../../dns/names.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { ZoneAtName } from '../../model/zones/store.ts';
import { cooperativeYield } from '../../runtime/cooperative-yield.ts';
import type { Schema } from '../database/schema.ts';
import { isAmong } from '../lists/list-conditions.ts';
import { preparedList } from '../lists/prepared-list.ts';
import { zoneCheckIn } from '../lists/zone-limits.ts';
import { zonesSeenBy } from '../shares.ts';

const NAMES_OF_A_QUERY = 512;

const named = preparedList<string, { readonly name: string }>((db, names) =>
  db.selectFrom('zones').select('name').where('name', 'in', names),
);

/** The names that a zone has, in batches; yields between them. */
export async function findNamesAmong(
  db: Kysely<Schema>,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (let start = 0; start < names.length; start += NAMES_OF_A_QUERY) {
    if (start > 0) await cooperativeYield();
    const { rows } = await db.executeQuery(named(db, names.slice(start, start + NAMES_OF_A_QUERY)));
    for (const { name } of rows) found.add(name);
  }
  return found;
}

/** The zones with these names that a scope sees. */
export async function findSeenAmong(
  db: Kysely<Schema>,
  names: readonly Fqdn[],
  scope: Scope,
): Promise<readonly ZoneAtName[]> {
  const rows = await db
    .selectFrom('zones')
    .select(['id', 'name'])
    .where(isAmong(db, 'zones.name', names))
    .where(zonesSeenBy(scope))
    .execute();
  const zones = rows.map(({ id, name }) => ({ id, name: canonicalName<Fqdn>(name) }));
  const check = zoneCheckIn(scope);
  return check === undefined ? zones : zones.filter(check);
}
