import { type Compilable, type Kysely, type RawBuilder, sql } from 'kysely';
import type { Scope } from '../../model/access/scope.ts';
import { pipelined } from '../../runtime/pipelined.ts';
import { dialectOf } from '../database/dialect.ts';
import { prepared } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';
import { zoneCheckIn } from '../lists/zone-limits.ts';
import { zonesSeenBy } from '../shares.ts';
import { type ZoneRow, zonesWithState } from './rows.ts';

type ZoneColumn = 'zones.id' | 'zones.name';

interface ZoneKey {
  readonly key: string;
  readonly projectId: string;
}

/** A statement for a key of a zone that a scope sees. @param build adds the conditions to its query */
function statementFor<R>(
  build: (db: Kysely<Schema>, conditions: RawBuilder<boolean>) => Compilable<R>,
  column: ZoneColumn,
) {
  const of = (isOfProject: boolean) =>
    prepared<ZoneKey, R>((db, slot) => {
      const scope: Scope = isOfProject ? { projectId: slot(({ projectId }) => projectId) } : 'all projects';
      const isKey = sql`${sql.ref(column)} = ${slot(({ key }) => key)}`;
      return build(db, sql<boolean>`${isKey} and ${zonesSeenBy(scope)}`);
    });
  const ofAll = of(false);
  const ofProject = of(true);
  return async (db: Kysely<Schema>, key: string, scope: Scope): Promise<readonly R[]> => {
    const query =
      scope === 'all projects'
        ? ofAll(db, { key, projectId: '' })
        : ofProject(db, { key, projectId: scope.projectId });
    return (await db.executeQuery(query)).rows;
  };
}

/** Reads a zone by a unique column. */
function zoneBy(column: ZoneColumn) {
  const read = statementFor<ZoneRow>((db, conditions) => zonesWithState(db).where(conditions), column);
  return async (db: Kysely<Schema>, key: string, scope: Scope): Promise<readonly ZoneRow[]> => {
    const rows = await read(db, key, scope);
    const check = zoneCheckIn(scope);
    return check === undefined ? rows : rows.filter(check);
  };
}

export const zoneById = zoneBy('zones.id');
export const zoneByName = zoneBy('zones.name');

const lockRow = statementFor<{ readonly id: string }>(
  (db, conditions) =>
    db.selectFrom('zones').select('id').where(conditions).modifyEnd(dialectOf(db).forUpdateOf('zones')),
  'zones.id',
);

/**
 * Locks a zone until the transaction ends, and reads it. The two are separate statements: one that waits for a row sees
 * the other tables as they were before the wait, so a zone that has moved meanwhile would have no pool.
 */
export async function zoneByIdLocked(
  db: Kysely<Schema>,
  id: string,
  scope: Scope,
): Promise<readonly ZoneRow[]> {
  if (!dialectOf(db).locksRows) return zoneById(db, id, scope);
  const [locked, rows] = await pipelined(lockRow(db, id, scope), zoneById(db, id, scope));
  return locked.length === 0 ? [] : rows;
}
