/** The reads of one transfer, all in one snapshot. */
import { type Kysely, sql } from 'kysely';
import { canonicalName, subtreeKey } from '../../dns/names.ts';
import type { Catalog, CatalogMember } from '../../model/publication/publication.ts';
import type { ZoneTransferReads } from '../../model/publication/store.ts';
import type { Schema } from '../database/schema.ts';
import { recordsetFromRow } from '../recordsets/rows.ts';
import { isKeptFrom } from './catalog.ts';
import { differencesSince } from './differences.ts';
import { findCatalog, findServed } from './rows.ts';

const RECORDSETS_OF_A_PAGE = 500;
const MEMBERS_OF_A_PAGE = 2000;
/** Wraps the label when few members match, so that databases do not scan all of them in label order. */
const FEW = sql<string>`label || ''`;

export function transferReads(db: Kysely<Schema>): ZoneTransferReads {
  async function members(
    { poolId }: Catalog,
    after: string,
    condition: ReturnType<typeof sql<boolean>>,
    label = sql<string>`label`,
  ): Promise<readonly CatalogMember[]> {
    const rows = await db
      .selectFrom('catalog_members')
      .select(['label', 'name'])
      .where('pool_id', '=', poolId)
      .where(condition)
      .where(label, '>', after)
      .orderBy(label)
      .limit(MEMBERS_OF_A_PAGE)
      .execute();
    return rows.map(({ label, name }) => ({ label, name: canonicalName(name) }));
  }

  return {
    served: (name) => findServed(db, name),

    async recordsets(zoneId, after) {
      let query = db.selectFrom('recordsets').selectAll().where('zone_id', '=', zoneId);
      if (after !== undefined) {
        query = query.where(sql<boolean>`(subtree_key, type) > (${subtreeKey(after.name)}, ${after.type})`);
      }
      const rows = await query.orderBy('subtree_key').orderBy('type').limit(RECORDSETS_OF_A_PAGE).execute();
      return rows.map(recordsetFromRow);
    },

    journal: ({ id, serial }, fromSerial) => differencesSince(db, { zoneId: id, fromSerial, serial }),

    catalog: (name) => findCatalog(db, name),

    members: (catalog, after) =>
      members(
        catalog,
        after,
        // A member with -1 waits for a batch: it is a member until then. The `+` keeps databases from the index by
        // serial: this query selects nearly all members, in label order.
        sql<boolean>`+from_serial <= ${catalog.serial} and (to_serial <= 0 or to_serial > ${catalog.serial})`,
      ),

    async knowsSince({ poolId, serial }, fromSerial) {
      const row = await db
        .selectFrom('pools')
        .select('catalog_kept_from')
        .where('id', '=', poolId)
        .executeTakeFirst();
      return row !== undefined && isKeptFrom(row.catalog_kept_from, fromSerial) && fromSerial <= serial;
    },

    left: (catalog, fromSerial, after) =>
      members(
        catalog,
        after,
        sql<boolean>`+from_serial <= ${fromSerial} and to_serial > ${fromSerial} and to_serial <> 0`,
        FEW,
      ),

    joined: (catalog, fromSerial, after) =>
      members(catalog, after, sql<boolean>`from_serial > ${fromSerial} and to_serial <= 0`, FEW),
  };
}
