import { type Kysely, type Selectable, sql } from 'kysely';
import type { Scope } from '../domain/acts/scope.ts';
import type { ZoneTaskReads, ZoneTaskWrites } from '../domain/tasks/store.ts';
import type { ZoneTask } from '../domain/tasks/zone-task.ts';
import type { OpenTransaction } from './database.ts';
import { cutPage, matchesFilter, paged, positionOf, requireMarker } from './lists.ts';
import type { Schema } from './schema.ts';

type Row = Selectable<Schema['zone_tasks']>;

export function taskFromRow(row: Row): ZoneTask {
  return {
    id: row.id,
    kind: row.kind as ZoneTask['kind'],
    projectId: row.project_id,
    zoneId: row.zone_id,
    status: row.status as ZoneTask['status'],
    message: row.message,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at || null,
  };
}

function toRow(task: ZoneTask): Row {
  return {
    id: task.id,
    kind: task.kind,
    project_id: task.projectId,
    zone_id: task.zoneId,
    status: task.status,
    message: task.message,
    version: task.version,
    created_at: task.createdAt,
    updated_at: task.updatedAt ?? '',
  };
}

function tasksOf(db: Kysely<Schema>, kind: ZoneTask['kind'], scope: Scope) {
  const query = db.selectFrom('zone_tasks').where('kind', '=', kind);
  return scope === 'all projects' ? query : query.where('project_id', '=', scope.projectId);
}

export function zoneTaskReads(db: Kysely<Schema>): ZoneTaskReads {
  return {
    async find(kind, id, scope) {
      const row = await tasksOf(db, kind, scope).selectAll().where('id', '=', id).executeTakeFirst();
      return row && taskFromRow(row);
    },

    async list(kind, query, scope) {
      const { sortKey, sortDir, marker, limit } = query;
      const columns = sortKey === 'id' ? (['id'] as const) : ([sortKey, 'id'] as const);
      const known = tasksOf(db, kind, scope).selectAll();
      const after =
        marker === undefined
          ? undefined
          : positionOf(requireMarker(await known.where('id', '=', marker).executeTakeFirst()), columns);
      const matching = Object.entries(query.filters).reduce(
        (found, [filter, text]) => found.where(matchesFilter(sql.ref(filter), text)),
        tasksOf(db, kind, scope).selectAll(),
      );
      const rows = await paged(matching, { columns, direction: sortDir, after })
        .limit(limit + 1)
        .execute();
      return cutPage(rows.map(taskFromRow), limit);
    },
  };
}

export function zoneTaskWrites({ now: db, later }: OpenTransaction): ZoneTaskWrites {
  return {
    insert: (task) => later(db.insertInto('zone_tasks').values(toRow(task))),

    keepNewest(kind, projectId, count) {
      const beyond = tasksOf(db, kind, { projectId }).select('id').orderBy('created_at', 'desc');
      later(
        db
          .deleteFrom('zone_tasks')
          .where('id', 'in', beyond.orderBy('id', 'desc').limit(count).offset(count)),
      );
    },

    async remove(kind, id, scope) {
      const own = tasksOf(db, kind, scope).select('id').where('id', '=', id);
      const { numDeletedRows } = await db
        .deleteFrom('zone_tasks')
        .where('id', 'in', own)
        .executeTakeFirstOrThrow();
      return numDeletedRows === 1n;
    },
  };
}
