import type { Kysely } from 'kysely';
import type { Flavour } from '../database/flavour.ts';

/** The project that a pool was made for. */
export async function poolProjects(db: Kysely<unknown>, { text }: Flavour): Promise<void> {
  await db.schema.alterTable('pools').addColumn('project_id', text).execute();
}
