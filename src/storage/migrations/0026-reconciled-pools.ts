import type { Kysely } from 'kysely';
import type { Flavour } from '../database/flavour.ts';

/** How far the zones of each pool have the orders that they should have. */
export async function reconciledPools(db: Kysely<unknown>, { text }: Flavour): Promise<void> {
  for (const column of ['reconciled_for', 'reconciled_to']) {
    await db.schema.alterTable('pools').addColumn(column, text).execute();
  }
}
