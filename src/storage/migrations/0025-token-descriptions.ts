import type { Kysely } from 'kysely';
import type { Dialect } from '../database/dialect.ts';

/** The purpose of each API token. */
export async function tokenDescriptions(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await db.schema.alterTable('api_tokens').addColumn('description', text).execute();
}
