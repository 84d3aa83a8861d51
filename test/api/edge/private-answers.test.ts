/** What belongs to a caller stays out of caches; and a token for monitoring opens nothing but the metrics. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DYNDNS_ON } from '../../support/dyndns.ts';
import { everyRoute } from '../../support/routes.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';
import { type Tenant, tenantOf } from '../../support/tenant.ts';

let service: TestService;
let shop: Tenant;
let path: string;
beforeAll(async () => {
  service = await startTestService({ ...DYNDNS_ON, ZONEWARDEN_SERVICE_API__ENABLED_EXTENSIONS_V1: 'quotas' });
  shop = await tenantOf(service, 'shop');
  path = `/v2/zones/${(await shop.makeZone()).id}`;
});
afterAll(() => service.remove());

const told = ({ headers }: Answer) => ({
  cache: headers.get('cache-control'),
  vary: headers.get('vary'),
  type: headers.get('x-content-type-options'),
});
const CREDENTIALS = 'X-Auth-Token, Authorization';
const KEPT_NOWHERE = { cache: 'no-store', vary: CREDENTIALS, type: 'nosniff' };

describe('an answer to a caller', () => {
  it('is kept nowhere, whatever it is', async () => {
    const answers = [
      [200, await shop.ask('GET', '/v2/recordsets?limit=1')],
      [401, await service.request('GET', path)],
      [401, await service.request('GET', path, { token: 'zw_unknown' })],
      [404, await shop.ask('GET', '/v2/zones/5a0c9d7e-0000-4000-8000-000000000000')],
      [400, await shop.ask('POST', '/v2/zones', {})],
    ] as const;
    for (const [status, answer] of answers) {
      expect([answer.status, told(answer)]).toMatchObject([status, { cache: 'no-store', type: 'nosniff' }]);
      expect(told(answer).vary).toContain(CREDENTIALS);
    }
  });

  it('is asked about before each use if it has an ETag', async () => {
    const answer = await shop.ask('GET', path);
    const etag = answer.headers.get('etag') ?? '';
    const same = await shop.ask('GET', path, undefined, { 'if-none-match': etag });
    expect([answer.status, same.status]).toEqual([200, 304]);
    for (const one of [answer, same]) {
      expect(told(one)).toEqual({ ...KEPT_NOWHERE, cache: 'private, no-cache' });
    }
  });

  it('that everybody gets may be kept', async () => {
    for (const open of ['/', '/v2', '/healthcheck']) {
      expect(told(await service.request('GET', open)).cache).toBeNull();
    }
  });
});

describe('a token with the role metrics alone', () => {
  const ID = '5a0c9d7e-0000-4000-8000-000000000000';

  it('opens the metrics, and no other route with a guard', async () => {
    const token = await service.token('monitoring', 'metrics');
    const answered = new Map<string, number>();
    for (const { method, path, guard } of everyRoute()) {
      if (guard === 'public') continue;
      const filled = path.replaceAll(/\{\w+\}/g, ID);
      const { status } = await fetch(`${service.url}${filled}`, {
        method,
        headers: { 'x-auth-token': token },
      });
      answered.set(`${method} ${path}`, status);
    }
    const opened = [...answered].filter(([, status]) => status !== 401);
    expect(opened).toEqual([['GET /metrics', 200]]);
    expect(answered.size).toBeGreaterThan(50);
  });

  it('opens what another of its roles opens', async () => {
    const token = await service.token('monitoring', 'metrics', 'reader');
    expect((await service.request('GET', '/v2/zones', { token })).status).toBe(200);
  });
});
