/** Changes the terms of all entries of a list. */
import { type Kysely, sql } from 'kysely';
import type { Terms } from '../../model/blacklists/blacklist.ts';
import type { Raise } from '../blacklists/revisions.ts';
import { termColumns } from '../blacklists/rows.ts';
import { IS_THERE, isHeldBy } from '../blacklists/visibility.ts';
import type { OpenTransaction } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';

/** The entries of a list whose terms differ from the given ones. */
function differing(list: string, { mode, expiresAt }: Partial<Terms>) {
  const isOther = sql.join(
    [
      ...(mode === undefined ? [] : [sql`mode <> ${mode}`]),
      ...(expiresAt === undefined ? [] : [sql`expires_at <> ${expiresAt ?? ''}`]),
    ],
    sql` or `,
  );
  return sql`blacklists where ${isHeldBy(list)} and ${IS_THERE} and (${isOther})`;
}

interface Change {
  readonly list: string;
  readonly terms: Pick<Partial<Terms>, 'mode' | 'expiresAt'>;
  readonly updatedAt: string;
}

/** The columns that the statement sets in each entry. */
function settings({ terms: { mode, expiresAt }, updatedAt }: Change) {
  const { expires_at } = termColumns({ mode: 'enforce', expiresAt: expiresAt ?? null, exceptions: [] });
  return sql.join([
    sql`number = ranked.rank`,
    sql`updated_at = ${updatedAt}`,
    ...(mode === undefined ? [] : [sql`mode = ${mode}`]),
    ...(expiresAt === undefined
      ? []
      : [
          sql`expires_at = ${expires_at}, ended = case when expires_at = ${expires_at} then ended else 0 end`,
        ]),
  ]);
}

/** The list's own count of its entries. */
async function entriesOf(db: Kysely<Schema>, list: string): Promise<number> {
  const query = db.selectFrom('blacklist_lists').select('entries').where('name', '=', list);
  return (await query.executeTakeFirst())?.entries ?? 0;
}

/**
 * Removes the entries from every index under their present numbers, and adds them under new ones.
 * @returns the number of changed entries
 */
export async function setTerms(tx: OpenTransaction, raise: Raise, change: Change): Promise<number> {
  const { now: db } = tx;
  tx.expect({ rows: await entriesOf(db, change.list), bytes: 0 });
  const those = differing(change.list, change.terms);
  const { rows } = await sql<{ total: number }>`select count(*) as total from ${those}`.execute(db);
  const total = Number(rows[0]!.total);
  if (total === 0) return 0;
  const first = await raise(2 * total);
  await sql`insert into blacklist_removals (revision, number, pattern, enforced, conditional)
    select ${first - 1} + row_number() over (order by number), number, pattern,
      case when mode = 'enforce' then 1 else 0 end,
      case when expires_at <> '' or exceptions <> '[]' then 1 else 0 end
    from ${those} and ended = 0`.execute(db);
  await sql`update blacklists set ${settings(change)}
    from (select id, ${first + total - 1} + row_number() over (order by number) as rank from ${those}) as ranked
    where blacklists.id = ranked.id`.execute(db);
  return total;
}
