/** Zones that were deleted, and can be restored. */
import { type Kysely, sql } from 'kysely';
import type { Scope } from '../../model/access/scope.ts';
import type { DeletedZone, DeletedZoneQuery } from '../../model/deleted-zones/deleted-zone.ts';
import type { DeletedZoneReads, DeletedZoneWrites } from '../../model/deleted-zones/store.ts';
import type { DatabaseReads, OpenTransaction } from '../database/database.ts';
import { dialectOf } from '../database/dialect.ts';
import type { Schema } from '../database/schema.ts';
import { historyForgotten } from '../history/forgotten.ts';
import { filterOn, inScope, nameFilterOn } from '../lists/list-conditions.ts';
import { type Listing, listsOf } from '../lists/lists.ts';
import { narrowedLists } from '../lists/narrowed.ts';
import { zoneCheckIn } from '../lists/zone-limits.ts';
import { deletedContents, forgetContents, partId } from './contents.ts';
import { type DeletedZoneRow, deletedZoneFromRow, keptZoneFromRow, toDeletedZoneRow } from './rows.ts';
import { deletedZoneUpkeep } from './upkeep.ts';

/** Former zones of one name whose serials count. */
const NAMESAKES = 100;

const DELETED_ZONES: Listing<DeletedZoneQuery, Scope, DeletedZoneRow, DeletedZone> = {
  table: 'deleted_zones',
  order: { deleted_at: ['deleted_at'], id: [], name: ['name'] },
  indexed: ['deleted_at'],
  alwaysTaken: ['name'],
  filters: { name: nameFilterOn('deleted_zones.name'), type: filterOn('deleted_zones.type') },
  within: (scope) => inScope(scope, 'deleted_zones.project_id'),
  fromRow: deletedZoneFromRow,
  size: sql`length(deleted_zones.zone)`,
};

function entry(db: Kysely<Schema>, id: string, scope: Scope) {
  return db.selectFrom('deleted_zones').selectAll().where('id', '=', id).where(inScope(scope));
}

function seen<R extends { readonly id: string; readonly name: string }>(
  row: R | undefined,
  scope: Scope,
): R | undefined {
  return row !== undefined && zoneCheckIn(scope)?.(row) !== false ? row : undefined;
}

export function deletedZoneReads(reads: DatabaseReads): DeletedZoneReads {
  const lists = listsOf(reads, DELETED_ZONES);
  const isSeen = async (id: string, scope: Scope) =>
    seen(await entry(reads.reader, id, scope).executeTakeFirst(), scope) !== undefined;
  return {
    ...lists,
    list: narrowedLists(lists.list, {
      narrowingOf(scope) {
        const check = zoneCheckIn(scope);
        return check && ((zones) => zones.filter(check));
      },
      has: isSeen,
    }),
    contents: deletedContents(reads.longReads),

    async find(id, scope) {
      const row = seen(await entry(reads.reader, id, scope).executeTakeFirst(), scope);
      return row && keptZoneFromRow(row);
    },
  };
}

export function deletedZoneWrites(tx: OpenTransaction): DeletedZoneWrites {
  const { now: db, later } = tx;
  return {
    contents: deletedContents(() => db),
    ...deletedZoneUpkeep(tx),

    insert(zone, bytes) {
      // Another service's zone may have been taken over with its id, after one with that id was deleted.
      const earlier = db.selectFrom('deleted_zones').select('contents_id').where('id', '=', zone.id);
      later(
        db
          .insertInto('forgotten_contents')
          .columns(['contents_id'])
          .expression(earlier)
          .onConflict((conflict) => conflict.doNothing()),
      );
      const { id, ...columns } = toDeletedZoneRow(zone, bytes);
      later(
        db
          .insertInto('deleted_zones')
          .values({ id, ...columns })
          .onConflict((conflict) => conflict.column('id').doUpdateSet(columns)),
      );
    },

    insertContents: (contentsId, number, part) =>
      later(db.insertInto('deleted_contents').values({ id: partId(contentsId, number), part })),

    async lock(id, scope) {
      const query = entry(db, id, scope).modifyEnd(dialectOf(db).forUpdate);
      const row = seen(await query.executeTakeFirst(), scope);
      return row && keptZoneFromRow(row);
    },

    async serialsOf(name) {
      const rows = await db
        .selectFrom('deleted_zones')
        .select('serial')
        .where('name', '=', name)
        .orderBy('deleted_at', 'desc')
        .limit(NAMESAKES)
        .execute();
      return rows.map(({ serial }) => serial);
    },

    remove({ id, contentsId }) {
      later(db.deleteFrom('deleted_zones').where('id', '=', id));
      forgetContents(tx, contentsId);
    },

    forget({ id, contentsId }) {
      later(db.deleteFrom('deleted_zones').where('id', '=', id));
      forgetContents(tx, contentsId);
      later(historyForgotten(db, id));
    },
  };
}
