/** Every route for tokens with a scope: closed unless it says how far it is open. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Route } from '../../../src/http/edge/route.ts';
import { everyRoute } from '../../support/routes.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let tokens: { readonly whole: string; readonly part: string };
beforeAll(async () => {
  service = await startTestService({
    ZONEWARDEN_DEFAULT__LOG_LEVEL: 'warn',
    ZONEWARDEN_SERVICE_API__DYNDNS: 'true',
    ZONEWARDEN_SERVICE_API__ENABLED_EXTENSIONS_V1: 'quotas',
  });
  const create = async (scope: object) => {
    const body = { project_id: 'scoped', roles: ['admin'], scope };
    const { json } = await service.request('POST', '/v2/tokens', { token: service.admin, body });
    return json.token as string;
  };
  tokens = { whole: await create({ networks: ['127.0.0.0/8'] }), part: await create({ types: ['TXT'] }) };
});
afterAll(() => service.remove());

const UNKNOWN = '7d4dbb1f-9f40-4c2a-8f52-9d9e6cf3a001';

const PARAMS: Readonly<Record<string, string>> = {
  project_id: 'scoped',
  tenant_id: 'scoped',
  token_id: '0123456789abcdef',
  list_name: 'list',
};

function pathOf({ path }: Route): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => PARAMS[name] ?? UNKNOWN);
}

async function refusal(route: Route, token: string): Promise<string | undefined> {
  const body = route.method === 'GET' || route.method === 'DELETE' ? undefined : {};
  const { status, json, headers } = await service.request(route.method, pathOf(route), {
    token,
    ...(body && { body }),
  });
  if (status !== 401 || json?.type !== 'access_denied') return undefined;
  return /The scope does not allow it: (\w+)\./.exec(headers.get('www-authenticate') ?? '')?.[1] ?? 'rule';
}

const guarded = everyRoute().filter(({ guard, protocol }) => guard !== 'public' && protocol === undefined);

it.each(guarded.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', async (_, route) => {
  const { scopedReach } = route;
  const whole = scopedReach === undefined ? 'scope' : undefined;
  expect(await refusal(route, tokens.whole)).toBe(whole);
  const part = scopedReach === 'whole zones' ? 'types' : whole;
  const isOfZone = /^(POST|PATCH|DELETE) \/v2\/zones(\/\{zone_id\})?$/.test(`${route.method} ${route.path}`);
  expect(await refusal(route, tokens.part)).toBe(isOfZone ? 'types' : part);
});

it('has routes of each kind', () => {
  expect(new Set(guarded.map(({ scopedReach }) => scopedReach))).toEqual(
    new Set([undefined, 'by scope', 'whole zones']),
  );
});
