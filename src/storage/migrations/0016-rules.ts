import { type ColumnDataType, type Kysely, type RawBuilder, sql } from 'kysely';
import type { Dialect } from '../database/dialect.ts';

/** Modes, expiries, exceptions and hits of blacklists, and the traits of removed patterns in indexes. */
export async function rules(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  const add = (
    table: string,
    name: string,
    type: ColumnDataType | RawBuilder<unknown>,
    initial: string | number,
  ) =>
    db.schema
      .alterTable(table)
      .addColumn(name, type, (column) => column.notNull().defaultTo(initial))
      .execute();
  await add('blacklists', 'mode', text, 'enforce');
  await add('blacklists', 'expires_at', text, '');
  await add('blacklists', 'exceptions', text, '[]');
  await add('blacklists', 'ended', 'bigint', 0);
  for (const kind of ['refused', 'warned', 'audited']) await add('blacklists', `hits_${kind}`, 'bigint', 0);
  await add('blacklists', 'hits_at', text, '');
  await add('blacklist_removals', 'enforced', 'bigint', 1);
  await add('blacklist_removals', 'conditional', 'bigint', 0);
  // Empty at creation, so only creates of blacklists wait for it.
  await sql`create index blacklists_expiring on blacklists (expires_at, id)
    where expires_at <> '' and ended = 0`.execute(db);
}
