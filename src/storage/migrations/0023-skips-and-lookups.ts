import { type Kysely, sql } from 'kysely';

/**
 * The position up to which a webhook reports a gap instead of events; indexes of events by request, and by the
 * target's name.
 */
export async function skipsAndLookups(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('webhooks')
    .addColumn('skip_to', sql`bigint`, (column) => column.notNull().defaultTo(0))
    .execute();
  for (const column of ['request_id', 'target_name']) {
    const index = db.schema.createIndex(`events_${column}s`).on('events');
    await index.columns([column, 'position']).execute();
  }
}
