import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import type { ZoneTaskReads, ZoneTasksWithin, ZoneTaskWrites } from '../model/tasks/store.ts';
import type { ZoneTask, ZoneTaskQuery } from '../model/tasks/zone-task.ts';
import type { DatabaseReads, OpenTransaction } from './database/database.ts';
import type { Schema } from './database/schema.ts';
import { filterOn, inScope, isAmong } from './lists/list-conditions.ts';
import { type Listing, listsOf } from './lists/lists.ts';
import { type Narrowing, narrowedLists } from './lists/narrowed.ts';
import { zoneCheckIn } from './lists/zone-limits.ts';

type ZoneTaskRow = Selectable<Schema['zone_tasks']>;

export function taskFromRow(row: ZoneTaskRow): ZoneTask {
  return {
    id: row.id,
    kind: row.kind,
    projectId: row.project_id,
    zoneId: row.zone_id,
    status: row.status,
    message: row.message,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at || null,
  };
}

function toRow(task: ZoneTask): ZoneTaskRow {
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

function tasksWithin({ kind, scope }: ZoneTasksWithin): RawBuilder<boolean> {
  return sql`(kind = ${kind} and ${inScope(scope)})`;
}

const ZONE_TASKS: Listing<ZoneTaskQuery, ZoneTasksWithin, ZoneTaskRow, ZoneTask> = {
  table: 'zone_tasks',
  order: { created_at: ['created_at'], id: [], updated_at: ['updated_at'], status: ['status'] },
  indexed: ['created_at'],
  filters: { status: filterOn('status'), message: filterOn('message'), zone_id: filterOn('zone_id') },
  within: tasksWithin,
  fromRow: taskFromRow,
};

/** Of tasks, those whose zones a scope lets read; undefined if it has no limits on zones. A deleted zone is none of them. */
function narrowingIn(db: Kysely<Schema>, { scope }: ZoneTasksWithin): Narrowing<ZoneTask> | undefined {
  const check = zoneCheckIn(scope);
  if (check === undefined) return undefined;
  return async (tasks) => {
    const ids = tasks.flatMap(({ zoneId }) => zoneId ?? []);
    const rows = await db
      .selectFrom('zones')
      .select(['id', 'name'])
      .where(isAmong(db, 'id', ids))
      .execute();
    const seen = new Set(rows.filter(check).map(({ id }) => id));
    return tasks.filter(({ zoneId }) => zoneId !== null && seen.has(zoneId));
  };
}

async function findTask(
  db: Kysely<Schema>,
  id: string,
  within: ZoneTasksWithin,
): Promise<ZoneTask | undefined> {
  const query = db.selectFrom('zone_tasks').selectAll().where('id', '=', id);
  const row = await query.where(tasksWithin(within)).executeTakeFirst();
  if (row === undefined) return undefined;
  const task = taskFromRow(row);
  const narrow = narrowingIn(db, within);
  return narrow === undefined ? task : (await narrow([task]))[0];
}

export function zoneTaskReads(reads: DatabaseReads): ZoneTaskReads {
  const { reader: db } = reads;
  const lists = listsOf(reads, ZONE_TASKS);
  const find: ZoneTaskReads['find'] = (id, within) => findTask(db, id, within);
  return {
    ...lists,
    find,
    list: narrowedLists(lists.list, {
      narrowingOf: (within) => narrowingIn(db, within),
      has: async (id, within) => (await find(id, within)) !== undefined,
    }),
  };
}

export function zoneTaskWrites({ now: db, later }: OpenTransaction): ZoneTaskWrites {
  return {
    insert: (task) => later(db.insertInto('zone_tasks').values(toRow(task))),

    keepNewest(kind, projectId, count) {
      const beyond = db
        .selectFrom('zone_tasks')
        .select('id')
        .where(tasksWithin({ kind, scope: { projectId } }))
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(count)
        .offset(count);
      later(db.deleteFrom('zone_tasks').where('id', 'in', beyond));
    },

    async remove(id, within) {
      if ((await findTask(db, id, within)) === undefined) return false;
      const task = db.deleteFrom('zone_tasks').where('id', '=', id).where(tasksWithin(within));
      const { numDeletedRows } = await task.executeTakeFirstOrThrow();
      return numDeletedRows === 1n;
    },
  };
}
