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

/** ZonesLookedFor zones are looked for in a part of the name tree. */
type ZonesLookedFor = 'others' | 'anyone';

const zoneIn = (whose: ZonesLookedFor) =>
  prepared<Below, { readonly id: string }>((db, slot) =>
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
      .$if(whose === 'others', (query) =>
        query.where(
          'project_id',
          '<>',
          slot(({ project }) => project),
        ),
      )
      .limit(1),
  );

/** The parts that contain such zones: one query plan for any number of parts. */
const partsWith = (whose: ZonesLookedFor) =>
  prepared<readonly Below[], Pick<Below, 'start' | 'project'>>((db, slot) => {
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
            .$if(whose === 'others', (query) => query.whereRef('zones.project_id', '<>', 'part.project')),
        ),
      );
  });

const ZONE_IN = { others: zoneIn('others'), anyone: zoneIn('anyone') };
const PARTS_WITH = { others: partsWith('others'), anyone: partsWith('anyone') };

const keyOf = ({ start, project }: Pick<Below, 'start' | 'project'>) => `${start} ${project}`;

/** The keys of the parts that contain a zone. */
async function partsHolding(
  db: Kysely<Schema>,
  parts: readonly Below[],
  whose: ZonesLookedFor,
): Promise<ReadonlySet<string>> {
  if (parts.length === 0) return new Set();
  if (parts.length > 1) {
    const { rows } = await db.executeQuery(PARTS_WITH[whose](db, parts));
    return new Set(rows.map(keyOf));
  }
  const { rows } = await db.executeQuery(ZONE_IN[whose](db, parts[0]!));
  return new Set(rows.length > 0 ? parts.map(keyOf) : []);
}

/** The zones that conflict with each of the names, found by two statements, or three for `findsOwnChild`. */
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
  const [present, foreign, all] = await pipelined(
    db.executeQuery(named(db, [...asked])),
    partsHolding(db, parts, 'others'),
    partsHolding(
      db,
      parts.filter((_, place) => wanted[place]!.findsOwnChild),
      'anyone',
    ),
  );
  const owners = new Map<string, string>(present.rows.map((zone) => [zone.name, zone.project_id]));
  const leaving = new Set(present.rows.filter(({ action }) => action === 'DELETE').map((zone) => zone.name));
  return wanted.map(({ name, projectId }, place) => {
    const key = keyOf(parts[place]!);
    const above = parents[place]!.flatMap((parent) => owners.get(parent) ?? []);
    return {
      duplicate: owners.has(name),
      isLeaving: leaving.has(name) && owners.get(name) === projectId,
      foreignParent: above.some((owner) => owner !== projectId),
      foreignChild: foreign.has(key),
      ownParent: above.includes(projectId),
      ownChild: all.has(key) && !foreign.has(key),
    };
  });
}
