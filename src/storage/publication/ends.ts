/** Ends the publication of a zone. */
import { sql } from 'kysely';
import { canonicalName, type Fqdn } from '../../dns/names.ts';
import { formerOrderId } from '../../model/publication/publication.ts';
import type { PublicationWrites } from '../../model/publication/store.ts';
import type { OpenTransaction } from '../database/database.ts';
import { preparedList } from '../lists/prepared-list.ts';
import { keepInCatalog, leaveCatalog } from './catalog.ts';

type Ends = Pick<PublicationWrites, 'forgetUnseen' | 'orderRemoval' | 'forget' | 'formerSerials'>;

const former = preparedList<string, { readonly name: string; readonly serial: number }>((db, places) =>
  db.selectFrom('former_zones').select(['name', 'serial']).where('name', 'in', places),
);

export function publicationEnds({ now: db, later }: OpenTransaction): Ends {
  return {
    async forgetUnseen(zoneId) {
      const unseen = await db
        .deleteFrom('publications')
        .where('zone_id', '=', zoneId)
        .where('joining', '=', 1)
        .where('published_serial', 'is', null)
        // The zone is getting a new label: servers know it by its previous one.
        .where(
          sql<boolean>`not exists (select 1 from catalog_members where zone_id = ${zoneId} and to_serial <= 0)`,
        )
        // Servers of the pool that the zone is leaving know it.
        .where(sql<boolean>`not exists (select 1 from publications where zone_id = ${formerOrderId(zoneId)})`)
        .returning('zone_id')
        .executeTakeFirst();
      if (unseen !== undefined) return true;
      const known = db.selectFrom('publications').select('zone_id').where('zone_id', '=', zoneId);
      return (await known.executeTakeFirst()) === undefined;
    },

    orderRemoval(zoneId, now) {
      const changed = { removal: 1, joining: 0, attempts: 0, due_at: now, pending_since: now, error: '' };
      const ids = [zoneId, formerOrderId(zoneId)];
      later(
        db
          .updateTable('publications')
          .set({ ...changed, moving: '' })
          .where('zone_id', 'in', ids),
      );
      later(db.deleteFrom('zone_journal').where('zone_id', '=', zoneId));
      for (const id of ids) later(leaveCatalog(db, id));
    },

    forget({ id, name, pool, projectId, serial }, goneAt, namesOfProject, stays) {
      const row = { pool_id: stays ? '' : pool.id, project_id: projectId, serial, gone_at: goneAt };
      later(
        sql`insert into former_zones (name, pool_id, project_id, serial, gone_at)
          select cast(${name} as text), cast(${row.pool_id} as text), cast(${projectId} as text), cast(${serial} as bigint),
            cast(${goneAt} as text) from publications where zone_id = ${id}
          on conflict (name) do update set pool_id = ${row.pool_id}, project_id = ${row.project_id},
            serial = ${row.serial}, gone_at = ${row.gone_at}`.compile(db),
      );
      later(
        sql`delete from former_zones where project_id = ${projectId} and gone_at < (
          select gone_at from former_zones where project_id = ${projectId}
          order by gone_at desc limit 1 offset ${namesOfProject - 1})`.compile(db),
      );
      const ids = [id, formerOrderId(id)];
      for (const table of ['zone_journal', 'transferred_serials', 'publications'] as const) {
        later(db.deleteFrom(table).where('zone_id', 'in', ids));
      }
      // After the orders: by then, a catalog batch that has just added the zone has ended.
      for (const one of ids) later(stays ? keepInCatalog(db, one, name) : leaveCatalog(db, one));
    },

    async formerSerials(names) {
      const { rows } = await db.executeQuery(former(db, names));
      return new Map(rows.map(({ name, serial }) => [canonicalName<Fqdn>(name), serial]));
    },
  };
}
