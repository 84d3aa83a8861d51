/** Finds the projects that have changed since the last aggregation, and the usage of their fullest zones. */
import { type Kysely, sql } from 'kysely';
import { cooperativeYield } from '../../runtime/cooperative-yield.ts';
import type { Schema } from '../database/schema.ts';

/** Number of event positions in one statement. */
const POSITIONS = 1000;
/** Number of a project's zones with the most records, among which to look for the one with the most recordsets. */
const CANDIDATES = 1000;
/** Number of zones in one statement: a project may have any number. */
const ZONES = 20_000;
/** Length of a stored time. */
const TIME = 26;

/** The maximum of each measure over the zones of a project. */
export interface Fullest {
  readonly recordsets: number;
  readonly records: number;
  readonly bytes: number;
}

interface FullestRow extends Fullest {
  readonly project_id: string;
  readonly zones: number;
  /** The last of its zones: the time of creation followed by the id. */
  readonly last: string;
}

/** The last zone read, in the order of an index. */
type UsagePosition = readonly [projectId: string, createdAt: string, id: string];

/** The projects of the events after one position, up to another. */
export async function projectsInEvents(
  db: Kysely<Schema>,
  after: number,
  upTo: number,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (let from = after; from < upTo; from += POSITIONS) {
    const rows = await db
      .selectFrom('events')
      .select(['project_id', 'actor_project_id'])
      .distinct()
      .where('position', '>', from)
      .where('position', '<=', Math.min(from + POSITIONS, upTo))
      .execute();
    for (const { project_id, actor_project_id } of rows) found.add(project_id).add(actor_project_id);
    await cooperativeYield();
  }
  return found;
}

async function nextZones(db: Kysely<Schema>, [projectId, createdAt, id]: UsagePosition, lastProject: string) {
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

async function throughZones(
  db: Kysely<Schema>,
  start: UsagePosition,
  last: string,
): Promise<Map<string, Fullest>> {
  const found = new Map<string, Fullest>();
  for (let position = start; ; ) {
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

/** The fullest zones of the projects after one id, up to another, in statements of limited size. */
export function fullestOfRange(
  db: Kysely<Schema>,
  after: string,
  last: string,
): Promise<ReadonlyMap<string, Fullest>> {
  // No zone sorts after '~'.
  return throughZones(db, [after, '~', '~'], last);
}

/** The fullest zones of one project, found by index; undefined if it has no zone. */
export async function fullestOf(db: Kysely<Schema>, projectId: string): Promise<Fullest | undefined> {
  const ofProject = () => db.selectFrom('zones').where('project_id', '=', projectId);
  const candidates = await ofProject()
    .select(['recordsets', 'records'])
    .orderBy('records', 'desc')
    .limit(CANDIDATES)
    .execute();
  const most = candidates[0];
  if (most === undefined) return undefined;
  const largest = await ofProject().select('bytes').orderBy('bytes', 'desc').limit(1).executeTakeFirst();
  // Its last zone has just been deleted.
  if (largest === undefined) return undefined;
  const { bytes } = largest;
  const recordsets = Math.max(...candidates.map((one) => one.recordsets));
  // No zone has more recordsets than records, so zones beyond the candidates have at most the records of the last
  // candidate.
  const isCertain = candidates.length < CANDIDATES || recordsets >= candidates.at(-1)!.records;
  if (isCertain) return { recordsets, records: most.records, bytes };
  return (await throughZones(db, [projectId, '', ''], projectId)).get(projectId);
}
