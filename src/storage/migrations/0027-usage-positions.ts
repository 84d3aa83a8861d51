import type { Kysely } from 'kysely';

/** The position of the last event that the last full aggregation includes. */
export async function usagePositions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('usage_passes')
    .addColumn('position', 'bigint', (column) => column.notNull().defaultTo(-1))
    .execute();
}
