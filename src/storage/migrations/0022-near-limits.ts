import type { Kysely } from 'kysely';
import type { Dialect } from '../database/dialect.ts';

/** The notified thresholds of limits: of the number of zones, and of the sizes of each zone. */
export async function nearLimits(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  for (const column of ['told_zones', 'told_zones_limit']) {
    await db.schema
      .alterTable('projects')
      .addColumn(column, 'bigint', (one) => one.notNull().defaultTo(0))
      .execute();
  }
  await db.schema
    .alterTable('zones')
    .addColumn('told', text, (one) => one.notNull().defaultTo(''))
    .execute();
}
