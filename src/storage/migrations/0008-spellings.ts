import type { Kysely } from 'kysely';
import type { Dialect } from '../database/dialect.ts';

/**
 * The sent spelling of records whose canonical text differs. Programs that do not know the column leave it unchanged
 * when they change the records; spellings of other records are ignored.
 */
export async function spellings(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await db.schema.alterTable('recordsets').addColumn('spellings', text).execute();
}
