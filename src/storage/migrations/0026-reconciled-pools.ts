import type { Kysely } from 'kysely';
import type { Dialect } from '../database/dialect.ts';

/** The progress of reconciling the orders of each pool's zones. */
export async function reconciledPools(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  for (const column of ['reconciled_for', 'reconciled_to']) {
    await db.schema.alterTable('pools').addColumn(column, text).execute();
  }
}
