import { choice, flag, isObject, object, parsed, refined, type Shape, text } from '../domain/shapes/shape.ts';
import type { TsigKeyUseCases, WrittenTsigKey } from '../domain/tsig-keys/tsig-keys.ts';
import { updateScopeShape } from '../domain/tsig-keys/update-scope.ts';
import {
  isBase64Secret,
  type KeyPermissions,
  MAX_SECRET_LENGTH,
  parseSpelledKeyName,
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
import { actingProject, created, type Route, replyCreated, route, warningHeader } from './edge/route.ts';
import { parseUuid } from './edge/uuid.ts';
import { listRoute } from './lists/list.ts';
import type { PageLimits } from './lists/list-query.ts';

const PATH = '/v2/tsigkeys';
const ONE = `${PATH}/{tsigkey_id}`;

const NO_PERMISSION = 'A key needs a permission: "transfer": true, "update": {}, or both.';

const NAME = 'transfers.example.org';
const SECRET = 'c2VjcmV0IG9mIGFuIGV4YW1wbGU=';

export const shownPermissions = responseSchema.object({
  transfer: responseSchema.flag,
  update: responseSchema.nullable(responseSchema.anything),
});

const shown = responseSchema.titled(
  'TsigKey',
  responseSchema.object(
    {
      id: responseSchema.id,
      name: responseSchema.text({ examples: [NAME] }),
      algorithm: responseSchema.choice(TSIG_ALGORITHMS),
      scope: responseSchema.choice(TSIG_SCOPES),
      resource_id: responseSchema.id,
      created_at: responseSchema.time,
      updated_at: responseSchema.nullable(responseSchema.time),
      links: responseSchema.object({ self: responseSchema.link }),
    },
    {
      secret: responseSchema.text({
        examples: [SECRET],
        description:
          'As sent. Only in the response to a new key if a project has made it, or with `show_tsig_secrets = false`.',
      }),
      project_id: responseSchema.projectId,
      permissions: shownPermissions,
    },
  ),
);

const NOT_BASE64 =
  'The secret is not base64, so the key has the bytes of this text: servers need their base64 form.';
const OLD_ALGORITHM = 'HMAC-MD5 must not be used (RFC 8945). Use hmac-sha256.';

/** What is wrong with a key that is made as asked for. */
function warningsAbout({ secret, algorithm, scope, isIdOf }: WrittenTsigKey): readonly string[] {
  const opensNothing = `The key opens nothing: its scope is ${scope}, but resource_id is the ID of a ${isIdOf}.`;
  return [
    ...(isIdOf === undefined ? [] : [opensNothing]),
    ...(isBase64Secret(secret) ? [] : [NOT_BASE64]),
    ...(algorithm === 'hmac-md5' ? [OLD_ALGORITHM] : []),
  ];
}

/** @param showsSecret true to include the secret, as Designate does with those of administrators */
function toWire(key: TsigKey, base: string, showsSecret: boolean): ResponseBody<typeof shown> {
  return {
    id: key.id,
    name: key.spelling ?? key.name,
    algorithm: key.algorithm,
    ...(showsSecret ? { secret: key.secret } : {}),
    ...(key.projectId === undefined ? {} : { project_id: key.projectId }),
    scope: key.scope,
    resource_id: key.resourceId,
    created_at: key.createdAt,
    updated_at: key.updatedAt,
    permissions: key.permissions,
    links: { self: `${base}${PATH}/${key.id}` },
  };
}

const required = {
  name: parsed(parseSpelledKeyName, {
    description: 'A domain name. It is shown as sent; letter case and a final dot make no other name.',
    examples: [NAME],
  }),
  algorithm: choice(TSIG_ALGORITHMS, `Must be one of: ${TSIG_ALGORITHMS.join(', ')}.`),
  secret: text(secretFault, {
    maxLength: MAX_SECRET_LENGTH,
    description: 'Base64; any other text stands for its bytes in UTF-8.',
    examples: [SECRET],
  }),
  scope: choice(TSIG_SCOPES, `Must be one of: ${TSIG_SCOPES.join(', ')}.`),
  resource_id: parsed(parseUuid, { format: 'uuid', description: 'ID of the pool or zone.' }),
};
const permissions: Shape<KeyPermissions> = refined(
  object({}, { transfer: flag, update: updateScopeShape }),
  ({ transfer = false, update = null }, faults) =>
    transfer || update !== null ? { transfer, update } : faults.add(NO_PERMISSION),
);

function withNote<T extends NonNullable<unknown>>({ schema, read }: Shape<T>, note: string): Shape<T> {
  return { schema: { ...schema, description: `${schema.description ?? ''} ${note}`.trim() }, read };
}

const anyKey = object(required, { permissions });
const keyOfZone = object(
  {
    name: withNote(
      required.name,
      'A project gives a label, which the name of the zone follows, or all of that.',
    ),
    scope: required.scope,
    resource_id: required.resource_id,
  },
  {
    algorithm: withNote(required.algorithm, 'Required if the scope is POOL; else hmac-sha256 by default.'),
    secret: withNote(
      required.secret,
      'A project gives base64 alone. Required if the scope is POOL; else the service makes one of 256 bits by default.',
    ),
    permissions,
  },
);

/** A key that writes the records of an ACME client, with a secret of the service's. */
const NEW_KEY = {
  name: 'acme',
  scope: 'ZONE',
  resource_id: 'b2f3a1de-3c6f-4d3e-9a1b-4f0c2f5d6e7a',
  permissions: { update: { names: ['_acme-challenge.**'], types: ['TXT'] } },
};

/** Only a key of a zone may leave the algorithm and the secret to the service. */
const createShape: typeof keyOfZone = {
  schema: { ...keyOfZone.schema, examples: [NEW_KEY] },
  read: (given, faults) =>
    (isObject(given) && given.scope === 'ZONE' ? keyOfZone : anyKey).read(given, faults),
};
const createBody = jsonBody(createShape);
const updateBody = patchBody(object({}, required));

/** The name in stored form; a filter with a wildcard is only lower-cased. */
function canonicalKeyName(text: string): string {
  const parsed = parseTsigKeyName(text);
  return parsed.ok ? parsed.value : text.toLowerCase();
}

/** The CRUD operations on TSIG keys. */
export function tsigKeyRoutes(
  keys: TsigKeyUseCases,
  { pages, showTsigSecrets }: { readonly pages: PageLimits; readonly showTsigSecrets: boolean },
): Route[] {
  const show = (key: TsigKey, base: string) =>
    toWire(key, base, showTsigSecrets && key.projectId === undefined);
  return [
    route({
      method: 'POST',
      path: PATH,
      guard: actingProject('create_tsigkey', 'create_zone_tsigkey'),
      body: createBody,
      responses: responsesCreated(201, shown),
      refusals: ['duplicate_tsigkey', 'zone_not_found', 'zone_leaving', 'over_quota'],
      handle(request) {
        const { resource_id, name, ...rest } = request.body;
        return replyCreated(
          request,
          (options) => keys.create(request.context, { ...rest, ...name, resourceId: resource_id }, options),
          (key: WrittenTsigKey) => {
            const reply = created(201, toWire(key, request.base, true));
            return { ...reply, headers: { ...reply.headers, ...warningHeader(warningsAbout(key)) } };
          },
        );
      },
    }),
    listRoute(
      {
        path: PATH,
        rule: 'find_tsigkeys',
        orRule: 'find_zone_tsigkeys',
        key: 'tsigkeys',
        sortKeys: TSIG_KEY_SORT_KEYS,
        filters: TSIG_KEY_FILTERS,
        canonical: { name: canonicalKeyName, resource_id: (text) => text.toLowerCase() },
        sends: shown,
        toWire: show,
        list: (context, query) => keys.list(context, query),
        isCounted: true,
      },
      pages,
    ),
    route({
      method: 'GET',
      path: ONE,
      guard: actingProject('get_tsigkey', 'get_zone_tsigkey'),
      responses: responsesWith(200, shown),
      handle: async ({ context, params, base }) => ({
        status: 200,
        body: show(await keys.get(context, params.tsigkey_id!), base),
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
        const { resource_id, name, ...rest } = await body.resolveAgainst(async () =>
          show(await keys.get(context, id), base),
        );
        const resource = resource_id === undefined ? {} : { resourceId: resource_id };
        const key = await keys.update(context, id, { ...rest, ...name, ...resource });
        return { status: 200, headers: warningHeader(warningsAbout(key)), body: show(key, base) };
      },
    }),
    route({
      method: 'DELETE',
      path: ONE,
      guard: actingProject('delete_tsigkey', 'delete_zone_tsigkey'),
      responses: responsesNothing(204),
      refusals: ['tsigkey_in_use'],
      async handle({ context, params }) {
        await keys.remove(context, params.tsigkey_id!);
        return { status: 204 };
      },
    }),
  ];
}
