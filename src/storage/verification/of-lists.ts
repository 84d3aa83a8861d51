import { type Kysely, sql } from 'kysely';
import type { VerificationReads } from '../../model/verification/stored.ts';
import { HOLDS, ofList } from '../blacklists/visibility.ts';
import type { Schema } from '../database/schema.ts';
import { lockNameRules } from '../zones/name-gates.ts';

const PAGE = 1000;

/** True if a blacklist is held by a list or by hand. */
export const IS_HELD = sql<unknown>`(by_hand = 1 or exists (
  select 1 from blacklist_holders where blacklist_holders.blacklist_id = blacklists.id))`;

async function countHeld(db: Kysely<Schema>, name: string): Promise<number> {
  const held = db.selectFrom('blacklist_holders').where(ofList(name)).where(HOLDS);
  const { total } = await held
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** Counts the blacklists of a list while changes to blacklists are locked, and corrects its counter. */
export async function recountList(db: Kysely<Schema>, name: string): Promise<void> {
  await lockNameRules(db);
  const entries = await countHeld(db, name);
  await db.updateTable('blacklist_lists').set({ entries }).where('name', '=', name).execute();
}

export function listReads(
  db: Kysely<Schema>,
): Pick<VerificationReads, 'blacklistHolders' | 'blacklistLists'> {
  return {
    async blacklistHolders(after) {
      const { rows } = await sql<{
        key: string;
        list: string;
        blacklist_id: string;
        has_blacklist: unknown;
        has_list: unknown;
      }>`select key, list, blacklist_id,
          exists (select 1 from blacklists where blacklists.id = blacklist_holders.blacklist_id) as has_blacklist,
          not (${HOLDS}) or exists (
            select 1 from blacklist_lists where blacklist_lists.name = blacklist_holders.list) as has_list
        from blacklist_holders where key > ${after?.key ?? ''}
        order by key limit ${sql.lit(PAGE)}`.execute(db);
      return rows.map((row) => ({
        key: row.key,
        list: row.list,
        blacklistId: row.blacklist_id,
        hasBlacklist: Boolean(row.has_blacklist),
        hasList: Boolean(row.has_list),
      }));
    },

    async blacklistLists() {
      const lists = await db.selectFrom('blacklist_lists').selectAll().orderBy('name').execute();
      const found = [];
      for (const { name, entries } of lists)
        found.push({ name, entries, counted: await countHeld(db, name) });
      return found;
    },
  };
}
