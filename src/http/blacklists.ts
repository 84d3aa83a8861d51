import { BLACKLIST_FILTERS, BLACKLIST_SORT_KEYS, type Blacklist } from '../domain/blacklists/blacklist.ts';
import type { BlacklistUseCases, Stored } from '../domain/blacklists/blacklists.ts';
import { nullable, object, text } from '../domain/shapes/shape.ts';
import { descriptionFault } from '../domain/text.ts';
import { jsonBody } from './body.ts';
import { changesBody } from './changes.ts';
import { listRoute } from './list.ts';
import type { PageLimits } from './list-query.ts';
import { actingProject, created, type Route, replyCreated, route, tagged } from './route.ts';

function toWire(blacklist: Blacklist, base: string) {
  const { exhausted } = blacklist;
  return {
    id: blacklist.id,
    pattern: blacklist.pattern,
    description: blacklist.description,
    created_at: blacklist.createdAt,
    updated_at: blacklist.updatedAt,
    links: { self: `${base}/v2/blacklists/${blacklist.id}` },
    ...(exhausted === null ? {} : { exhausted: { count: exhausted.count, last_at: exhausted.lastAt } }),
  };
}

const asBlacklist = tagged((blacklist: Blacklist) => toWire(blacklist, ''));

function storedToWire({ blacklist, warnings }: Stored, base: string) {
  return { ...toWire(blacklist, base), ...(warnings.length > 0 ? { warnings } : {}) };
}

/** The five operations on blacklists. */
export function blacklistRoutes(blacklists: BlacklistUseCases, limits: PageLimits): Route[] {
  const pattern = text((given) => blacklists.patternFault(given), {
    minLength: 1,
    maxLength: 4096,
    description: "A regular expression in the dialect of Python's re.",
  });
  const description = nullable(text(descriptionFault, { maxLength: 1024 }));
  const createBody = jsonBody(object({ pattern }, { description }));
  const updateBody = changesBody(object({}, { pattern, description }));

  return [
    route({
      method: 'POST',
      path: '/v2/blacklists',
      guard: actingProject('create_blacklist'),
      body: createBody,
      tagged: asBlacklist,
      handle: (request) =>
        replyCreated(
          request,
          (act) => blacklists.create(act, request.body),
          (stored: Stored) => created(201, storedToWire(stored, request.base)),
        ),
    }),
    listRoute(
      {
        path: '/v2/blacklists',
        rule: 'find_blacklists',
        key: 'blacklists',
        sortKeys: BLACKLIST_SORT_KEYS,
        filters: BLACKLIST_FILTERS,
        toWire,
        list: (act, query) => blacklists.list(act, query),
        stream: (act, query) => blacklists.stream(act, query),
      },
      limits,
    ),
    route({
      method: 'GET',
      path: '/v2/blacklists/{blacklist_id}',
      guard: actingProject('get_blacklist'),
      tagged: asBlacklist,
      handle: async ({ act, params, base }) => ({
        status: 200,
        body: toWire(await blacklists.get(act, params.blacklist_id!), base),
      }),
    }),
    route({
      method: 'PATCH',
      path: '/v2/blacklists/{blacklist_id}',
      guard: actingProject('update_blacklist'),
      body: updateBody,
      tagged: asBlacklist,
      async handle({ act, params, body, base }) {
        const id = params.blacklist_id!;
        const changes = await body.over(async () => toWire(await blacklists.get(act, id), base));
        return { status: 200, body: storedToWire(await blacklists.update(act, id, changes), base) };
      },
    }),
    route({
      method: 'DELETE',
      path: '/v2/blacklists/{blacklist_id}',
      guard: actingProject('delete_blacklist'),
      tagged: asBlacklist,
      async handle({ act, params }) {
        await blacklists.remove(act, params.blacklist_id!);
        return { status: 204 };
      },
    }),
  ];
}
