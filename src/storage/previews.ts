import { type Kysely, type Selectable, sql } from 'kysely';
import { canonicalName } from '../dns/names.ts';
import type { Preview, PreviewZone, PreviewZoneQuery } from '../model/previews/preview.ts';
import type { Holder, PreviewReads, PreviewWrites } from '../model/previews/store.ts';
import type { DatabaseReads, OpenTransaction } from './database/database.ts';
import type { Schema } from './database/schema.ts';
import { filterOn, inScope } from './lists/list-conditions.ts';
import { type Listing, listsOf } from './lists/lists.ts';

type PreviewRow = Selectable<Schema['previews']>;
type PreviewZoneRow = Selectable<Schema['preview_zones']>;

/** Maximum number of rows in one statement. */
const BATCH = 500;
/** Older than any other end, so that the preview is removed first. */
const LONG_AGO = '0';
const HIDDEN = { status: 'CANCELLED', ended_at: LONG_AGO, running_for: null, holder: '' } as const;

function fromRow(row: PreviewRow): Preview {
  return {
    id: row.id,
    projectId: row.project_id,
    pattern: row.pattern,
    mode: row.mode,
    blacklistId: row.blacklist_id || null,
    status: row.status,
    message: row.message || null,
    faults: JSON.parse(row.faults),
    warnings: JSON.parse(row.warnings),
    total: row.total,
    seen: row.seen,
    matched: row.matched,
    undecided: row.undecided,
    kept: row.kept,
    position: { createdAt: row.at_created, id: row.at_id },
    createdAt: row.created_at,
    updatedAt: row.updated_at || null,
    endedAt: row.ended_at || null,
  };
}

function toRow(preview: Preview): PreviewRow {
  const { total, seen, matched, undecided, kept, position } = preview;
  return {
    id: preview.id,
    project_id: preview.projectId,
    pattern: preview.pattern,
    mode: preview.mode,
    blacklist_id: preview.blacklistId ?? '',
    status: preview.status,
    message: preview.message ?? '',
    faults: JSON.stringify(preview.faults),
    warnings: JSON.stringify(preview.warnings),
    ...{ total, seen, matched, undecided, kept },
    at_created: position.createdAt,
    at_id: position.id,
    created_at: preview.createdAt,
    updated_at: preview.updatedAt ?? '',
    ended_at: preview.endedAt ?? '',
    running_for: preview.endedAt === null ? preview.projectId : null,
    holder: '',
    held_until: '',
  };
}

const ZONES: Listing<PreviewZoneQuery, string, PreviewZoneRow, PreviewZone> = {
  table: 'preview_zones',
  order: { name: ['name'], id: [] },
  indexed: ['name', 'id'],
  filters: { project_id: filterOn('project_id') },
  within: (preview) => sql`preview_id = ${preview}`,
  fromRow: ({ id, name, project_id, undecided }) => ({
    id,
    name: canonicalName(name),
    projectId: project_id,
    isUndecided: undecided === 1,
  }),
};

export function previewReads(reads: DatabaseReads): PreviewReads {
  const { reader: db, longReads } = reads;
  return {
    list: listsOf(reads, ZONES).list,

    async find(id, scope) {
      const query = db.selectFrom('previews').selectAll().where('id', '=', id);
      const row = await query.where(inScope(scope)).where('status', '<>', 'CANCELLED').executeTakeFirst();
      return row && fromRow(row);
    },

    async waiting(now, limit) {
      const rows = await db
        .selectFrom('previews')
        .select('id')
        .where('ended_at', '=', '')
        .where('held_until', '<=', now)
        .orderBy('held_until')
        .orderBy('created_at')
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },

    async outdated(endedBefore) {
      const row = await db
        .selectFrom('previews')
        .select('id')
        .where('ended_at', '>', '')
        .where('ended_at', '<', endedBefore)
        .orderBy('ended_at')
        .limit(1)
        .executeTakeFirst();
      return row?.id;
    },

    async existing({ createdAt, id }, createdBy, limit, onBehalfOf) {
      const { rows } = await sql<{ id: string; name: string; project_id: string; created_at: string }>`
        select id, name, project_id, created_at from zones
        where (created_at, id) > (${createdAt}, ${id}) and created_at <= ${createdBy}
        order by created_at, id limit ${sql.lit(limit)}`.execute(longReads(onBehalfOf));
      return rows.map((row) => ({
        id: row.id,
        name: canonicalName(row.name),
        projectId: row.project_id,
        createdAt: row.created_at,
      }));
    },

    async countZones(onBehalfOf) {
      const { rows } = await sql<{ total: number }>`
        select coalesce(sum(zones), 0) as total from projects`.execute(longReads(onBehalfOf));
      return Number(rows[0]!.total);
    },
  };
}

/** Hides the project's ended previews, except the newest. */
function hidingOld(db: Kysely<Schema>, projectId: string, newest: number) {
  const kept = db
    .selectFrom('previews')
    .select('id')
    .where('project_id', '=', projectId)
    .where('status', '<>', 'CANCELLED')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(newest);
  return db
    .updateTable('previews')
    .set(HIDDEN)
    .where('project_id', '=', projectId)
    .where('status', '<>', 'CANCELLED')
    .where('running_for', 'is', null)
    .where('id', 'not in', kept);
}

export function previewWrites({ now: db, later }: OpenTransaction): PreviewWrites {
  /** A running preview that this process still holds. */
  const held = ({ id, holder }: Holder) =>
    db
      .updateTable('previews')
      .where('id', '=', id)
      .where('holder', '=', holder)
      .where('status', '=', 'RUNNING');

  return {
    hideOld: (projectId, newest) => later(hidingOld(db, projectId, newest)),

    async insert(preview) {
      const insert = db.insertInto('previews').values(toRow(preview));
      const { numInsertedOrUpdatedRows } = await insert
        .onConflict((conflict) => conflict.column('running_for').doNothing())
        .executeTakeFirst();
      return numInsertedOrUpdatedRows === 1n;
    },

    async take({ id, holder, until }, now) {
      const row = await db
        .updateTable('previews')
        .set({ status: 'RUNNING', holder, held_until: until })
        .where('id', '=', id)
        .where('ended_at', '=', '')
        .where('held_until', '<=', now)
        .returningAll()
        .executeTakeFirst();
      return row && fromRow(row);
    },

    async keep(by) {
      const { numUpdatedRows } = await held(by).set({ held_until: by.until }).executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },

    async advance(by, { position, seen, matched, undecided, kept }, found, now) {
      const place = { at_created: position.createdAt, at_id: position.id };
      const { numUpdatedRows } = await held(by)
        .set({ ...place, seen, matched, undecided, kept, updated_at: now, held_until: by.until })
        .executeTakeFirstOrThrow();
      if (numUpdatedRows !== 1n) return false;
      for (let start = 0; start < found.length; start += BATCH) {
        const rows = found.slice(start, start + BATCH).map((zone) => ({
          preview_id: by.id,
          id: zone.id,
          name: zone.name,
          project_id: zone.projectId,
          undecided: zone.isUndecided ? 1 : 0,
        }));
        later(db.insertInto('preview_zones').values(rows));
      }
      return true;
    },

    end: (by, status, message, now) =>
      later(
        held(by).set({
          status,
          message: message ?? '',
          updated_at: now,
          ended_at: now,
          running_for: null,
          holder: '',
        }),
      ),

    release: (by) => later(held(by).set({ held_until: by.until })),

    async cancel(id, scope, now) {
      const { numUpdatedRows } = await db
        .updateTable('previews')
        .set({ ...HIDDEN, updated_at: now })
        .where('id', '=', id)
        .where('status', '<>', 'CANCELLED')
        .where(inScope(scope))
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },

    async removeSome(id) {
      const some = db.selectFrom('preview_zones').select('id').where('preview_id', '=', id).limit(BATCH);
      const { numDeletedRows } = await db
        .deleteFrom('preview_zones')
        .where('preview_id', '=', id)
        .where('id', 'in', some)
        .executeTakeFirstOrThrow();
      if (numDeletedRows === 0n) later(db.deleteFrom('previews').where('id', '=', id));
      return numDeletedRows > 0n;
    },
  };
}
