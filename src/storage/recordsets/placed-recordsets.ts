/** Recordsets by their ids, with the zones that they are in. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { canonicalName, type OwnerName } from '../../dns/names.ts';
import { limitsInZone, type Scope } from '../../model/access/scope.ts';
import type { Schema } from '../database/schema.ts';
import { shareScopeIn, zonesSeenBy } from '../shares.ts';
import { type FilterScope, recordsetsWithin } from './filters.ts';
import { everyAllowsReading, isWithin } from './read-limits.ts';

async function findPlaced(db: Kysely<Schema>, id: string, condition: RawBuilder<boolean>) {
  const row = await db
    .selectFrom('recordsets')
    .innerJoin('zones', 'zones.id', 'recordsets.zone_id')
    .select([
      'zones.id as zoneId',
      'zones.name as zoneName',
      'zones.project_id as owner',
      'recordsets.name',
      'recordsets.type',
    ])
    .where('recordsets.id', '=', id)
    .where(condition)
    .executeTakeFirst();
  return row && { ...row, name: canonicalName<OwnerName>(row.name) };
}

/** The zone of a recordset that a scope lets read. */
export async function findZoneOf(db: Kysely<Schema>, id: string, scope: Scope): Promise<string | undefined> {
  const found = await findPlaced(db, id, sql<boolean>`${zonesSeenBy(scope)}`);
  if (found === undefined) return undefined;
  const shareScope = await shareScopeIn(db, scope, found);
  const isReadable =
    shareScope !== undefined && everyAllowsReading(limitsInZone(scope, { shareScope }), found);
  return isReadable ? found.zoneId : undefined;
}

/** Whether a list has a recordset with this id. */
export async function isListed(db: Kysely<Schema>, id: string, within: FilterScope): Promise<boolean> {
  const found = await findPlaced(db, id, recordsetsWithin(within));
  return found !== undefined && isWithin(within, found);
}
