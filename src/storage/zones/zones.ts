import { type Kysely, sql } from 'kysely';
import { canonicalName, subtreeRange } from '../../dns/names.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { ZoneReads, ZoneWrites } from '../../model/zones/store.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { pipelined } from '../../runtime/pipelined.ts';
import type { DatabaseReads, OpenTransaction } from '../database/database.ts';
import { dialectOf } from '../database/dialect.ts';
import { prepared, preparedInsert, preparedUpdate } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';
import { listsOf } from '../lists/lists.ts';
import { narrowedLists } from '../lists/narrowed.ts';
import { zoneCheckIn } from '../lists/zone-limits.ts';
import { hiddenBy } from '../recordsets/hidden-recordsets.ts';
import { narrowsNothing, shareScopeIn } from '../shares.ts';
import { conflictsWith } from './name-conflicts.ts';
import { lockFreeGates, lockGate } from './name-gates.ts';
import { findNamesAmong, findSeenAmong } from './names-among.ts';
import { toZoneRow, type ZoneRow, zoneFromRow, zonesWithState } from './rows.ts';
import { zoneById, zoneByIdLocked } from './zone-by-key.ts';
import { ZONES } from './zone-lists.ts';

/** Number of zones with the most records, among which to look for the one with the most recordsets. */
const CANDIDATES = 1000;

export async function findZone(db: Kysely<Schema>, id: string, scope: Scope): Promise<Zone | undefined> {
  const [row] = await zoneById(db, id, scope);
  return row && seenZone(db, row, scope);
}

/** The zone of a row that a scope sees; undefined if its share has ended meanwhile. */
async function seenZone(db: Kysely<Schema>, row: ZoneRow, scope: Scope): Promise<Zone | undefined> {
  const zone = zoneFromRow(row);
  if (scope === 'all projects' || zone.projectId === scope.projectId) return zone;
  const shareScope = await shareScopeIn(db, scope, { zoneId: zone.id, owner: zone.projectId });
  if (shareScope === undefined) return undefined;
  return narrowsNothing(shareScope) ? zone : { ...zone, shareScope };
}

const inserted = preparedInsert('zones');
const updated = preparedUpdate('zones', [
  'name',
  'subtree_key',
  'project_id',
  'pool_id',
  'type',
  'action',
  'status',
  'created_at',
]);

interface SoaChange {
  readonly zoneId: string;
  readonly key: string;
  readonly records: string;
  readonly serial: number;
}

const soaUpdated = prepared<SoaChange>((db, slot) =>
  db
    .updateTable('recordsets')
    .set({ records: slot(({ records }) => records), serial: slot(({ serial }) => serial) })
    .where(sql<boolean>`zone_id = ${slot(({ zoneId }) => zoneId)}`)
    .where(sql<boolean>`subtree_key = ${slot(({ key }) => key)}`)
    .where('type', '=', sql.lit('SOA')),
);

export function zoneReads(reads: DatabaseReads): ZoneReads {
  const { reader: db } = reads;
  const lists = listsOf(reads, ZONES);
  return {
    find: (id, scope) => findZone(db, id, scope),
    seenAmong: (names, scope) => findSeenAmong(db, names, scope),
    conflicts: (wanted) => conflictsWith(db, wanted),
    hiddenBy: (names) => hiddenBy(db, names),

    ...lists,
    list: narrowedLists(lists.list, {
      narrowingOf(scope) {
        const check = zoneCheckIn(scope);
        return check && ((zones) => zones.filter(check));
      },
      has: async (id, scope) => (await findZone(db, id, scope)) !== undefined,
    }),

    async fullest(projectId, by) {
      const row = await db
        .selectFrom('zones')
        .select(['id', 'name', 'recordsets', 'records', 'bytes'])
        .where('project_id', '=', projectId)
        .orderBy(by, 'desc')
        .limit(1)
        .executeTakeFirst();
      return row && { ...row, name: canonicalName(row.name) };
    },

    async maxRecordsets(projectId) {
      const row = await reads
        .longReads(projectId)
        .selectFrom('zones')
        .select(({ fn }) => fn.max<number | null>('recordsets').as('most'))
        .where('project_id', '=', projectId)
        .executeTakeFirst();
      return row?.most ?? 0;
    },
  };
}

/** Locks the zones of a project with the most recordsets and the most records. */
async function lockFullest(db: Kysely<Schema>, projectId: string): Promise<readonly Zone[]> {
  // The index on records limits the search: no zone has more recordsets than records.
  const candidates = db
    .selectFrom('zones')
    .select('id')
    .where('project_id', '=', projectId)
    .orderBy('records', 'desc')
    .limit(CANDIDATES);
  const most = (column: 'recordsets' | 'records') =>
    zonesWithState(db)
      .where('zones.id', 'in', candidates)
      .orderBy(`zones.${column}`, 'desc')
      .orderBy('zones.id')
      .limit(1)
      .modifyEnd(dialectOf(db).forUpdateOf('zones'))
      .execute();
  const [recordsets, records] = await pipelined(most('recordsets'), most('records'));
  return [...recordsets, ...records].map(zoneFromRow);
}

export function zoneWrites({ now: db, later }: OpenTransaction): ZoneWrites {
  /** Deletes an open transfer request. Completed ones stay as a record. */
  const forgetOffer = (id: string): void =>
    later(db.deleteFrom('zone_transfer_requests').where('zone_id', '=', id).where('status', '=', 'ACTIVE'));

  return {
    lockName: (name) => lockGate(db, name),
    lockFreeNames: (names) => lockFreeGates(db, names),

    async lock(id, scope) {
      const [row] = await zoneByIdLocked(db, id, scope);
      // The share may have ended during the wait for the lock; the statement that waited still sees it.
      return row && seenZone(db, row, scope);
    },

    find: (id, scope) => findZone(db, id, scope),
    lockFullest: (projectId) => lockFullest(db, projectId),

    setNotified: (id, notified) =>
      later(db.updateTable('zones').set({ told: notified }).where('id', '=', id)),

    setGuardrails: (id, modes) =>
      later(
        db
          .updateTable('zones')
          .set({ guardrails: modes && JSON.stringify(modes) })
          .where('id', '=', id),
      ),

    conflicts: (wanted) => conflictsWith(db, wanted),
    hiddenBy: (names) => hiddenBy(db, names),

    async hasChildren(name) {
      const { from, to } = subtreeRange(name);
      const child = await db
        .selectFrom('zones')
        .select('id')
        .where('subtree_key', '>=', from)
        .where('subtree_key', '<', to)
        .limit(1)
        .executeTakeFirst();
      return child !== undefined;
    },

    namesAmong: (names) => findNamesAmong(db, names),

    insert: (...zones) => later(inserted(db, zones.map(toZoneRow))),

    update(zone, soa) {
      const row = toZoneRow(zone);
      later(updated(db, row));
      if (soa === undefined) return;
      const { id: zoneId, subtree_key: key, serial } = row;
      later(soaUpdated(db, { zoneId, key, records: JSON.stringify([soa]), serial }));
    },

    moveTo: (id, projectId) =>
      later(db.updateTable('zones').set({ project_id: projectId }).where('id', '=', id)),

    setPool: (id, poolId) => later(db.updateTable('zones').set({ pool_id: poolId }).where('id', '=', id)),

    correct: (id, { recordsets, records, bytes }) =>
      later(db.updateTable('zones').set({ recordsets, records, bytes }).where('id', '=', id)),

    leave(zone) {
      const { id, ...columns } = toZoneRow(zone);
      later(db.deleteFrom('zone_shares').where('zone_id', '=', id));
      forgetOffer(id);
      later(db.updateTable('zones').set(columns).where('id', '=', id));
    },

    remove({ id }) {
      later(db.deleteFrom('zone_shares').where('zone_id', '=', id));
      forgetOffer(id);
      later(db.deleteFrom('zones').where('id', '=', id));
    },
  };
}
