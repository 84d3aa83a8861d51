import { canonicalFilter } from '../dns/names.ts';
import { nullable, object, parsed, text } from '../domain/shapes/shape.ts';
import type { TldUseCases } from '../domain/tlds/tlds.ts';
import { descriptionFault } from '../model/text.ts';
import { parseTldName, TLD_FILTERS, TLD_SORT_KEYS, type Tld } from '../model/tlds/tld.ts';
import { jsonBody } from './edge/body.ts';
import { patchBody } from './edge/patch-body.ts';
import { type ResponseBody, responseSchema } from './edge/response-schema.ts';
import { responsesCreated, responsesNothing, responsesWith } from './edge/responses.ts';
import { actingProject, created, type Route, replyCreated, route } from './edge/route.ts';
import { listRoute } from './lists/list.ts';
import type { PageLimits } from './lists/list-query.ts';
import type { RoutedPart } from './resource-part.ts';

const PATH = '/v2/tlds';
const ONE = `${PATH}/{tld_id}`;

const shown = responseSchema.titled(
  'Tld',
  responseSchema.object({
    id: responseSchema.id,
    name: responseSchema.text({ examples: ['co.uk'] }),
    description: responseSchema.nullable(responseSchema.text()),
    created_at: responseSchema.time,
    updated_at: responseSchema.nullable(responseSchema.time),
    links: responseSchema.object({ self: responseSchema.link }),
  }),
);

function toWire(tld: Tld, base: string): ResponseBody<typeof shown> {
  return {
    id: tld.id,
    name: tld.name,
    description: tld.description,
    created_at: tld.createdAt,
    updated_at: tld.updatedAt,
    links: { self: `${base}${PATH}/${tld.id}` },
  };
}

const name = parsed(parseTldName, {
  maxLength: 253,
  description: 'One or more labels without a final dot, stored in lower case as A-labels.',
  examples: ['co.uk'],
});
const description = nullable(text(descriptionFault, { maxLength: 1024 }));
const createBody = jsonBody(object({ name }, { description }));
const updateBody = patchBody(object({}, { name, description }));

/** The CRUD operations on TLDs. */
function tldRoutes(tlds: TldUseCases, limits: PageLimits): Route[] {
  return [
    route({
      method: 'POST',
      path: PATH,
      guard: actingProject('create_tld'),
      body: createBody,
      responses: responsesCreated(201, shown),
      refusals: ['duplicate_tld'],
      handle: (request) =>
        replyCreated(
          request,
          (options) => tlds.create(request.context, request.body, options),
          (tld: Tld) => created(201, toWire(tld, request.base)),
        ),
    }),
    listRoute(
      {
        path: PATH,
        rule: 'find_tlds',
        key: 'tlds',
        sortKeys: TLD_SORT_KEYS,
        filters: TLD_FILTERS,
        canonical: { name: canonicalFilter },
        sends: shown,
        toWire,
        list: (context, query) => tlds.list(context, query),
      },
      limits,
    ),
    route({
      method: 'GET',
      path: ONE,
      guard: actingProject('get_tld'),
      responses: responsesWith(200, shown),
      handle: async ({ context, params, base }) => ({
        status: 200,
        body: toWire(await tlds.get(context, params.tld_id!), base),
      }),
    }),
    route({
      method: 'PATCH',
      path: ONE,
      guard: actingProject('update_tld'),
      body: updateBody,
      responses: responsesWith(200, shown),
      refusals: ['duplicate_tld'],
      async handle({ context, params, body, base }) {
        const id = params.tld_id!;
        const changes = await body.resolveAgainst(async () => toWire(await tlds.get(context, id), base));
        return { status: 200, body: toWire(await tlds.update(context, id, changes), base) };
      },
    }),
    route({
      method: 'DELETE',
      path: ONE,
      guard: actingProject('delete_tld'),
      responses: responsesNothing(204),
      async handle({ context, params }) {
        await tlds.remove(context, params.tld_id!);
        return { status: 204 };
      },
    }),
  ];
}

export const tlds: RoutedPart<{ readonly tlds: TldUseCases }> = {
  tags: { tlds: 'TLDs' },
  ids: { tld_id: ['TLD', 'tld_not_found'] },
  routes: (useCases, limits) => tldRoutes(useCases.tlds, limits),
};
