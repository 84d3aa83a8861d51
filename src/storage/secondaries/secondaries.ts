/** The masters of secondary zones, and the results of contacting them. */
import { type Kysely, type Selectable, sql } from 'kysely';
import { canonicalName, type Fqdn } from '../../dns/names.ts';
import type {
  ClaimPlaces,
  Contact,
  DueTimes,
  SecondaryFault,
  SecondaryReads,
  SecondaryState,
  SecondaryWrites,
} from '../../model/secondaries/store.ts';
import type { OpenTransaction } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';
import { isAmong } from '../lists/list-conditions.ts';
import { candidates, due, inTurns } from './due.ts';

type SecondaryRow = Selectable<Schema['secondaries']>;

const PAGE = 500;

/** The column has a line for owners, and a second one for administrators if their text differs. */
function faultFrom(column: string): SecondaryFault {
  const [fault = '', cause = fault] = column.split('\n');
  return { fault, cause };
}

function faultColumn({ fault, cause }: SecondaryFault): string {
  const lines = cause === fault ? [fault] : [fault, cause];
  return lines.map((line) => line.replaceAll('\n', ' ')).join('\n');
}

function fromRow(row: SecondaryRow): SecondaryState {
  return {
    zoneId: row.zone_id,
    masters: JSON.parse(row.masters),
    dueAt: row.due_at,
    contactAt: row.contact_at,
    expiresAt: row.expires_at,
    isExpired: row.expired === 1,
    attempts: row.attempts,
    ...faultFrom(row.fault),
  };
}

/** Whether a secondary zone is due to expire. The condition matches that of the index. */
const isExpiring = (now: string) => sql<boolean>`expires_at <> '' and expires_at <= ${now} and expired = 0`;

function expiring(db: Kysely<Schema>, now: string) {
  return db.selectFrom('secondaries').where(isExpiring(now));
}

const idsOf = (rows: readonly { readonly zone_id: string }[]): string[] => rows.map((row) => row.zone_id);

export function secondaryReads(db: Kysely<Schema>): SecondaryReads {
  return {
    async find(zoneId) {
      const row = await db
        .selectFrom('secondaries')
        .selectAll()
        .where('zone_id', '=', zoneId)
        .executeTakeFirst();
      return row && fromRow(row);
    },

    async findByName(name) {
      const row = await db
        .selectFrom('zones')
        .innerJoin('secondaries', 'secondaries.zone_id', 'zones.id')
        .selectAll('secondaries')
        .where('zones.name', '=', name)
        .where('zones.action', '<>', 'DELETE')
        .executeTakeFirst();
      return row && fromRow(row);
    },

    async page(after) {
      const rows = await db
        .selectFrom('secondaries')
        .innerJoin('zones', 'zones.id', 'secondaries.zone_id')
        .select(['secondaries.zone_id', 'secondaries.masters', 'zones.name'])
        .where('secondaries.zone_id', '>', after)
        .where('zones.action', '<>', 'DELETE')
        .orderBy('secondaries.zone_id')
        .limit(PAGE)
        .execute();
      return rows.map((row) => ({
        zoneId: row.zone_id,
        name: canonicalName<Fqdn>(row.name),
        masters: JSON.parse(row.masters),
      }));
    },

    async hasWork(now) {
      const [waiting, over] = await Promise.all([
        due(db, now).select('zone_id').limit(1).executeTakeFirst(),
        expiring(db, now).select('zone_id').limit(1).executeTakeFirst(),
      ]);
      return waiting !== undefined || over !== undefined;
    },
  };
}

async function claim(
  db: Kysely<Schema>,
  now: string,
  until: string,
  limit: number,
  places: ClaimPlaces | undefined,
) {
  const ids = inTurns(await candidates(db, now, limit), limit, places);
  if (ids.length === 0) return [];
  const among = isAmong(db, 'zone_id', ids);
  await db
    .updateTable('secondaries')
    .set({ due_at: until, leased_until: until, asked_at: now })
    .where(among)
    .execute();
  const rows = await db
    .selectFrom('secondaries')
    .innerJoin('zones', 'zones.id', 'secondaries.zone_id')
    .selectAll('secondaries')
    .select(['zones.name', 'zones.serial'])
    .where(among)
    .execute();
  return rows.map((row) => ({
    zoneId: row.zone_id,
    projectId: row.project_id,
    name: canonicalName<Fqdn>(row.name),
    serial: row.transferred === 1 ? row.serial : null,
    masters: JSON.parse(row.masters),
    wantsWhole: row.wants_whole === 1,
  }));
}

const soonestAfter = ({ now, askedSince, afterPause }: DueTimes) =>
  sql<string>`case when asked_at > ${askedSince} then cast(${afterPause} as text) else cast(${now} as text) end`;

/** Ends a lease. If the zone was made due during it, that due time is kept. */
const leaseEnd = (dueAt: string) => ({
  due_at: sql<string>`case when leased_until <> '' and due_at = leased_until then cast(${dueAt} as text) else due_at end`,
  leased_until: '',
});

function contacted(db: Kysely<Schema>, { zoneId, isTransfer, at, dueAt, expiresAt, retry, fault }: Contact) {
  const of = db.updateTable('secondaries').where('zone_id', '=', zoneId);
  const state = { contact_at: at, expires_at: expiresAt, retry, expired: 0, fault };
  // A master that sent unusable data does not regain trust because it has nothing new.
  const attempts = sql<number>`case when expired = 1 then 0 else attempts end`;
  if (!isTransfer) return of.set({ ...state, attempts, ...leaseEnd(dueAt) });
  const wantsWhole = sql<number>`case when due_at = leased_until then 0 else wants_whole end`;
  return of.set({ ...state, ...leaseEnd(dueAt), attempts: 0, wants_whole: wantsWhole, transferred: 1 });
}

export function secondaryWrites({ now: db, later }: OpenTransaction): SecondaryWrites {
  const of = (zoneId: string) => db.updateTable('secondaries').where('zone_id', '=', zoneId);
  return {
    insert: ({ id, projectId, masters, createdAt }) =>
      later(
        db.insertInto('secondaries').values({
          zone_id: id,
          project_id: projectId,
          masters: JSON.stringify(masters),
          due_at: createdAt,
          leased_until: '',
          asked_at: '',
          contact_at: '',
          expires_at: '',
          fault: '',
          retry: 0,
          attempts: 0,
          wants_whole: 0,
          transferred: 0,
          expired: 0,
        }),
      ),

    setMasters: ({ id, masters }, when) =>
      later(of(id).set({ masters: JSON.stringify(masters), due_at: soonestAfter(when) })),

    moveTo: (zoneId, projectId) => later(of(zoneId).set({ project_id: projectId })),

    end: (zoneId, isGone) =>
      later(
        isGone
          ? db.deleteFrom('secondaries').where('zone_id', '=', zoneId)
          : of(zoneId).set({ due_at: '', leased_until: '', expires_at: '' }),
      ),

    claim: (now, until, limit, places) => claim(db, now, until, limit, places),

    async expire(now, limit) {
      const found = await expiring(db, now).select('zone_id').orderBy('expires_at').limit(limit).execute();
      if (found.length === 0) return [];
      // Another process may have found them too, or a transfer may have come first: what counts is what is changed.
      const changed = await db
        .updateTable('secondaries')
        .set({ expired: 1 })
        .where(isAmong(db, 'zone_id', idsOf(found)))
        .where(isExpiring(now))
        .returning('zone_id')
        .execute();
      if (changed.length === 0) return [];
      const zones = db.selectFrom('zones').select(['id', 'name', 'project_id']);
      const rows = await zones.where(isAmong(db, 'id', idsOf(changed))).execute();
      return rows.map(({ id, name, project_id }) => ({
        id,
        name: canonicalName(name),
        projectId: project_id,
      }));
    },

    release: (zoneId, dueAt) => later(of(zoneId).set(leaseEnd(dueAt))),

    order(zoneId, when, wantsWhole) {
      const soonest = soonestAfter(when);
      if (wantsWhole) later(of(zoneId).set({ wants_whole: 1 }));
      later(of(zoneId).set({ due_at: soonest }).where('due_at', '>', soonest));
    },

    async contacted(contact) {
      const before = await db
        .selectFrom('secondaries')
        .select('expired')
        .where('zone_id', '=', contact.zoneId)
        .executeTakeFirst();
      later(contacted(db, contact));
      return before?.expired === 1;
    },

    async retryOf(zoneId) {
      const row = await db
        .selectFrom('secondaries')
        .select(['retry', 'attempts', 'expired'])
        .where('zone_id', '=', zoneId)
        .executeTakeFirst();
      return row && { retry: row.retry, attempts: row.attempts, isExpired: row.expired === 1 };
    },

    failed: (zoneId, fault, dueAt, counts) => {
      const attempts = counts ? { attempts: sql<number>`attempts + 1` } : {};
      later(of(zoneId).set({ ...leaseEnd(dueAt), fault: faultColumn(fault), ...attempts }));
    },
  };
}
