import { type Kysely, type Selectable, sql } from 'kysely';
import type { Forecast, HeldTask, ListTask } from '../../model/blacklist-lists/list-task.ts';
import type { BlacklistListReads, BlacklistListWrites, OpenTask } from '../../model/blacklist-lists/store.ts';
import type { Fault } from '../../model/errors.ts';
import type { Raise } from '../blacklists/revisions.ts';
import { takeAllBack } from '../blacklists/staging-back.ts';
import { removalsOf, sweepAll } from '../blacklists/sweeping.ts';
import { LEAVES, ofList } from '../blacklists/visibility.ts';
import type { OpenTransaction } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';

type ListTaskRow = Selectable<Schema['blacklist_tasks']>;

function taskFromRow(row: ListTaskRow): ListTask {
  return {
    id: row.id,
    kind: row.kind,
    list: row.list,
    status: row.status,
    message: row.message || null,
    faults: JSON.parse(row.faults) as Fault[],
    faultCount: row.fault_count,
    sha256: row.sha256,
    eventId: row.event_id,
    projectId: row.project_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at || null,
    revision: row.revision,
    forecast: row.forecast === '' ? null : (JSON.parse(row.forecast) as Forecast),
    lines: row.lines,
    added: row.added,
    present: row.present,
    kept: row.kept,
    removed: row.removed,
  };
}

function toRow(task: ListTask, { number, holder }: HeldTask, heldUntil: string): ListTaskRow {
  return {
    id: task.id,
    kind: task.kind,
    list: task.list,
    status: task.status,
    message: task.message ?? '',
    faults: JSON.stringify(task.faults),
    sha256: task.sha256,
    event_id: task.eventId,
    project_id: task.projectId,
    holder,
    held_until: heldUntil,
    created_at: task.createdAt,
    updated_at: task.updatedAt ?? '',
    number,
    lines: task.lines,
    added: task.added,
    present: task.present,
    kept: task.kept,
    removed: task.removed,
    fault_count: task.faultCount,
    first: 0,
    last: 0,
    revision: task.revision,
    forecast: '',
    swept: 0,
    is_over: 0,
  };
}

export async function readOpenTasks(db: Kysely<Schema>): Promise<readonly OpenTask[]> {
  const rows = await db
    .selectFrom('blacklist_tasks')
    .select(['id', 'number', 'holder', 'list', 'held_until'])
    .where('is_over', '=', 0)
    .orderBy('number')
    .execute();
  return rows.map(({ held_until: heldUntil, ...task }) => ({ ...task, heldUntil }));
}

export function taskReads(db: Kysely<Schema>): Pick<BlacklistListReads, 'findTask' | 'openTasks' | 'staged'> {
  return {
    async findTask(id) {
      const row = await db.selectFrom('blacklist_tasks').selectAll().where('id', '=', id).executeTakeFirst();
      return row && taskFromRow(row);
    },

    openTasks: () => readOpenTasks(db),

    async staged({ number }, which, after, limit) {
      const query = db.selectFrom('blacklists').select(['number', 'pattern']).where(which, '=', number);
      return query.where('number', '>', after).orderBy('number').limit(limit).execute();
    },
  };
}

/** The task, if it is open and its process still holds it. */
function held(db: Kysely<Schema>, { number, holder }: HeldTask) {
  return db
    .updateTable('blacklist_tasks')
    .where('number', '=', number)
    .where('holder', '=', holder)
    .where('is_over', '=', 0);
}

/**
 * Extends the hold of a task, which locks its row.
 * @returns false if its process no longer holds it
 */
async function keep(db: Kysely<Schema>, task: HeldTask, heldUntil: string): Promise<boolean> {
  const { numUpdatedRows } = await held(db, task).set({ held_until: heldUntil }).executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

async function leaving(db: Kysely<Schema>, number: number): Promise<number> {
  const query = db.selectFrom('blacklists').where('leaves', '=', number).where(LEAVES);
  const { total } = await query
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** Entries of a file without a list that only lists held so far are now also held by hand. */
async function holdByHand(db: Kysely<Schema>, number: number): Promise<void> {
  const ids = db
    .selectFrom('blacklist_holders')
    .select('blacklist_id')
    .where(ofList(''))
    .where('arrives', '=', number);
  await db.updateTable('blacklists').set({ by_hand: 1 }).where('id', 'in', ids).execute();
}

/** The approximate number of rows that the task has staged. */
async function stagedRows(db: Kysely<Schema>, { number }: HeldTask): Promise<number> {
  const query = db.selectFrom('blacklist_tasks').select(['lines', 'removed']).where('number', '=', number);
  const { lines, removed } = await query.executeTakeFirstOrThrow();
  return lines + removed;
}

type TaskWrites = Pick<
  BlacklistListWrites,
  | 'insertTask'
  | 'advance'
  | 'widen'
  | 'publish'
  | 'fail'
  | 'takeTask'
  | 'sweepTask'
  | 'takeBack'
  | 'endTask'
  | 'forgetTasks'
>;

export function taskWrites(tx: OpenTransaction, raise: Raise): TaskWrites {
  const { now: db } = tx;
  return {
    async insertTask(task, of, heldUntil) {
      await db
        .insertInto('blacklist_tasks')
        .values(toRow(task, of, heldUntil))
        .execute();
    },

    async advance(task, more, heldUntil, now) {
      const counts = Object.entries(more) as [keyof typeof more, number][];
      const { numUpdatedRows } = await held(db, task)
        .where('revision', '=', 0)
        .set((eb) => ({
          ...Object.fromEntries(counts.map(([name, count]) => [name, eb(name, '+', count)])),
          held_until: heldUntil,
          updated_at: now,
        }))
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },

    async widen(task, first, last) {
      await held(db, task)
        .set({ first: sql`case when first = 0 then ${first} else first end`, last })
        .execute();
    },

    async publish(task, stamp, sha256) {
      tx.expect({ rows: await stagedRows(db, task), bytes: 0 });
      const removed = await leaving(db, task.number);
      if (task.list === '') await holdByHand(db, task.number);
      const first = await raise(removed + 1);
      const row = await held(db, task)
        .where('revision', '=', 0)
        .set({ revision: first + removed, removed, event_id: stamp.id, sha256 })
        .returningAll()
        .executeTakeFirstOrThrow();
      return taskFromRow(row);
    },

    async fail(task, { message, faults, faultCount, sha256, forecast }, now) {
      const { numUpdatedRows } = await held(db, task)
        .where('revision', '=', 0)
        .set({
          message: message ?? '',
          faults: JSON.stringify(faults),
          fault_count: faultCount,
          sha256,
          forecast: forecast === null ? '' : JSON.stringify(forecast),
          updated_at: now,
        })
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },

    async takeTask({ number, holder: former }, holder, heldUntil) {
      const { numUpdatedRows } = await held(db, { number, holder: former, list: '' })
        .set({ holder, held_until: heldUntil })
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },

    async sweepTask(task, place, limit, heldUntil) {
      tx.expect({ rows: limit, bytes: 0 });
      if (!(await keep(db, task, heldUntil))) return undefined;
      return sweepAll(db, task, { place, limit }, removalsOf(db, task.number));
    },

    async takeBack(task, place, limit, heldUntil) {
      tx.expect({ rows: limit, bytes: 0 });
      return (await keep(db, task, heldUntil)) ? takeAllBack(db, task, { place, limit }) : undefined;
    },

    async endTask(task, status, now) {
      await held(db, task).set({ status, is_over: 1, updated_at: now }).execute();
    },

    async forgetTasks(before) {
      await db
        .deleteFrom('blacklist_tasks')
        .where('is_over', '=', 1)
        .where('revision', '=', 0)
        .where('updated_at', '<', before)
        .execute();
    },
  };
}
