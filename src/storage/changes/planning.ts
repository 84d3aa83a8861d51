/** The reads that decide a set of changes. */
import type { Kysely } from 'kysely';
import type { PlanningReads, PlanningSnapshots } from '../../model/changes/store.ts';
import { TimeSlices } from '../../runtime/cooperative-yield.ts';
import type { Database, OpenTransaction } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { guardrailReads } from '../guardrails/guardrails.ts';
import { findAtNames } from '../recordsets/at-names.ts';
import { findExpiredIn } from '../recordsets/expired.ts';
import { pagesInTreeOrder } from '../recordsets/recordsets.ts';
import { findAtOrBelow, findDelegatedHosts } from '../recordsets/surroundings.ts';
import { findSharees } from '../shares.ts';
import { findProject } from '../usage/projects.ts';
import { findNamesAmong } from '../zones/names-among.ts';
import { findZone } from '../zones/zones.ts';

function planningReads(db: Kysely<Schema>): PlanningReads {
  return {
    guardrails: guardrailReads(db),
    ...pagesInTreeOrder(
      () => db,
      () => new TimeSlices(),
    ),
    zone: (id, scope) => findZone(db, id, scope),
    projectState: (projectId) => findProject(db, projectId),
    atNames: (zoneId, names) => findAtNames(db, zoneId, names),
    expiredIn: (zoneId, now, limit) => findExpiredIn(db, zoneId, now, limit),
    shareesAmong: (zoneId, projectIds) => findSharees(db, zoneId, projectIds),
    zonesAmong: (names) => findNamesAmong(db, names),
    atOrBelow: (zone, name, limit, after) => findAtOrBelow(db, zone, name, { limit, after }),
    delegatedHosts: (zone, hosts, withoutIds) => findDelegatedHosts(db, zone, hosts, withoutIds),
  };
}

export const planningWrites = ({ now }: OpenTransaction): PlanningReads => planningReads(now);

export function planningSnapshots({ snapshot }: Pick<Database, 'snapshot'>): PlanningSnapshots {
  return { atOneState: (work) => snapshot((db) => work(planningReads(db))) };
}
