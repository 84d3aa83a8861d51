import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, startTestService, type TestService } from '../support/service.ts';

const CONSOLE = 'https://console.example.com';
let service: TestService;

beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_CORS__ALLOWED_ORIGIN: `${CONSOLE}, http://localhost:8080` });
});
afterAll(() => service.remove());

const preflight = (origin: string): Promise<Answer> =>
  service.request('OPTIONS', '/v2/zones', {
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,x-auth-token',
    },
  });
const permission = ({ headers }: Answer) => headers.get('access-control-allow-origin');

describe('a page of an allowed origin', () => {
  it('may ask what it may send', async () => {
    const answer = await preflight(CONSOLE);
    expect([answer.status, permission(answer), answer.headers.get('vary')]).toEqual([204, CONSOLE, 'Origin']);
    expect(answer.headers.get('access-control-allow-methods')).toContain('POST');
    for (const header of ['X-Auth-Token', 'If-Match', 'If-None-Match'])
      expect(answer.headers.get('access-control-allow-headers')?.split(', ')).toContain(header);
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('may read answers and refusals', async () => {
    for (const token of [service.admin, 'zw_wrong']) {
      const answer = await service.request('GET', '/v2/zones', { token, headers: { origin: CONSOLE } });
      expect(permission(answer)).toBe(CONSOLE);
      for (const header of ['X-Openstack-Request-Id', 'ETag'])
        expect(answer.headers.get('access-control-expose-headers')?.split(', ')).toContain(header);
    }
  });
});

describe('a page of any other origin', () => {
  it('may not', async () => {
    for (const origin of [
      'https://evil.example.com',
      'null',
      `${CONSOLE}.evil.example.com`,
      CONSOLE.toUpperCase(),
    ]) {
      expect([origin, (await preflight(origin)).status]).toEqual([origin, 405]);
      const answer = await service.request('GET', '/v2/zones', { token: service.admin, headers: { origin } });
      expect([answer.status, permission(answer)]).toEqual([200, null]);
      expect(answer.headers.get('vary')).toBe('Origin, X-Auth-Token, Authorization');
    }
  });

  it('may where every one may', async () => {
    await service.restart({ ZONEWARDEN_CORS__ALLOWED_ORIGIN: '*' });
    expect(permission(await preflight('https://any.example.com'))).toBe('*');
  });

  it('may not where nothing is set, and OPTIONS is no method', async () => {
    await service.restart({});
    const answer = await preflight(CONSOLE);
    expect([answer.status, permission(answer), answer.headers.get('vary')]).toEqual([405, null, null]);
  });
});
