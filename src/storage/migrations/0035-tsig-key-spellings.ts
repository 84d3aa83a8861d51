import type { Kysely } from 'kysely';
import type { Dialect } from '../database/dialect.ts';

/** The names of TSIG keys as they were sent. Null where that is the name itself. */
export async function tsigKeySpellings(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await db.schema.alterTable('tsig_keys').addColumn('spelling', text).execute();
}
