import { type Kysely, type Selectable, sql } from 'kysely';
import { NO_PROJECT } from '../domain/acts/caller.ts';
import type { ProjectUsage, UsageQuery } from '../domain/usage/project-usage.ts';
import type { FoundProject, UsageReads, UsageWrites } from '../domain/usage/store.ts';
import type { OpenTransaction, Reads } from './database.ts';
import { filterOn } from './list-conditions.ts';
import { type Listing, listsOf } from './lists.ts';
import { prepared } from './prepared.ts';
import { projectFromRow } from './projects.ts';
import type { Schema } from './schema.ts';

/** Zones that one statement looks at: a project may have any number. */
const ZONES = 20_000;
/** Of a time. */
const TIME = 26;
/** The name of the one row. */
const PASS = 'usage';
/** The percentage of a project for which nothing is limited: below all others. */
const UNLIMITED = -1;

type Db = Kysely<Schema>;
type Row = Selectable<Schema['project_usage']>;
type ProjectRow = Selectable<Schema['projects']>;

/** Most projects have the same limits. */
let lastLimits: { readonly text: string; readonly limits: ProjectUsage['limits'] } | undefined;

function limitsFrom(text: string): ProjectUsage['limits'] {
  if (lastLimits?.text !== text) lastLimits = { text, limits: JSON.parse(text) };
  return lastLimits.limits;
}

function fromRow(row: Row): ProjectUsage {
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

function toRow({ id, recordsets, used, limits, percentage }: ProjectUsage): Row {
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

const USAGE: Listing<UsageQuery, void, Row, ProjectUsage> = {
  table: 'project_usage',
  order: { percentage: ['percentage'], project_id: [] },
  indexed: ['percentage', 'project_id'],
  filters: { project_id: filterOn('id') },
  within: () => sql`true`,
  fromRow,
};

/** The most that one zone of a project has. */
interface Fullest {
  readonly recordsets: number;
  readonly records: number;
  readonly bytes: number;
}

interface FullestRow extends Fullest {
  readonly project_id: string;
  readonly zones: number;
  /** The last of its zones: its time of creation and its id. */
  readonly last: string;
}

/** Where the zones go on that have been looked at, in the order of an index. */
type Position = readonly [projectId: string, createdAt: string, id: string];

async function nextZones(db: Db, [projectId, createdAt, id]: Position, lastProject: string) {
  const { rows } = await sql<FullestRow>`
    select project_id, count(*) as zones, max(recordsets) as recordsets, max(records) as records,
      max(bytes) as bytes, max(created_at || id) as last
    from (
      select project_id, created_at, id, recordsets, records, bytes from zones
      where (project_id, created_at, id) > (${projectId}, ${createdAt}, ${id}) and project_id <= ${lastProject}
      order by project_id, created_at, id limit ${ZONES}
    ) as looked_at group by project_id order by project_id`.execute(db);
  return rows;
}

/** The fullest zones of the projects of a range, after the first up to the last, in statements of bounded size. */
async function fullestZones(db: Db, after: string, last: string): Promise<ReadonlyMap<string, Fullest>> {
  const found = new Map<string, Fullest>();
  // No zone has an id after this one.
  let position: Position = [after, '~', '~'];
  for (;;) {
    const rows = await nextZones(db, position, last);
    for (const row of rows) {
      const { recordsets, records, bytes } = found.get(row.project_id) ?? row;
      found.set(row.project_id, {
        recordsets: Math.max(recordsets, row.recordsets),
        records: Math.max(records, row.records),
        bytes: Math.max(bytes, row.bytes),
      });
    }
    const end = rows.at(-1);
    if (end === undefined || rows.reduce((sum, { zones }) => sum + zones, 0) < ZONES) return found;
    position = [end.project_id, end.last.slice(0, TIME), end.last.slice(TIME)];
  }
}

const NOTHING: Fullest = { recordsets: 0, records: 0, bytes: 0 };

function foundProject(row: ProjectRow, fullest: Fullest | undefined, before: Row | undefined): FoundProject {
  const { zones, recordsets, overrides } = projectFromRow(row);
  const most = fullest ?? NOTHING;
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

export function usageReads(reads: Reads): UsageReads {
  const { reader: db, longReads } = reads;
  return {
    list: listsOf(reads, USAGE).list,

    async asOf() {
      const row = await db.selectFrom('usage_passes').selectAll().where('name', '=', PASS).executeTakeFirst();
      return row?.started_at ?? null;
    },

    async next(after, limit) {
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
      const hasZones = projects.some(({ zones }) => zones > 0);
      const fullest = hasZones ? await fullestZones(longReads(NO_PROJECT), after, last) : undefined;
      return projects.map((row) =>
        foundProject(row, fullest?.get(row.project_id), before.get(row.project_id)),
      );
    },
  };
}

const put = prepared<Row>((db, slot) => {
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

    finish(startedAt) {
      later(
        db
          .insertInto('usage_passes')
          .values({ name: PASS, started_at: startedAt })
          .onConflict((conflict) => conflict.column('name').doUpdateSet({ started_at: startedAt })),
      );
    },
  };
}
