import { type Kysely, type Selectable, sql } from 'kysely';
import {
  type Limits,
  NOTHING_NOTIFIED,
  type ProjectState,
  QUOTA_KEYS,
  type QuotaChanges,
  type QuotaKey,
} from '../../model/quotas/quota.ts';
import { THRESHOLDS } from '../../model/quotas/quota-thresholds.ts';
import type { ProjectReads, ProjectWrites } from '../../model/quotas/store.ts';
import type { OpenTransaction } from '../database/database.ts';
import { dialectOf } from '../database/dialect.ts';
import { prepared } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';
import { preparedList } from '../lists/prepared-list.ts';

/** Number of projects in a batch of a stream. */
const BATCH = 500;

type ProjectCountsRow = Selectable<Schema['projects']>;
type QuotaColumn = `quota_${QuotaKey}`;

export function projectFromRow(row: ProjectCountsRow | undefined): ProjectState {
  if (row === undefined) return { zones: 0, recordsets: 0, overrides: {}, notified: NOTHING_NOTIFIED };
  const set = QUOTA_KEYS.map((key) => [key, row[`quota_${key}`]] as const).filter(
    ([, limit]) => limit !== null,
  );
  return {
    zones: row.zones,
    recordsets: row.recordsets,
    overrides: Object.fromEntries(set) as Partial<Limits>,
    notified: { bits: row.told_zones, limit: row.told_zones_limit },
  };
}

function toColumns(changes: QuotaChanges): Partial<Record<QuotaColumn, number | null>> {
  const changed = QUOTA_KEYS.filter((key) => changes[key] !== undefined);
  return Object.fromEntries(changed.map((key) => [`quota_${key}`, changes[key]]));
}

const locked = prepared<string, ProjectCountsRow>((db, slot) =>
  db
    .selectFrom('projects')
    .selectAll()
    .where(
      'project_id',
      '=',
      slot((id) => id),
    )
    .modifyEnd(dialectOf(db).forUpdate),
);

const lockedFree = preparedList<string, ProjectCountsRow>((db, places) =>
  db
    .selectFrom('projects')
    .selectAll()
    .where('project_id', 'in', places)
    .orderBy('project_id')
    .modifyEnd(dialectOf(db).skipLocked),
);

function grownTogether(db: Kysely<Schema>, zones: ReadonlyMap<string, number>) {
  const dialect = dialectOf(db);
  const list = JSON.stringify([...zones].map(([project_id, more]) => ({ project_id, zones: more })));
  const isAmong = dialect.isAmong(sql`projects.project_id`, sql`${JSON.stringify([...zones.keys()])}`);
  const rows = dialect.jsonRows('projects', ['project_id', 'zones'], sql`${list}`);
  return sql`update projects set zones = projects.zones + record.zones
    from ${rows} where projects.project_id = record.project_id and ${isAmong}`.compile(db);
}

const grown = prepared<{ projectId: string; zones: number; recordsets: number }>((db, slot) => {
  const zones = slot((by) => by.zones);
  const recordsets = slot((by) => by.recordsets);
  return db
    .insertInto('projects')
    .values({ project_id: slot((by) => by.projectId), zones, recordsets })
    .onConflict((conflict) =>
      conflict.column('project_id').doUpdateSet((eb) => ({
        zones: eb('projects.zones', '+', zones),
        recordsets: eb('projects.recordsets', '+', recordsets),
      })),
    );
});

/**
 * True if usage has dropped so far that the threshold is to be notified again. Percentages are rounded down to a
 * tenth.
 */
function isAgainBelow({ again }: (typeof THRESHOLDS)[number]) {
  return sql<boolean>`1000 * zones < ${sql.lit(10 * again)} * told_zones_limit`;
}

/** Like `quotaAlert`, for usage that has shrunk; in SQL, because the project may not have been read. */
const untold = prepared<string>((db, slot) =>
  db
    .updateTable('projects')
    .set({
      told_zones: sql`told_zones & ${sql.join(
        THRESHOLDS.map((one) => sql`(case when ${isAgainBelow(one)} then ${sql.lit(~one.bit)} else -1 end)`),
        sql` & `,
      )}`,
    })
    .where(
      'project_id',
      '=',
      slot((id) => id),
    )
    .where('told_zones', '>', 0),
);

/** The state of a project, without a lock. */
export async function findProject(db: Kysely<Schema>, projectId: string): Promise<ProjectState> {
  const row = db.selectFrom('projects').selectAll().where('project_id', '=', projectId);
  return projectFromRow(await row.executeTakeFirst());
}

export function projectReads(db: Kysely<Schema>): ProjectReads {
  return {
    state: (projectId) => findProject(db, projectId),

    async *limited() {
      for (let after = ''; ; ) {
        const rows = await db
          .selectFrom('projects')
          .selectAll()
          .where('project_id', '>', after)
          .where((eb) => eb.or(QUOTA_KEYS.map((key) => eb(`quota_${key}`, 'is not', null))))
          .orderBy('project_id')
          .limit(BATCH)
          .execute();
        yield rows.map((row) => ({ projectId: row.project_id, ...projectFromRow(row) }));
        if (rows.length < BATCH) return;
        after = rows.at(-1)!.project_id;
      }
    },
  };
}

export function projectWrites({ now: db, later }: OpenTransaction): ProjectWrites {
  const lockRow = async (projectId: string): Promise<ProjectCountsRow | undefined> =>
    (await db.executeQuery(locked(db, projectId))).rows[0];

  /** Creates a missing row, so that it can be locked. */
  const makeRow = async (projectId: string): Promise<void> => {
    await db
      .insertInto('projects')
      .values({ project_id: projectId, zones: 0, recordsets: 0 })
      .onConflict((conflict) => conflict.column('project_id').doNothing())
      .execute();
  };

  return {
    async lock(projectId) {
      const row = await lockRow(projectId);
      if (row !== undefined) return projectFromRow(row);
      await makeRow(projectId);
      return projectFromRow(await lockRow(projectId));
    },

    async lockFree(projectIds) {
      const { rows } = await db.executeQuery(lockedFree(db, projectIds));
      return new Map(rows.map((row) => [row.project_id, projectFromRow(row)]));
    },

    growTogether: (zones) => later(grownTogether(db, zones)),

    grow(projectId, { zones = 0, recordsets = 0 }) {
      later(grown(db, { projectId, zones, recordsets }));
      if (zones < 0) later(untold(db, projectId));
    },

    setNotified: (projectId, { bits, limit }) =>
      later(
        db
          .updateTable('projects')
          .set({ told_zones: bits, told_zones_limit: limit })
          .where('project_id', '=', projectId),
      ),

    async setQuotas(projectId, changes) {
      const columns = toColumns(changes);
      const row = await db
        .insertInto('projects')
        .values({ project_id: projectId, zones: 0, recordsets: 0, ...columns })
        .onConflict((conflict) =>
          conflict.column('project_id').doUpdateSet({ project_id: projectId, ...columns }),
        )
        .returningAll()
        .executeTakeFirstOrThrow();
      return projectFromRow(row);
    },
  };
}
