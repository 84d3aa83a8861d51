import type { Kysely } from 'kysely';
import type { Flavour } from '../database/flavour.ts';

/**
 * How records were sent that have another canonical text. Programs that do not know the column leave it behind when they
 * change the records: what it says about other records is not looked at.
 */
export async function spellings(db: Kysely<unknown>, { text }: Flavour): Promise<void> {
  await db.schema.alterTable('recordsets').addColumn('spellings', text).execute();
}
