import { type Kysely, sql } from 'kysely';
import { prepared } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';
import { inScope } from '../lists/list-conditions.ts';
import { countAbroad } from '../shares.ts';
import type { FilterScope } from './filters.ts';

const ofZone = prepared<string, { readonly recordsets: number }>((db, slot) =>
  db
    .selectFrom('zones')
    .select('recordsets')
    .where(sql<boolean>`id = ${slot((id) => id)}`)
    .where('action', '<>', 'DELETE'),
);

/**
 * Counts recordsets from the counters. These leave out each zone's SOA and NS, and count by the zone's owner; a zone
 * being deleted shows no recordsets.
 */
export async function countRecordsets(db: Kysely<Schema>, within: FilterScope): Promise<number> {
  if (within !== 'all projects' && 'zoneId' in within) {
    const { rows } = await db.executeQuery(ofZone(db, within.zoneId));
    return (rows[0]?.recordsets ?? -2) + 2;
  }
  const { own, zones } = await db
    .selectFrom('projects')
    .select(({ fn }) => [
      fn.sum<number | null>('recordsets').as('own'),
      fn.sum<number | null>('zones').as('zones'),
    ])
    .where(inScope(within))
    .executeTakeFirstOrThrow();
  const { leaving } = await db
    .selectFrom('zones')
    .select(({ fn }) => fn.countAll<number>().as('leaving'))
    .where('action', '=', 'DELETE')
    .where(inScope(within))
    .executeTakeFirstOrThrow();
  const abroad = within === 'all projects' ? 0 : await countAbroad(db, within.projectId);
  return Number(own ?? 0) + 2 * (Number(zones ?? 0) - Number(leaving)) + abroad;
}
