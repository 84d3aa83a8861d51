import { type Selectable, sql } from 'kysely';
import { NO_PROJECT } from '../../model/access/caller.ts';
import type { ProjectUsage, UsageQuery } from '../../model/usage/project-usage.ts';
import type { FoundProject, UsageReads, UsageWrites } from '../../model/usage/store.ts';
import type { DatabaseReads, OpenTransaction } from '../database/database.ts';
import { prepared } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';
import { filterOn } from '../lists/list-conditions.ts';
import { type Listing, listsOf } from '../lists/lists.ts';
import { type Fullest, fullestOf, fullestOfRange, projectsInEvents } from './changes.ts';
import { projectFromRow } from './projects.ts';

/** The name of the only row. */
const PASS = 'usage';
/** The percentage of a project without limits: sorts below all others. */
const UNLIMITED = -1;

type ProjectUsageRow = Selectable<Schema['project_usage']>;
type ProjectRow = Selectable<Schema['projects']>;

/** Most projects have the same limits, so the last ones parsed are cached. */
let lastLimits: { readonly text: string; readonly limits: ProjectUsage['limits'] } | undefined;

function limitsFrom(text: string): ProjectUsage['limits'] {
  if (lastLimits?.text !== text) lastLimits = { text, limits: JSON.parse(text) };
  return lastLimits.limits;
}

function fromRow(row: ProjectUsageRow): ProjectUsage {
  return {
    id: row.id,
    recordsets: row.recordsets,
    used: {
      zones: row.zones,
      zone_recordsets: row.zone_recordsets,
      zone_records: row.zone_records,
      max_zone_size: row.zone_bytes,
    },
    limits: limitsFrom(row.limits),
    percentage: row.percentage === UNLIMITED ? null : row.percentage / 10,
  };
}

function toRow({ id, recordsets, used, limits, percentage }: ProjectUsage): ProjectUsageRow {
  return {
    id,
    zones: used.zones,
    recordsets,
    zone_recordsets: used.zone_recordsets,
    zone_records: used.zone_records,
    zone_bytes: used.max_zone_size,
    limits: JSON.stringify(limits),
    percentage: percentage === null ? UNLIMITED : Math.round(percentage * 10),
  };
}

const USAGE: Listing<UsageQuery, void, ProjectUsageRow, ProjectUsage> = {
  table: 'project_usage',
  order: { percentage: ['percentage'], project_id: [] },
  indexed: ['percentage', 'project_id'],
  filters: { project_id: filterOn('id') },
  within: () => sql`true`,
  fromRow,
};

const NOTHING: Fullest = { recordsets: 0, records: 0, bytes: 0 };

function fullestFrom({ zone_recordsets, zone_records, zone_bytes }: ProjectUsageRow): Fullest {
  return { recordsets: zone_recordsets, records: zone_records, bytes: zone_bytes };
}

function foundProject(
  row: ProjectRow,
  most: Fullest = NOTHING,
  before: ProjectUsageRow | undefined,
): FoundProject {
  const { zones, recordsets, overrides } = projectFromRow(row);
  return {
    id: row.project_id,
    recordsets,
    used: {
      zones,
      zone_recordsets: most.recordsets,
      zone_records: most.records,
      max_zone_size: most.bytes,
    },
    overrides,
    before: before && fromRow(before),
  };
}

/** The previous usage of the project's fullest zones; undefined if it may have changed. */
function keptFullest(
  row: ProjectRow,
  before: ProjectUsageRow | undefined,
  changed: ReadonlySet<string>,
): Fullest | undefined {
  if (row.zones === 0) return NOTHING;
  if (before === undefined || changed.has(row.project_id)) return undefined;
  const isSame = before.zones === row.zones && before.recordsets === row.recordsets;
  return isSame ? fullestFrom(before) : undefined;
}

export function usageReads(reads: DatabaseReads): UsageReads {
  const { reader: db, longReads } = reads;
  return {
    list: listsOf(reads, USAGE).list,

    async asOf() {
      const row = await db.selectFrom('usage_passes').selectAll().where('name', '=', PASS).executeTakeFirst();
      return row?.started_at ?? null;
    },

    async next(after, limit, changed) {
      const projects = await db
        .selectFrom('projects')
        .selectAll()
        .where('project_id', '>', after)
        .orderBy('project_id')
        .limit(limit)
        .execute();
      const last = projects.at(-1)?.project_id;
      if (last === undefined) return [];
      const known = await db
        .selectFrom('project_usage')
        .selectAll()
        .where('id', '>', after)
        .where('id', '<=', last)
        .execute();
      const before = new Map(known.map((row) => [row.id, row]));
      const long = longReads(NO_PROJECT);
      if (changed === 'all') {
        const fullest = await fullestOfRange(long, after, last);
        return projects.map((row) =>
          foundProject(row, fullest.get(row.project_id), before.get(row.project_id)),
        );
      }
      const found: FoundProject[] = [];
      for (const row of projects) {
        const id = row.project_id;
        const kept = keptFullest(row, before.get(id), changed);
        found.push(foundProject(row, kept ?? (await fullestOf(long, id)), before.get(id)));
      }
      return found;
    },

    async lastPass() {
      const row = await db.selectFrom('usage_passes').selectAll().where('name', '=', PASS).executeTakeFirst();
      return row === undefined || row.position < 0 ? undefined : row.position;
    },

    changedProjects: (after, upTo) => projectsInEvents(db, after, upTo),

    async isLeaving() {
      const query = db.selectFrom('zones').select('id').where(sql<boolean>`action = 'DELETE'`).limit(1);
      return (await query.executeTakeFirst()) !== undefined;
    },

    async newestUnsealed() {
      const query = db.selectFrom('event_queue').select('id').orderBy('id', 'desc').limit(1);
      return (await query.executeTakeFirst())?.id;
    },

    async isUnsealed(upTo) {
      const query = db.selectFrom('event_queue').select('id').where('id', '<=', upTo).limit(1);
      return (await query.executeTakeFirst()) !== undefined;
    },
  };
}

const put = prepared<ProjectUsageRow>((db, slot) => {
  const columns = {
    zones: slot((row) => row.zones),
    recordsets: slot((row) => row.recordsets),
    zone_recordsets: slot((row) => row.zone_recordsets),
    zone_records: slot((row) => row.zone_records),
    zone_bytes: slot((row) => row.zone_bytes),
    limits: slot((row) => row.limits),
    percentage: slot((row) => row.percentage),
  };
  return db
    .insertInto('project_usage')
    .values({ id: slot((row) => row.id), ...columns })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns));
});

export function usageWrites({ now: db, later }: OpenTransaction): UsageWrites {
  return {
    put(usages) {
      for (const row of usages.map(toRow)) later(put(db, row));
    },

    finish(startedAt, position) {
      const pass = { started_at: startedAt, position };
      later(
        db
          .insertInto('usage_passes')
          .values({ name: PASS, ...pass })
          .onConflict((conflict) => conflict.column('name').doUpdateSet(pass)),
      );
    },
  };
}
