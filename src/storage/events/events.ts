import { type Kysely, sql } from 'kysely';
import type { Fqdn } from '../../dns/names.ts';
import { EVENT_TYPES } from '../../model/event-types/contents.ts';
import { VISIBLE_AS } from '../../model/event-types/visible-types.ts';
import { minIdAt } from '../../model/events/event-id.ts';
import type { EventReads, EventWrites, RefusalCount } from '../../model/events/store.ts';
import {
  type Audience,
  type EventHead,
  HEAD,
  type SealedEvent,
  type StoredEventQuery,
} from '../../model/events/stored-event.ts';
import { allowsZone } from '../../model/scopes/credential-scope.ts';
import { IS_THERE } from '../blacklists/visibility.ts';
import type { DatabaseReads, OpenTransaction } from '../database/database.ts';
import { type Dialect, dialectOf } from '../database/dialect.ts';
import type { EventSchema } from '../database/event-schema.ts';
import { preparedInsert } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';
import { filterOn, matchesFilter } from '../lists/list-conditions.ts';
import { type Listing, listsOf } from '../lists/lists.ts';
import { narrowedLists } from '../lists/narrowed.ts';
import { COLUMN_OF, sealedFromRow } from './rows.ts';

/** The columns of a sealed event that come from its head, in the order of the head. */
const HEAD_NAMES = sql.join(HEAD.map((field) => sql.ref(COLUMN_OF[field])));

/** The values of these columns. */
function headValues({ jsonItem }: Dialect) {
  const item = (field: (typeof HEAD)[number], place: number) =>
    field === 'isShown' ? sql`cast(${jsonItem(place)} as integer)` : jsonItem(place);
  return sql.join(HEAD.map(item));
}

/** Of the events that a condition finds, those that the audience may see. */
function seenOf({ projectId, isFull, ownCallers, only }: Audience) {
  const ofZones = only === undefined ? sql`true` : sql`events.target_kind = 'zone'`;
  const shown = isFull ? sql`true` : sql`events.shown = 1`;
  const own = ownCallers ? sql`events.caller_project_id = ${projectId}` : sql`true`;
  return sql<boolean>`${shown} and ${own} and ${ofZones}`;
}

/** See `toldType`. */
const VISIBLE_TYPE = sql`case events.type ${sql.join(
  Object.entries(VISIBLE_AS).map(([type, visible]) => sql`when ${sql.lit(type)} then ${sql.lit(visible)}`),
  sql` `,
)} else events.type end`;

/**
 * The types that match a text with `*`: there are few, and each has its events in order. With a single query for all
 * types, a database might read every matching event to find the newest.
 */
function alternatives(
  { projectId }: Audience,
  filters: StoredEventQuery['filters'],
): readonly StoredEventQuery['filters'][] {
  const { type } = filters;
  if (projectId !== undefined || type === undefined || !type.includes('*')) return [filters];
  const meant = type.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  const pattern = new RegExp(`^${meant.join('.*')}$`, 's');
  const types = EVENT_TYPES.filter((one) => pattern.test(one.type));
  return types.length === 0 ? [filters] : types.map((one) => ({ ...filters, type: one.type }));
}

/** A project's events are those about its own resources, and its actions elsewhere, but not the quotas there. */
const EVENTS: Listing<StoredEventQuery, Audience, EventSchema['events'], SealedEvent> = {
  table: 'events',
  order: { position: ['position'] },
  indexed: ['position'],
  filters: {
    type: filterOn('events.type'),
    visible_type: filterOn(VISIBLE_TYPE),
    target: filterOn('events.target_kind'),
    target_id: filterOn('events.target_id'),
    target_name: filterOn('events.target_name'),
    user_id: filterOn('events.user_id'),
    request_id: filterOn('events.request_id'),
    // Part of the audience.
    project_id: () => sql<boolean>`true`,
    behind: (position) => sql<boolean>`events.position > ${Number(position)}`,
    before: (position) => sql<boolean>`events.position < ${Number(position)}`,
    // Ids sort by time.
    since: (time) => sql<boolean>`events.id >= ${minIdAt(time)}`,
    until: (time) => sql<boolean>`events.id < ${minIdAt(time)}`,
  },
  alternatives,
  within: (audience) =>
    audience.projectId === undefined
      ? sql<boolean>`true`
      : sql<boolean>`events.project_id = ${audience.projectId} and ${seenOf(audience)}`,
  also(audience) {
    if (audience.projectId === undefined) return undefined;
    const isOwners = audience.isFull ? sql`false` : sql`events.type in ('quota.near', 'quota.reached')`;
    const isAmong = sql<boolean>`(events.actor_project_id = ${audience.projectId}
      and events.actor_project_id <> events.project_id and not ${isOwners} and ${seenOf(audience)})`;
    return { isAmong, from: sql`(select * from events where ${isAmong}) as events` };
  },
  fromRow: sealedFromRow,
  size: sql`length(events.data)`,
};

function headFrom(row: EventSchema['event_head']): EventHead {
  const removed = { position: row.removed_position, hash: row.removed_hash };
  return { position: row.position, hash: row.hash, removed, latestId: row.latest_id, lag: row.lag };
}

export async function headOf(db: Kysely<Schema>): Promise<EventHead> {
  return headFrom(await db.selectFrom('event_head').selectAll().executeTakeFirstOrThrow());
}

/**
 * Undefined if the audience sees the events of all zones. Without the zone's name no pattern can be checked, so that a
 * narrower scope, by ID, would see more.
 */
function checkFor({ only }: Audience): ((event: SealedEvent) => boolean) | undefined {
  if (only?.zones === undefined) return undefined;
  return ({ targetId: id, targetName: name }) => name !== '' && allowsZone(only, { id, name: name as Fqdn });
}

export function eventReads(reads: DatabaseReads): EventReads {
  const { reader: db, longReads } = reads;
  const lists = listsOf(reads, EVENTS);

  async function find(id: string, audience: Audience): Promise<SealedEvent | undefined> {
    const own = [EVENTS.within(audience, {}), EVENTS.also?.(audience)?.isAmong ?? sql`false`];
    const seen = sql<boolean>`(${sql.join(own, sql` or `)})`;
    const row = await db.selectFrom('events').selectAll().where('id', '=', id).where(seen).executeTakeFirst();
    const event = row && sealedFromRow(row);
    return event !== undefined && checkFor(audience)?.(event) !== false ? event : undefined;
  }

  return {
    ...lists,
    list: narrowedLists(lists.list, {
      narrowingOf(audience) {
        const check = checkFor(audience);
        return check && ((events) => events.filter(check));
      },
      has: async (id, audience) => (await find(id, audience)) !== undefined,
    }),

    find,

    head: () => headOf(db),

    async positionBefore(id) {
      const query = db.selectFrom('events').select('position').where('id', '<', id).orderBy('id', 'desc');
      return (await query.limit(1).executeTakeFirst())?.position;
    },

    async positionFrom(id) {
      const query = db.selectFrom('events').select('position').where('id', '>=', id).orderBy('id');
      return (await query.limit(1).executeTakeFirst())?.position;
    },

    async isWaiting() {
      return (await db.selectFrom('event_queue').select('id').limit(1).executeTakeFirst()) !== undefined;
    },

    async next({ after, limit, minId, type }) {
      let query = db.selectFrom('events').selectAll().where('position', '>', after);
      if (minId !== '') query = query.where('id', '>=', minId);
      // An expression, so that the index on the type is not used: it would read every matching event to find the next
      // ones.
      if (type !== undefined) query = query.where(matchesFilter(sql`(type || '')`, type));
      return (await query.orderBy('position').limit(limit).execute()).map(sealedFromRow);
    },

    async refusals(since, limit, onBehalfOf) {
      const db = longReads(onBehalfOf);
      const counts = db.selectFrom('refusals').selectAll().where('key', '>=', since);
      const shown = counts.orderBy('hour', 'desc').orderBy('total', 'desc').orderBy('key').limit(limit);
      // Joins only the rows that are shown: there may be many more.
      const rows = await db
        .selectFrom(shown.as('shown'))
        .leftJoin('blacklists', (join) => join.onRef('blacklists.id', '=', 'shown.blacklist_id').on(IS_THERE))
        .select(['shown.hour', 'shown.type', 'shown.blacklist_id', 'shown.total', 'blacklists.pattern'])
        .orderBy('shown.hour', 'desc')
        .orderBy('shown.total', 'desc')
        .orderBy('shown.key')
        .execute();
      return rows.map(({ hour, type, blacklist_id, pattern, total }) => ({
        hour,
        type,
        blacklistId: blacklist_id,
        pattern,
        count: total,
      }));
    },
  };
}

const appended = preparedInsert('event_queue');

function refusalRow({ hour, type, blacklistId, count }: RefusalCount) {
  return { key: `${hour} ${type} ${blacklistId}`, hour, type, blacklist_id: blacklistId, total: count };
}

export function eventWrites({ now: db, later }: OpenTransaction): EventWrites {
  return {
    append: (...events) => later(appended(db, events)),

    countRefusals(counts) {
      // In a fixed order, so that two processes do not deadlock.
      const rows = counts.map(refusalRow).sort((one, other) => (one.key < other.key ? -1 : 1));
      for (const row of rows) {
        const insert = db.insertInto('refusals').values(row);
        later(
          insert.onConflict((conflict) =>
            conflict
              .column('key')
              .doUpdateSet((eb) => ({ total: eb('refusals.total', '+', eb.ref('excluded.total')) })),
          ),
        );
      }
    },

    async lockHead() {
      const query = db.selectFrom('event_head').selectAll().modifyEnd(dialectOf(db).forUpdate);
      return headFrom(await query.executeTakeFirstOrThrow());
    },

    waiting: (limit) => db.selectFrom('event_queue').selectAll().orderBy('id').limit(limit).execute(),

    seal(from, hashes, { position, hash, latestId, lag }) {
      const dialect = dialectOf(db);
      const members = dialect.jsonMembers(sql`${JSON.stringify(Object.fromEntries(hashes))}`);
      // One statement text for any number of events, because each text is prepared.
      later(
        sql`insert into events (position, hash, data, mac, ${HEAD_NAMES})
          select ${from} + place, hash, data, mac, ${headValues(dialect)}
          from (
            select row_number() over (order by event_queue.id) as place, record.value as hash, data, mac,
              ${dialect.parsed(sql.ref('event_queue.head'))} as parsed
            from ${members} join event_queue on event_queue.id = record.key
          ) as waiting`.compile(db),
      );
      later(sql`delete from event_queue where id in (select record.key from ${members})`.compile(db));
      later(db.updateTable('event_head').set({ position, hash, latest_id: latestId, lag }));
    },

    oldest: (limit) =>
      db.selectFrom('events').select(['position', 'hash', 'time']).orderBy('position').limit(limit).execute(),

    removeUpTo({ position, hash }) {
      later(db.deleteFrom('events').where('position', '<=', position));
      later(db.updateTable('event_head').set({ removed_position: position, removed_hash: hash }));
    },

    forgetRefusals: (before) => later(db.deleteFrom('refusals').where('key', '<', before)),
  };
}
