import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database/dialect.ts';

/**
 * Protected zones and recordsets, and the embedded database's index of protected recordsets. For PostgreSQL, the running
 * service creates the index.
 */
export async function protection(db: Kysely<unknown>, { kind, text }: Dialect): Promise<void> {
  for (const table of ['zones', 'recordsets']) {
    await db.schema
      .alterTable(table)
      .addColumn('protected', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema.alterTable(table).addColumn('protection_reason', text).execute();
  }
  if (kind === 'sqlite')
    await sql`create index recordsets_protected on recordsets (zone_id) where protected = 1`.execute(db);
}
