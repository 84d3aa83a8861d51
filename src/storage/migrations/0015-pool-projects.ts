import type { Kysely } from 'kysely';
import type { Dialect } from '../database/dialect.ts';

/** The project for which a pool was created. */
export async function poolProjects(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await db.schema.alterTable('pools').addColumn('project_id', text).execute();
}
