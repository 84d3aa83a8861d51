import { sql } from 'kysely';
import { EVENT_TYPES } from '../../model/event-types/contents.ts';
import { VISIBLE_AS } from '../../model/event-types/visible-types.ts';
import { minIdAt } from '../../model/events/event-id.ts';
import type { Audience, SealedEvent, StoredEventQuery } from '../../model/events/stored-event.ts';
import type { EventSchema } from '../database/event-schema.ts';
import { filterOn } from '../lists/list-conditions.ts';
import type { Listing } from '../lists/lists.ts';
import { sealedFromRow } from './rows.ts';

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

/** Filters whose indexes find a few events each. */
const FINDS_FEW = ['target_id', 'target_name', 'request_id'] as const;

const isExact = (text: string | undefined) => text !== undefined && !text.includes('*');

/** A project's events are those about its own resources, and its actions elsewhere, but not the quotas there. */
export const EVENTS: Listing<StoredEventQuery, Audience, EventSchema['events'], SealedEvent> = {
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
  within(audience, filters) {
    if (audience.projectId === undefined) return sql`true`;
    // Of a project that has nearly all events, its own index must not be used where another one finds few.
    const project = FINDS_FEW.some((one) => isExact(filters[one]))
      ? sql`coalesce(events.project_id, '')`
      : sql`events.project_id`;
    return sql`(${project} = ${audience.projectId} and ${seenOf(audience)})`;
  },
  also(audience) {
    if (audience.projectId === undefined) return undefined;
    const isOwners = audience.isFull ? sql`false` : sql`events.type in ('quota.near', 'quota.reached')`;
    const isAmong = sql<boolean>`(events.actor_project_id = ${audience.projectId}
      and events.actor_project_id <> events.project_id and not ${isOwners} and ${seenOf(audience)})`;
    return { isAmong, from: () => sql`(select * from events where ${isAmong}) as events` };
  },
  fromRow: sealedFromRow,
  size: sql`length(events.data)`,
};
