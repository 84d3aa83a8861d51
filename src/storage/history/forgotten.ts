import { type Kysely, sql } from 'kysely';
import type { Schema } from '../database/schema.ts';

/** Leaves the changes of a zone to the upkeep, unless there is still such a zone, or it can be restored. */
export function historyForgotten(db: Kysely<Schema>, zoneId: string) {
  return sql`insert into forgotten_histories (zone_id) select cast(${zoneId} as text)
    where not exists (select 1 from zones where id = ${zoneId})
      and not exists (select 1 from deleted_zones where id = ${zoneId})
    on conflict (zone_id) do nothing`.compile(db);
}
