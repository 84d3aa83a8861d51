import { choice, object, parsed, text } from '../domain/shapes/shape.ts';
import type { TsigKeyUseCases } from '../domain/tsig-keys/tsig-keys.ts';
import {
  MAX_SECRET_LENGTH,
  parseTsigKeyName,
  secretFault,
  TSIG_ALGORITHMS,
  TSIG_KEY_FILTERS,
  TSIG_KEY_SORT_KEYS,
  TSIG_SCOPES,
  type TsigKey,
} from '../model/tsig-keys/tsig-key.ts';
import { jsonBody } from './edge/body.ts';
import { patchBody } from './edge/patch-body.ts';
import { type ResponseBody, responseSchema } from './edge/response-schema.ts';
import { responsesCreated, responsesNothing, responsesWith } from './edge/responses.ts';
import { actingProject, created, type Route, replyCreated, route } from './edge/route.ts';
import { parseUuid } from './edge/uuid.ts';
import { listRoute } from './lists/list.ts';
import type { PageLimits } from './lists/list-query.ts';

const PATH = '/v2/tsigkeys';
const ONE = `${PATH}/{tsigkey_id}`;

const NAME = 'transfers.example.org';
const SECRET = 'c2VjcmV0IG9mIGFuIGV4YW1wbGU=';

const shown = responseSchema.titled(
  'TsigKey',
  responseSchema.object({
    id: responseSchema.id,
    name: responseSchema.text({ examples: [NAME] }),
    algorithm: responseSchema.choice(TSIG_ALGORITHMS),
    secret: responseSchema.text({ examples: [SECRET] }),
    scope: responseSchema.choice(TSIG_SCOPES),
    resource_id: responseSchema.id,
    created_at: responseSchema.time,
    updated_at: responseSchema.nullable(responseSchema.time),
    links: responseSchema.object({ self: responseSchema.link }),
  }),
);

/** Includes the secret for administrators, as Designate does. */
function toWire(key: TsigKey, base: string): ResponseBody<typeof shown> {
  return {
    id: key.id,
    name: key.name,
    algorithm: key.algorithm,
    secret: key.secret,
    scope: key.scope,
    resource_id: key.resourceId,
    created_at: key.createdAt,
    updated_at: key.updatedAt,
    links: { self: `${base}${PATH}/${key.id}` },
  };
}

const required = {
  name: parsed(parseTsigKeyName, {
    description: 'A domain name, stored in lower case without a final dot.',
    examples: [NAME],
  }),
  algorithm: choice(TSIG_ALGORITHMS, `Must be one of: ${TSIG_ALGORITHMS.join(', ')}.`),
  secret: text(secretFault, { maxLength: MAX_SECRET_LENGTH, description: 'Base64.', examples: [SECRET] }),
  scope: choice(TSIG_SCOPES, `Must be one of: ${TSIG_SCOPES.join(', ')}.`),
  resource_id: parsed(parseUuid, { format: 'uuid', description: 'ID of the pool or zone.' }),
};
const createBody = jsonBody(object(required, {}));
const updateBody = patchBody(object({}, required));

/** The name in stored form; a filter with a wildcard is only lower-cased. */
function canonicalKeyName(text: string): string {
  const parsed = parseTsigKeyName(text);
  return parsed.ok ? parsed.value : text.toLowerCase();
}

/** The CRUD operations on TSIG keys. */
export function tsigKeyRoutes(keys: TsigKeyUseCases, limits: PageLimits): Route[] {
  return [
    route({
      method: 'POST',
      path: PATH,
      guard: actingProject('create_tsigkey'),
      body: createBody,
      responses: responsesCreated(201, shown),
      refusals: ['duplicate_tsigkey'],
      handle(request) {
        const { resource_id, ...rest } = request.body;
        return replyCreated(
          request,
          (options) => keys.create(request.context, { ...rest, resourceId: resource_id }, options),
          (key: TsigKey) => created(201, toWire(key, request.base)),
        );
      },
    }),
    listRoute(
      {
        path: PATH,
        rule: 'find_tsigkeys',
        key: 'tsigkeys',
        sortKeys: TSIG_KEY_SORT_KEYS,
        filters: TSIG_KEY_FILTERS,
        canonical: { name: canonicalKeyName, resource_id: (text) => text.toLowerCase() },
        sends: shown,
        toWire,
        list: (context, query) => keys.list(context, query),
      },
      limits,
    ),
    route({
      method: 'GET',
      path: ONE,
      guard: actingProject('get_tsigkey'),
      responses: responsesWith(200, shown),
      handle: async ({ context, params, base }) => ({
        status: 200,
        body: toWire(await keys.get(context, params.tsigkey_id!), base),
      }),
    }),
    route({
      method: 'PATCH',
      path: ONE,
      guard: actingProject('update_tsigkey'),
      body: updateBody,
      responses: responsesWith(200, shown),
      refusals: ['duplicate_tsigkey', 'tsigkey_in_use'],
      async handle({ context, params, body, base }) {
        const id = params.tsigkey_id!;
        const { resource_id, ...rest } = await body.resolveAgainst(async () =>
          toWire(await keys.get(context, id), base),
        );
        const changes = resource_id === undefined ? rest : { ...rest, resourceId: resource_id };
        return { status: 200, body: toWire(await keys.update(context, id, changes), base) };
      },
    }),
    route({
      method: 'DELETE',
      path: ONE,
      guard: actingProject('delete_tsigkey'),
      responses: responsesNothing(204),
      refusals: ['tsigkey_in_use'],
      async handle({ context, params }) {
        await keys.remove(context, params.tsigkey_id!);
        return { status: 204 };
      },
    }),
  ];
}
