import { type Kysely, type RawBuilder, sql } from 'kysely';
import { cooperativeYield } from '../../runtime/cooperative-yield.ts';
import type { Schema } from '../database/schema.ts';

/** Number of names in a batch. */
const NAMES_OF_A_BATCH = 200;

/** All recordsets of a zone, as conditions that each select one batch. Yields to the event loop between batches. */
export async function* batchesOfZone(
  db: Kysely<Schema>,
  zoneId: string,
): AsyncGenerator<RawBuilder<boolean>, void> {
  for (let after = ''; ; ) {
    const last = await db
      .selectFrom('recordsets')
      .select('subtree_key')
      .where('zone_id', '=', zoneId)
      .where('subtree_key', '>', after)
      .orderBy('subtree_key')
      .offset(NAMES_OF_A_BATCH - 1)
      .limit(1)
      .executeTakeFirst();
    const upTo = last === undefined ? sql`true` : sql`subtree_key <= ${last.subtree_key}`;
    yield sql<boolean>`(zone_id = ${zoneId} and subtree_key > ${after} and ${upTo})`;
    if (last === undefined) return;
    after = last.subtree_key;
    await cooperativeYield();
  }
}
