import type { Kysely } from 'kysely';

/** The position of the events up to which the last whole look at all projects knows what has changed. */
export async function usagePositions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('usage_passes')
    .addColumn('position', 'bigint', (column) => column.notNull().defaultTo(-1))
    .execute();
}
