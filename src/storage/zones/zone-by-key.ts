import { type Kysely, sql } from 'kysely';
import type { Scope } from '../../model/access/scope.ts';
import { dialectOf } from '../database/dialect.ts';
import { prepared } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';
import { zoneCheckIn } from '../lists/zone-limits.ts';
import { zonesSeenBy } from '../shares.ts';
import { type ZoneRow, zonesWithState } from './rows.ts';

interface ZoneKey {
  readonly key: string;
  readonly projectId: string;
}

/** Reads a zone by a unique column. @param locks also locks its row until the transaction ends */
function zoneBy(column: 'zones.id' | 'zones.name', { locks = false } = {}) {
  const statementFor = (isOfProject: boolean) =>
    prepared<ZoneKey, ZoneRow>((db, slot) => {
      const scope: Scope = isOfProject ? { projectId: slot(({ projectId }) => projectId) } : 'all projects';
      const zone = zonesWithState(db)
        .where(sql<boolean>`${sql.ref(column)} = ${slot(({ key }) => key)}`)
        .where(zonesSeenBy(scope));
      return locks ? zone.modifyEnd(dialectOf(db).forUpdateOf('zones')) : zone;
    });
  const ofAll = statementFor(false);
  const ofProject = statementFor(true);
  return async (db: Kysely<Schema>, key: string, scope: Scope): Promise<readonly ZoneRow[]> => {
    const query =
      scope === 'all projects'
        ? ofAll(db, { key, projectId: '' })
        : ofProject(db, { key, projectId: scope.projectId });
    const { rows } = await db.executeQuery(query);
    const check = zoneCheckIn(scope);
    return check === undefined ? rows : rows.filter(check);
  };
}

export const zoneById = zoneBy('zones.id');
export const zoneByName = zoneBy('zones.name');
export const zoneByIdLocked = zoneBy('zones.id', { locks: true });
