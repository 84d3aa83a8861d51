import { type Kysely, sql } from 'kysely';

/** Finds the tokens of a project that have not expired. Those that never do come last. */
export async function unexpiredTokens(db: Kysely<unknown>): Promise<void> {
  await sql`create index api_tokens_unexpired on api_tokens
    (project_id, (case when expires_at = '' then '~' else expires_at end), id)`.execute(db);
}
