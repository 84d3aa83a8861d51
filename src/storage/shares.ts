import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import type { Scope } from '../model/access/scope.ts';
import type { Sharees } from '../model/changes/store.ts';
import { type ShareScope, shareScopeFrom } from '../model/scopes/share-scope.ts';
import type { Share, ShareQuery } from '../model/shares/share.ts';
import type { ShareReads, SharesWithin, ShareWrites } from '../model/shares/store.ts';
import type { DatabaseReads, OpenTransaction } from './database/database.ts';
import type { Dialect } from './database/dialect.ts';
import type { Schema } from './database/schema.ts';
import { filterOn, inScope, isAmong } from './lists/list-conditions.ts';
import { type Listing, listsOf } from './lists/lists.ts';

type ShareRow = Selectable<Schema['zone_shares']>;

const NO_LIMIT = 2 ** 31 - 1;
const NOTHING_NARROWED: ShareScope = {};

export const narrowsNothing = (scope: ShareScope): boolean => Object.keys(scope).length === 0;

export function shareFrom(row: ShareRow): Share {
  return {
    id: row.id,
    zoneId: row.zone_id,
    projectId: row.project_id,
    targetProjectId: row.target_project_id,
    recordsets: row.recordsets,
    createdAt: row.created_at,
    updatedAt: row.updated_at || null,
    scope: row.scope === '' ? undefined : JSON.parse(row.scope),
  };
}

function toRow(share: Share): ShareRow {
  return {
    id: share.id,
    zone_id: share.zoneId,
    project_id: share.projectId,
    target_project_id: share.targetProjectId,
    recordsets: share.recordsets,
    created_at: share.createdAt,
    updated_at: share.updatedAt ?? '',
    scope: share.scope === undefined ? '' : JSON.stringify(share.scope),
  };
}

function sharesWithin({ zoneId, scope }: SharesWithin): RawBuilder<boolean> {
  return sql`(zone_id = ${zoneId} and (${inScope(scope)} or ${inScope(scope, 'target_project_id')}))`;
}

const SHARES: Listing<ShareQuery, SharesWithin, ShareRow, Share> = {
  table: 'zone_shares',
  order: {
    created_at: ['created_at'],
    id: [],
    updated_at: ['updated_at'],
    target_project_id: ['target_project_id'],
  },
  indexed: ['created_at'],
  filters: { target_project_id: filterOn('target_project_id') },
  within: sharesWithin,
  fromRow: shareFrom,
};

/** The zones that a scope sees: its own, and those shared with it. For zones that are found by a key. */
export function zonesSeenBy(scope: Scope): RawBuilder<boolean> {
  if (scope === 'all projects') return sql`true`;
  return sql`(zones.project_id = ${scope.projectId} or exists (select 1 from zone_shares
    where zone_shares.zone_id = zones.id and zone_shares.target_project_id = ${scope.projectId}))`;
}

/**
 * The zones that are shared with the scope's project, found by their shares. The limit keeps PostgreSQL from reading
 * all zones in their order until it has found enough shared ones.
 */
export function sharedZones(scope: Scope) {
  if (scope === 'all projects') return undefined;
  const ids = sql`select zone_id from zone_shares where target_project_id = ${scope.projectId}`;
  // A join of more than some two hundred shares would read all zones.
  const from = (dialect: Dialect) =>
    sql`(select * from zones where ${dialect.isSelected(sql`id`, ids)} limit ${sql.lit(NO_LIMIT)}) as zones`;
  return { isAmong: zonesSeenBy(scope), from };
}

/**
 * 1 if a zone is shared with any project, otherwise 0. With `exists`, PostgreSQL might read all shares instead of the
 * zone's.
 */
export const IS_SHARED = sql<number>`case when (select 1 from zone_shares
  where zone_shares.zone_id = zones.id limit 1) is null then 0 else 1 end`;

/** The projects among some that a zone is shared with, and what each share narrows. */
export async function findSharees(
  db: Kysely<Schema>,
  zoneId: string,
  projectIds: readonly string[],
): Promise<Sharees> {
  const shares = db.selectFrom('zone_shares').select(['target_project_id', 'scope']);
  const rows = await shares
    .where('zone_id', '=', zoneId)
    .where(isAmong(db, 'target_project_id', projectIds))
    .execute();
  const scopeOf = (text: string): ShareScope => (text === '' ? {} : shareScopeFrom(JSON.parse(text)));
  return new Map(rows.map((row) => [row.target_project_id, scopeOf(row.scope)]));
}

/**
 * What a scope's share of a zone narrows.
 * @param owner the project of the zone
 * @returns an empty scope for the owner, and for a share that narrows nothing; undefined if the zone is not shared with the
 *   scope's project
 */
export async function shareScopeIn(
  db: Kysely<Schema>,
  scope: Scope,
  { zoneId, owner }: { readonly zoneId: string; readonly owner: string },
): Promise<ShareScope | undefined> {
  if (scope === 'all projects' || scope.projectId === owner) return NOTHING_NARROWED;
  return (await findSharees(db, zoneId, [scope.projectId])).get(scope.projectId);
}

/** Number of zones shared with the scope's project. */
export function receivedBy(scope: Scope): RawBuilder<number> {
  if (scope === 'all projects') return sql`0`;
  return sql`(select count(*) from zone_shares where target_project_id = ${scope.projectId})`;
}

/**
 * Number of the project's recordsets in other projects' zones, minus that of other projects' recordsets in its zones.
 */
export async function countAbroad(db: Kysely<Schema>, projectId: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`select
    coalesce((select sum(recordsets) from zone_shares where target_project_id = ${projectId}), 0)
    - coalesce((select sum(recordsets) from zone_shares where project_id = ${projectId} and recordsets > 0), 0)
    as total`.execute(db);
  return Number(rows[0]!.total);
}

async function findShare(db: Kysely<Schema>, id: string, within: SharesWithin): Promise<Share | undefined> {
  const query = db.selectFrom('zone_shares').selectAll().where('id', '=', id);
  const row = await query.where(sharesWithin(within)).executeTakeFirst();
  return row && shareFrom(row);
}

export function shareReads(reads: DatabaseReads): ShareReads {
  return { find: (id, within) => findShare(reads.reader, id, within), ...listsOf(reads, SHARES) };
}

export function shareWrites({ now: db, later }: OpenTransaction): ShareWrites {
  return {
    find: (id, within) => findShare(db, id, within),

    async counts(zoneId, targetProjectId) {
      const { rows } = await sql<{ given: number; received: number }>`select
        (select count(*) from zone_shares where zone_id = ${zoneId}) as given,
        (select count(*) from zone_shares where target_project_id = ${targetProjectId}) as received`.execute(
        db,
      );
      return { given: Number(rows[0]!.given), received: Number(rows[0]!.received) };
    },

    async isShared(zoneId) {
      const share = db.selectFrom('zone_shares').select('id').where('zone_id', '=', zoneId).limit(1);
      return (await share.executeTakeFirst()) !== undefined;
    },

    async insert(share) {
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('zone_shares')
        .values(toRow(share))
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows === 1n;
    },

    remove: (id) => later(db.deleteFrom('zone_shares').where('id', '=', id)),

    grow(zoneId, targetProjectId, recordsets) {
      later(
        db
          .updateTable('zone_shares')
          .set((eb) => ({ recordsets: eb('recordsets', '+', recordsets) }))
          .where('zone_id', '=', zoneId)
          .where('target_project_id', '=', targetProjectId),
      );
    },

    moveTo(zoneId, owner, now) {
      later(
        db.deleteFrom('zone_shares').where('zone_id', '=', zoneId).where('target_project_id', '=', owner),
      );
      const row = { project_id: owner, updated_at: now };
      later(db.updateTable('zone_shares').set(row).where('zone_id', '=', zoneId));
    },
  };
}
