import { type Kysely, sql } from 'kysely';

/** Up to which position a receiver is to be told a gap instead of events, and events by request and by the name of their target. */
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
