/** Selects the secondary zones that are due, and the order in which they are claimed. */
import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { ClaimPlaces } from '../../model/secondaries/store.ts';
import { FairQueue } from '../../runtime/fair-queue.ts';
import { dialectOf } from '../database/dialect.ts';
import { limitTo } from '../database/limit.ts';
import type { Schema } from '../database/schema.ts';

/** Up to this many due zones are considered regardless of project; beyond that, some of each project. */
const WINDOW = 500;
/** Maximum number of projects considered then, from a random start. */
const MAX_PROJECTS = 50;

interface Candidate {
  readonly zone_id: string;
  readonly project_id: string;
}

/** Due zones that no process has claimed. */
export function due(db: Kysely<Schema>, now: string) {
  return db
    .selectFrom('secondaries')
    .where('due_at', '<>', sql.lit(''))
    .where('due_at', '<=', now)
    .where('leased_until', '<=', now);
}

const longestDue = (db: Kysely<Schema>, now: string, limit: number) =>
  due(db, now)
    .select(['zone_id', 'project_id'])
    .orderBy('due_at')
    .limit(limit)
    .modifyEnd(dialectOf(db).skipLocked);

/** Projects with due zones, starting at the given one: one index lookup for each project. */
async function dueProjects(db: Kysely<Schema>, now: string, from: string): Promise<readonly string[]> {
  const next = (after: ReturnType<typeof sql>) => sql`select project_id from secondaries
    where due_at <> '' and project_id > ${after} order by project_id limit 1`;
  const { rows } = await sql<{ project_id: string }>`
    with recursive owners (project_id) as (
      select (${next(sql`${from}`)})
      union all select (${next(sql`owners.project_id`)}) from owners where owners.project_id is not null
    )
    select project_id from owners where exists (
      select 1 from secondaries s where s.project_id = owners.project_id
        and s.due_at <> '' and s.due_at <= ${now} and s.leased_until <= ${now}
    ) ${limitTo(MAX_PROJECTS)}`.execute(db);
  return rows.map(({ project_id }) => project_id);
}

/** Zones that may be claimed: if very many are due, those of one project do not crowd out others. */
export async function candidates(
  db: Kysely<Schema>,
  now: string,
  limit: number,
): Promise<readonly Candidate[]> {
  const oldest = await longestDue(db, now, WINDOW).execute();
  if (oldest.length < WINDOW) return oldest;
  const found = [...oldest];
  const projects = new Set(await dueProjects(db, now, randomUUID()));
  if (projects.size < MAX_PROJECTS) for (const one of await dueProjects(db, now, '')) projects.add(one);
  for (const project of projects) {
    found.push(...(await longestDue(db, now, limit).where('project_id', '=', project).execute()));
  }
  return found;
}

/** Takes one zone of each project in turn, while there are places for it. */
export function inTurns(
  found: readonly Candidate[],
  limit: number,
  places: ClaimPlaces | undefined,
): readonly string[] {
  const queue = new FairQueue<Candidate>();
  for (const one of found) queue.add(one.project_id, one);
  const taken = new Set<string>();
  while (taken.size < limit) {
    const next = queue.take(({ project_id }) => places?.hasCapacity(project_id) ?? true);
    if (next === undefined) break;
    if (taken.has(next.zone_id)) continue;
    taken.add(next.zone_id);
    places?.take(next.project_id);
  }
  return [...taken];
}
