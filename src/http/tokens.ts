import { scopeBody } from '../domain/scopes/scope-shape.ts';
import { distinct, integer, nullable, object, text } from '../domain/shapes/shape.ts';
import { parseTokenId } from '../domain/tokens/token-secret.ts';
import type { IssuedToken, TokenUseCases } from '../domain/tokens/tokens.ts';
import { optionsFor } from '../model/context/options.ts';
import { DomainError, invalidObject } from '../model/errors.ts';
import { storableFault } from '../model/text.ts';
import { type ApiToken, TOKEN_FILTERS, TOKEN_SORT_KEYS } from '../model/tokens/api-token.ts';
import { jsonBody } from './edge/body.ts';
import { type ResponseBody, responseSchema } from './edge/response-schema.ts';
import { responsesCreated, responsesNothing, responsesWith } from './edge/responses.ts';
import { actingProject, created, type Route, route } from './edge/route.ts';
import { listRoute } from './lists/list.ts';
import type { PageLimits } from './lists/list-query.ts';

const PATH = '/v2/tokens';
const ONE = `${PATH}/{token_id}`;
const MAX_ROLES = 100;
/** In seconds. */
const MIN_UNUSED = 300;
const MAX_UNUSED = 315_360_000;

/** Maps the names of grant fields to the keys of the body. */
const KEYS: Readonly<Record<string, string>> = {
  project: 'project_id',
  role: 'roles',
  user: 'user_id',
  expires: 'expires_at',
};

const TOKEN = {
  id: responseSchema.text({ pattern: '^[0-9a-f]{16}$', examples: ['66b3b97246173a25'] }),
  project_id: responseSchema.projectId,
  user_id: responseSchema.text({ examples: ['66b3b97246173a25'] }),
  roles: responseSchema.list(responseSchema.text({ examples: ['member'] })),
  created_at: responseSchema.time,
  expires_at: responseSchema.nullable(responseSchema.time),
  links: responseSchema.object({ self: responseSchema.link }),
};
const DESCRIBED = {
  description: responseSchema.text({ examples: ['Builds of the shop'] }),
  scope: responseSchema.anything,
  max_unused_seconds: responseSchema.integer({ examples: [2_592_000] }),
  created_by: responseSchema.text({
    pattern: '^[0-9a-f]{16}$',
    description: 'The token that created it. With that one it ends.',
    examples: ['66b3b97246173a25'],
  }),
  last_used_at: responseSchema.time,
  last_used_from: responseSchema.text({ examples: ['192.0.2.1'] }),
};
const shown = responseSchema.titled('Token', responseSchema.object(TOKEN, DESCRIBED));
const issuedToken = responseSchema.titled(
  'IssuedToken',
  responseSchema.object(TOKEN, {
    ...DESCRIBED,
    token: responseSchema.text({ description: 'Returned once: a replayed response lacks it.' }),
  }),
);

function toWire(token: ApiToken, base: string): ResponseBody<typeof shown> {
  const { description, scope, maxUnused, ancestors, lastUsedAt, lastUsedFrom } = token;
  const createdBy = ancestors.at(-1);
  return {
    id: token.id,
    project_id: token.projectId,
    user_id: token.userId,
    roles: token.roles,
    created_at: token.createdAt,
    expires_at: token.expiresAt,
    ...(description === null ? {} : { description }),
    ...(scope === null ? {} : { scope }),
    ...(maxUnused === null ? {} : { max_unused_seconds: maxUnused }),
    ...(createdBy === undefined ? {} : { created_by: createdBy }),
    ...(lastUsedAt === null ? {} : { last_used_at: lastUsedAt }),
    ...(lastUsedFrom === null ? {} : { last_used_from: lastUsedFrom }),
    links: { self: `${base}${PATH}/${token.id}` },
  };
}

const plain = (description: string, example: string) =>
  text(storableFault, { description, examples: [example] });
const createBody = jsonBody(
  object(
    {},
    {
      project_id: plain('Project that the token acts for. Default: your own.', 'shop'),
      roles: distinct(plain('A role that the policy uses.', 'member'), (role) => role, {
        minItems: 1,
        maxItems: MAX_ROLES,
      }),
      user_id: plain('User that the token represents. Default: the ID of the token.', 'ci'),
      expires_at: plain('A time such as 2030-01-31T12:00:00Z, or a duration such as 90d, 12h or 30m.', '90d'),
      description: nullable(text(storableFault, { maxLength: 1024, examples: ['Builds of the shop'] })),
      scope: scopeBody,
      max_unused_seconds: nullable(integer({ minimum: MIN_UNUSED, maximum: MAX_UNUSED })),
    },
  ),
);

/** Rewrites the paths of a validation error to the keys of the body. */
function byKey(error: unknown): unknown {
  if (!(error instanceof DomainError) || error.kind !== 'invalid_object') return error;
  return invalidObject(
    error.faults.map(({ path: [name, ...rest], message }) => ({
      path: [KEYS[String(name)] ?? name!, ...rest],
      message,
    })),
  );
}

/** The response to a create, without the secret token text. */
function reply(token: ApiToken, base: string) {
  const { headers, ...rest } = created(201, toWire(token, base));
  return { ...rest, headers: { ...headers, 'cache-control': 'no-store' } };
}

function createRoute(tokens: TokenUseCases): Route {
  return route({
    method: 'POST',
    path: PATH,
    guard: actingProject('create_token', 'create_own_token'),
    scopedReach: 'by scope',
    refusals: ['scope_too_wide', 'over_quota'],
    body: createBody,
    responses: responsesCreated(201, issuedToken),
    async handle({ context, idempotency, body, base }) {
      // The response stored for an idempotency key lacks the token text, which is not stored anywhere.
      const toKeep = ({ token }: IssuedToken) => {
        const { body, ...rest } = reply(token, base);
        return { ...rest, body: JSON.stringify(body), resourceId: token.id };
      };
      const { project_id: project, roles, user_id: user, expires_at: expires, description, scope } = body;
      const draft = { project, roles, user, expires, description, scope, maxUnused: body.max_unused_seconds };
      const options = optionsFor({ idempotency }, toKeep);
      const issued = await tokens.create(context, draft, options).catch((error: unknown) => {
        throw byKey(error);
      });
      const answer = reply(issued.token, base);
      return { ...answer, body: { ...answer.body, token: issued.text } };
    },
  });
}

/** The operations on API tokens. */
export function tokenRoutes(tokens: TokenUseCases, limits: PageLimits): Route[] {
  return [
    createRoute(tokens),
    listRoute(
      {
        path: PATH,
        rule: 'list_tokens',
        orRule: 'list_own_tokens',
        scopedReach: 'by scope',
        key: 'tokens',
        sortKeys: TOKEN_SORT_KEYS,
        filters: TOKEN_FILTERS,
        parseId: parseTokenId,
        sends: shown,
        toWire,
        list: (context, query) => tokens.list(context, query),
      },
      limits,
    ),
    route({
      method: 'GET',
      path: ONE,
      guard: actingProject('list_tokens', 'list_own_tokens'),
      scopedReach: 'by scope',
      operationId: 'getToken',
      responses: responsesWith(200, shown),
      handle: async ({ context, params, base }) => ({
        status: 200,
        body: toWire(await tokens.get(context, params.token_id!), base),
      }),
    }),
    route({
      method: 'DELETE',
      path: ONE,
      guard: actingProject('revoke_token', 'revoke_own_token'),
      scopedReach: 'by scope',
      responses: responsesNothing(204),
      async handle({ context, params }) {
        await tokens.revoke(context, params.token_id!);
        return { status: 204 };
      },
    }),
  ];
}
