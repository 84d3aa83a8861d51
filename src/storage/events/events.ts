import { type Kysely, sql } from 'kysely';
import type { Fqdn } from '../../dns/names.ts';
import type { EventReads, EventWrites, RefusalCount } from '../../model/events/store.ts';
import { type Audience, type EventHead, HEAD, type SealedEvent } from '../../model/events/stored-event.ts';
import { allowsZone } from '../../model/scopes/credential-scope.ts';
import { IS_THERE } from '../blacklists/visibility.ts';
import type { DatabaseReads, OpenTransaction } from '../database/database.ts';
import { type Dialect, dialectOf } from '../database/dialect.ts';
import type { EventSchema } from '../database/event-schema.ts';
import { preparedInsert } from '../database/prepared.ts';
import type { Schema } from '../database/schema.ts';
import { matchesFilter } from '../lists/list-conditions.ts';
import { listsOf } from '../lists/lists.ts';
import { narrowedLists } from '../lists/narrowed.ts';
import { EVENTS } from './event-lists.ts';
import { COLUMN_OF, sealedFromRow } from './rows.ts';

/** The columns of a sealed event that come from its head, in the order of the head. */
const HEAD_NAMES = sql.join(HEAD.map((field) => sql.ref(COLUMN_OF[field])));

/** The values of these columns. */
function headValues({ jsonItem }: Dialect) {
  const item = (field: (typeof HEAD)[number], place: number) =>
    field === 'isShown' ? sql`cast(${jsonItem(place)} as integer)` : jsonItem(place);
  return sql.join(HEAD.map(item));
}

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
      // Between two positions, so that PostgreSQL expects few of them, even in a plan for any position.
      const removed = db.selectFrom('event_head').select('removed_position');
      later(db.deleteFrom('events').where('position', '>', removed).where('position', '<=', position));
      later(db.updateTable('event_head').set({ removed_position: position, removed_hash: hash }));
    },

    forgetRefusals: (before) => later(db.deleteFrom('refusals').where('key', '<', before)),
  };
}
