import type { Kysely } from 'kysely';
import type { Flavour } from '../database/flavour.ts';

/** What each API token is for. */
export async function tokenDescriptions(db: Kysely<unknown>, { text }: Flavour): Promise<void> {
  await db.schema.alterTable('api_tokens').addColumn('description', text).execute();
}
