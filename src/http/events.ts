import type { ShownEvent } from '../domain/events/event-json.ts';
import { eventJson } from '../domain/events/event-json.ts';
import type { PastEventUseCases } from '../domain/history/past-events.ts';
import { EVENT_FILTERS, EVENT_SORT_KEYS } from '../model/events/stored-event.ts';
import { type ResponseBody, responseSchema } from './edge/response-schema.ts';
import { responsesWith } from './edge/responses.ts';
import { actingProject, type Route, route } from './edge/route.ts';
import { exactTimeOf } from './edge/time-parameter.ts';
import { listRoute } from './lists/list.ts';
import type { PageLimits } from './lists/list-query.ts';

const PATH = '/v2/events';

const known = responseSchema.nullable(responseSchema.text());
const shown = responseSchema.titled(
  'Event',
  responseSchema.object(
    {
      id: responseSchema.id,
      position: responseSchema.integer({ minimum: 1 }),
      time: responseSchema.time,
      type: responseSchema.text({ examples: ['zone.created'] }),
      outcome: responseSchema.choice(['done', 'refused']),
      error: known,
      actor: responseSchema.object(
        {
          kind: responseSchema.text({ examples: ['request'] }),
          project_id: responseSchema.nullable(responseSchema.projectId),
        },
        { user_id: known, request_id: known, address: known },
      ),
      target: responseSchema.object({
        kind: responseSchema.text({ examples: ['zone'] }),
        id: known,
        name: known,
        project_id: responseSchema.nullable(responseSchema.projectId),
      }),
      hash: responseSchema.text({ pattern: '^[0-9a-f]{64}$', examples: ['5e'.repeat(32)] }),
      links: responseSchema.object({ self: responseSchema.link }),
    },
    {
      before: responseSchema.anything,
      after: responseSchema.anything,
      details: responseSchema.anything,
      restricted: responseSchema.anything,
    },
  ),
);

function toWire(event: ShownEvent, base: string): ResponseBody<typeof shown> {
  const links = { self: `${base}${PATH}/${event.id}` };
  return { ...eventJson(event), links };
}

/** The read-only operations on past events. */
export function eventRoutes(events: PastEventUseCases, limits: PageLimits): Route[] {
  return [
    listRoute(
      {
        path: PATH,
        rule: 'find_events',
        scopedReach: 'whole zones',
        key: 'events',
        sortKeys: EVENT_SORT_KEYS,
        descendingFirst: EVENT_SORT_KEYS,
        filters: EVENT_FILTERS,
        canonical: { since: exactTimeOf, until: exactTimeOf },
        notes: { since: 'Only events at or after this time.', until: 'Only events before this time.' },
        sends: shown,
        toWire,
        list: (context, query) => events.list(context, query),
      },
      limits,
    ),
    route({
      method: 'GET',
      path: `${PATH}/{event_id}`,
      guard: actingProject('get_event'),
      scopedReach: 'whole zones',
      responses: responsesWith(200, shown),
      handle: async ({ context, params, base }) => ({
        status: 200,
        body: toWire(await events.get(context, params.event_id!), base),
      }),
    }),
  ];
}
