import type { Kysely } from 'kysely';
import type { Dialect } from '../database/dialect.ts';

/** The timers of zones that have their own. */
export async function soaTimers(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await db.schema.alterTable('zones').addColumn('soa', text).execute();
}
