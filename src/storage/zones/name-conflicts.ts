import { type Kysely, sql } from 'kysely';
import { parentsOf, subtreeRange } from '../../dns/names.ts';
import type { NameConflicts, WantedName } from '../../model/zones/store.ts';
import { pipelined } from '../../runtime/pipelined.ts';
import { dialectOf } from '../database/dialect.ts';
import { prepared } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';
import { preparedList } from '../lists/prepared-list.ts';

interface NamedZone {
  readonly name: string;
  readonly project_id: string;
  readonly action: string;
}

const named = preparedList<string, NamedZone>((db, places) =>
  db.selectFrom('zones').select(['name', 'project_id', 'action']).where('name', 'in', places),
);

/** A part of the name tree, and the project whose own zones in it do not count. */
interface Below {
  readonly start: string;
  readonly end: string;
  readonly project: string;
}

const foreignIn = prepared<Below, { readonly id: string }>((db, slot) =>
  db
    .selectFrom('zones')
    .select('id')
    .where(
      'subtree_key',
      '>=',
      slot(({ start }) => start),
    )
    .where(
      'subtree_key',
      '<',
      slot(({ end }) => end),
    )
    .where(
      'project_id',
      '<>',
      slot(({ project }) => project),
    )
    .limit(1),
);

/** The parts that contain zones of other projects: one query plan for any number of parts. */
const foreignAmong = prepared<readonly Below[], Pick<Below, 'start' | 'project'>>((db, slot) => {
  const list = sql`${slot((parts) => JSON.stringify(parts))}`;
  const rows = dialectOf(db).textRows(['start', 'end', 'project'], list);
  return db
    .selectFrom(sql<Below>`${rows}`.as('part'))
    .select(['part.start', 'part.project'])
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('zones')
          .select('zones.id')
          .whereRef('zones.subtree_key', '>=', 'part.start')
          .whereRef('zones.subtree_key', '<', 'part.end')
          .whereRef('zones.project_id', '<>', 'part.project'),
      ),
    );
});

/** For each part, true if it contains a zone of another project. */
async function holdForeign(db: Kysely<Schema>, parts: readonly Below[]): Promise<readonly boolean[]> {
  if (parts.length === 1) return [(await db.executeQuery(foreignIn(db, parts[0]!))).rows.length > 0];
  const { rows } = await db.executeQuery(foreignAmong(db, parts));
  const keyOf = ({ start, project }: Pick<Below, 'start' | 'project'>) => `${start} ${project}`;
  const found = new Set(rows.map(keyOf));
  return parts.map((part) => found.has(keyOf(part)));
}

/** The zones that conflict with each of the names, found by two statements. */
export async function conflictsWith(
  db: Kysely<Schema>,
  wanted: readonly WantedName[],
): Promise<readonly NameConflicts[]> {
  const parents = wanted.map(({ name }) => parentsOf(name));
  const asked = new Set(wanted.flatMap(({ name }, place) => [name, ...parents[place]!]));
  const parts = wanted.map(({ name, projectId }) => {
    const { from, to } = subtreeRange(name);
    return { start: from, end: to, project: projectId };
  });
  const [present, below] = await pipelined(db.executeQuery(named(db, [...asked])), holdForeign(db, parts));
  const owners = new Map<string, string>(present.rows.map((zone) => [zone.name, zone.project_id]));
  const leaving = new Set(present.rows.filter(({ action }) => action === 'DELETE').map((zone) => zone.name));
  return wanted.map(({ name, projectId }, place) => ({
    duplicate: owners.has(name),
    isLeaving: leaving.has(name) && owners.get(name) === projectId,
    foreignParent: parents[place]!.some((parent) => (owners.get(parent) ?? projectId) !== projectId),
    foreignChild: below[place]!,
  }));
}
