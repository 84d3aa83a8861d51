import type { Kysely } from 'kysely';
import type { Dialect } from '../database/dialect.ts';

/** What API tokens of members have: scopes, the tokens that created them, and their use. */
export async function tokenScopes(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  const texts = ['own_roles', 'scope', 'ancestors', 'last_used_at', 'last_used_from'];
  const numbers = ['max_unused', 'counted'];
  for (const name of texts)
    await db.schema
      .alterTable('api_tokens')
      .addColumn(name, text, (column) => column.notNull().defaultTo(''))
      .execute();
  for (const name of numbers)
    await db.schema
      .alterTable('api_tokens')
      .addColumn(name, 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  await db.schema
    .createIndex('api_tokens_project')
    .on('api_tokens')
    .columns(['project_id', 'created_at', 'id'])
    .execute();
}
