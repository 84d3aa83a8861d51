import type { Kysely, Selectable } from 'kysely';
import type { ProjectReads, ProjectWrites } from '../domain/ports.ts';
import {
  type Limits,
  type ProjectState,
  QUOTA_KEYS,
  type QuotaChanges,
  type QuotaKey,
} from '../domain/quota.ts';
import type { Schema } from './schema.ts';

type Row = Selectable<Schema['projects']>;
type QuotaColumn = `quota_${QuotaKey}`;

export function projectFromRow(row: Row | undefined): ProjectState {
  if (row === undefined) return { zones: 0, recordsets: 0, overrides: {} };
  const set = QUOTA_KEYS.map((key) => [key, row[`quota_${key}`]] as const).filter(
    ([, limit]) => limit !== null,
  );
  return {
    zones: row.zones,
    recordsets: row.recordsets,
    overrides: Object.fromEntries(set) as Partial<Limits>,
  };
}

function toColumns(changes: QuotaChanges): Partial<Record<QuotaColumn, number | null>> {
  const changed = QUOTA_KEYS.filter((key) => changes[key] !== undefined);
  return Object.fromEntries(changed.map((key) => [`quota_${key}`, changes[key]]));
}

export function projectReads(db: Kysely<Schema>): ProjectReads {
  return {
    async state(projectId) {
      const row = db.selectFrom('projects').selectAll().where('project_id', '=', projectId);
      return projectFromRow(await row.executeTakeFirst());
    },
  };
}

export function projectWrites(db: Kysely<Schema>): ProjectWrites {
  return {
    async grow(projectId, { zones = 0, recordsets = 0 }) {
      const row = await db
        .insertInto('projects')
        .values({ project_id: projectId, zones, recordsets })
        .onConflict((conflict) =>
          conflict.column('project_id').doUpdateSet((eb) => ({
            zones: eb('projects.zones', '+', zones),
            recordsets: eb('projects.recordsets', '+', recordsets),
          })),
        )
        .returningAll()
        .executeTakeFirstOrThrow();
      return projectFromRow(row);
    },

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

    async resetQuotas(projectId) {
      const defaults = toColumns(Object.fromEntries(QUOTA_KEYS.map((key) => [key, null])));
      await db.updateTable('projects').set(defaults).where('project_id', '=', projectId).execute();
    },
  };
}
