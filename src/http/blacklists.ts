import {
  BLACKLIST_FILTERS,
  BLACKLIST_SORT_KEYS,
  type Blacklist,
  type BlacklistQuery,
} from '../domain/blacklists/blacklist.ts';
import type { BlacklistUseCases, Stored } from '../domain/blacklists/blacklists.ts';
import { descriptionFault } from '../domain/text.ts';
import { jsonBody } from './body.ts';
import { listLinks, pageLinks } from './links.ts';
import { type PageLimits, readListQuery } from './list-query.ts';
import {
  type ApiReply,
  type ApiRequest,
  actingProject,
  created,
  type Route,
  replyCreated,
  route,
} from './route.ts';
import { nullable, object, text } from './shape.ts';

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

function storedToWire({ blacklist, warnings }: Stored, base: string) {
  return { ...toWire(blacklist, base), ...(warnings.length > 0 ? { warnings } : {}) };
}

/** The whole collection as JSON text, written as it is read. */
async function* streamed(
  batches: AsyncIterable<readonly Blacklist[]>,
  base: string,
  url: string,
): AsyncGenerator<string> {
  yield '{"blacklists":[';
  let separator = '';
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    yield separator + batch.map((one) => JSON.stringify(toWire(one, base))).join(',');
    separator = ',';
  }
  yield `],"links":${JSON.stringify(listLinks(base, url))}}`;
}

interface ListRequest {
  readonly query: BlacklistQuery;
  readonly whole: boolean;
}

async function list(
  blacklists: BlacklistUseCases,
  request: ApiRequest<ListRequest, unknown>,
): Promise<ApiReply> {
  const { act, base, url } = request;
  const { query, whole } = request.query;
  if (whole) return { status: 200, body: streamed(blacklists.stream(act, query), base, url) };
  const page = await blacklists.list(act, query);
  const entries = page.items.map((one) => toWire(one, base));
  return { status: 200, body: { blacklists: entries, links: pageLinks({ base, url, query }, page) } };
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
  const updateBody = jsonBody(object({}, { pattern, description }));

  return [
    route({
      method: 'POST',
      path: '/v2/blacklists',
      guard: actingProject('create_blacklist'),
      body: createBody,
      handle: (request) =>
        replyCreated(
          request,
          (act) => blacklists.create(act, request.body),
          (stored: Stored) => created(201, storedToWire(stored, request.base)),
        ),
    }),
    route({
      method: 'GET',
      path: '/v2/blacklists',
      guard: actingProject('find_blacklists'),
      query: (parameters): ListRequest => ({
        query: readListQuery(parameters, {
          sortKeys: BLACKLIST_SORT_KEYS,
          filters: BLACKLIST_FILTERS,
          limits,
        }),
        whole: !parameters.has('limit') && !parameters.has('marker'),
      }),
      handle: (request) => list(blacklists, request),
    }),
    route({
      method: 'GET',
      path: '/v2/blacklists/:id',
      guard: actingProject('get_blacklist'),
      handle: async ({ act, params, base }) => ({
        status: 200,
        body: toWire(await blacklists.get(act, params.id!), base),
      }),
    }),
    route({
      method: 'PATCH',
      path: '/v2/blacklists/:id',
      guard: actingProject('update_blacklist'),
      body: updateBody,
      handle: async ({ act, params, body, base }) => ({
        status: 200,
        body: storedToWire(await blacklists.update(act, params.id!, body), base),
      }),
    }),
    route({
      method: 'DELETE',
      path: '/v2/blacklists/:id',
      guard: actingProject('delete_blacklist'),
      async handle({ act, params }) {
        await blacklists.remove(act, params.id!);
        return { status: 204 };
      },
    }),
  ];
}
