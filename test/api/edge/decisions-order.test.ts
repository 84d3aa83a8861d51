/** Which refusal wins where two apply, and every row about methods, media types and sizes. */
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Request, startTestService, type TestService } from '../../support/service.ts';
import { rawRequest, sendRaw } from '../../support/wire.ts';

const UNKNOWN_ID = '7d4dbb1f-9f40-4c2a-8f52-9d9e6cf3a001';
const LIMIT = 4096;
const LARGE = JSON.stringify({ pattern: 'x', description: 'y'.repeat(LIMIT) });

let service: TestService;
let member: string;
beforeAll(async () => {
  service = await startTestService({
    ZONEWARDEN_SERVICE_API__ENABLED_EXTENSIONS_V1: 'quotas',
    ZONEWARDEN_SERVICE_API__MAX_REQUEST_BODY_SIZE: String(LIMIT),
  });
  member = await service.token('tenant', 'member');
});
afterAll(() => service.remove());

async function verdict(method: string, path: string, request: Request = {}): Promise<[number, string]> {
  const { status, json } = await service.request(method, path, request);
  return [status, json.type];
}
const asAdmin = (method: string, path: string, request: Request = {}): Promise<[number, string]> =>
  verdict(method, path, { token: service.admin, ...request });

describe('of two refusals that apply', () => {
  const html = { accept: 'text/html' };
  const text = { 'content-type': 'text/plain' };

  it('an unknown path (404) wins over the method (405) and all that follows', async () => {
    expect(await verdict('PUT', '/v2/nothing')).toEqual([404, 'not_found']);
    expect(await verdict('LOCK', '/nothing')).toEqual([404, 'not_found']);
    expect(await verdict('POST', '/v3/blacklists', { headers: html, body: LARGE })).toEqual([
      404,
      'not_found',
    ]);
  });

  it('the method (405) wins over access (401)', async () => {
    expect(await verdict('PUT', '/v2/blacklists')).toEqual([405, 'method_not_allowed']);
    expect(await verdict('PUT', '/v2/blacklists/5', { headers: html })).toEqual([405, 'method_not_allowed']);
  });

  it('access (401) wins over Accept (406), and over everything in the request', async () => {
    for (const token of [{}, { token: 'zw_wrong' }, { token: member }]) {
      expect(await verdict('GET', '/v2/blacklists', { ...token, headers: html })).toEqual([
        401,
        'access_denied',
      ]);
      const bad = { ...token, headers: { ...html, ...text }, body: LARGE };
      expect(await verdict('PATCH', '/v2/blacklists/5?limit=x', bad)).toEqual([401, 'access_denied']);
      expect(await verdict('PUT', '/v1/quotas/a%20b', bad)).toEqual([401, 'access_denied']);
    }
  });

  it('Accept (406) wins over Content-Type (415)', async () => {
    const headers = { ...html, ...text };
    expect(await asAdmin('POST', '/v2/blacklists', { headers, body: '{' })).toEqual([
      406,
      'unsupported_accept',
    ]);
  });

  it('Content-Type (415) wins over the size (413)', async () => {
    expect(await asAdmin('POST', '/v2/blacklists', { headers: text, body: LARGE })).toEqual([
      415,
      'unsupported_content_type',
    ]);
  });

  it('the size (413) wins over the id in the path (400)', async () => {
    expect(await asAdmin('PATCH', '/v2/blacklists/5', { body: LARGE })).toEqual([413, 'request_too_large']);
    expect(await asAdmin('PUT', '/v1/quotas/a%20b', { body: LARGE })).toEqual([413, 'request_too_large']);
  });

  it('the id in the path (400) wins over the body (400)', async () => {
    expect(await asAdmin('PATCH', '/v2/blacklists/5', { body: '{' })).toEqual([400, 'invalid_uuid']);
    expect(await asAdmin('PATCH', '/v2/zones/5', { body: '' })).toEqual([400, 'invalid_uuid']);
  });

  it('the body (400) wins over the resource (404)', async () => {
    expect(await asAdmin('PATCH', `/v2/blacklists/${UNKNOWN_ID}`, { body: '{' })).toEqual([
      400,
      'invalid_json',
    ]);
    expect(await asAdmin('PATCH', `/v2/blacklists/${UNKNOWN_ID}`)).toEqual([400, 'empty_request_body']);
    expect(await asAdmin('PATCH', `/v2/zones/${UNKNOWN_ID}`, { body: { ttl: '5' } })).toEqual([
      400,
      'invalid_object',
    ]);
    expect(await asAdmin('PATCH', `/v2/zones/${UNKNOWN_ID}`, { body: {} })).toEqual([404, 'zone_not_found']);
  });

  it('Accept (406) wins over a bad query (400)', async () => {
    expect(await asAdmin('GET', '/v2/zones?limit=x', { headers: html })).toEqual([406, 'unsupported_accept']);
    expect(await asAdmin('GET', `/v2/blacklists?marker=${UNKNOWN_ID}&limit=x`)).toEqual([
      400,
      'invalid_limit',
    ]);
  });
});

describe('the method', () => {
  const paths = [
    ['/', 'GET, HEAD'],
    ['/healthcheck', 'GET, HEAD'],
    ['/v2/blacklists', 'POST, GET, HEAD'],
    [`/v2/blacklists/${UNKNOWN_ID}`, 'GET, PATCH, DELETE, HEAD'],
    ['/v2/zones', 'POST, GET, HEAD'],
    [`/v2/zones/${UNKNOWN_ID}`, 'GET, PATCH, DELETE, HEAD'],
    ['/v1/quotas/tenant', 'GET, PUT, DELETE, HEAD'],
    ['/v2/quotas', 'GET, HEAD'],
    ['/v2/quotas/tenant', 'GET, PATCH, DELETE, HEAD'],
    ['/v2/quotas/tenant/usage', 'GET, HEAD'],
    ['/v2/limits', 'GET, HEAD'],
  ] as const;
  const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'PURGE', 'QUERY'];

  it.each(paths)('is answered 405 with Allow on %s unless it is one of %s', async (path, allow) => {
    for (const method of METHODS.filter((one) => !allow.split(', ').includes(one) && one !== 'QUERY')) {
      const answer = await service.request(method, path);
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, allow]);
      expect(answer.json.type).toBe('method_not_allowed');
    }
  });

  it.each(['/v2/blacklists/imports', '/v2/zones/tasks'])(
    'is answered 405 on %s, which is no id',
    async (path) => {
      for (const method of METHODS.filter((one) => one !== 'QUERY'))
        for (const written of [path, `${path}/`]) {
          const answer = await service.request(method, written, { token: service.admin });
          expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, '']);
        }
    },
  );

  it.each(paths)('HEAD answers on %s as GET does, without the body', async (path) => {
    for (const token of [service.admin, undefined]) {
      const caller = token === undefined ? {} : { token };
      const get = await service.request('GET', path, caller);
      const head = await service.request('HEAD', path, caller);
      expect([head.status, head.text]).toEqual([get.status, '']);
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
      expect(head.headers.has('x-openstack-request-id')).toBe(true);
    }
  });

  it('HEAD answers 404 for what is not there', async () => {
    const head = await service.request('HEAD', `/v2/blacklists/${UNKNOWN_ID}`, { token: service.admin });
    expect([head.status, head.text]).toEqual([404, '']);
  });
});

describe('Accept', () => {
  const JSON_TAKEN = [
    'application/json',
    '*/*',
    'application/*',
    'Application/JSON',
    'text/html, application/json;q=0.1',
    'text/html, */*;q=0.01',
    'application/json; charset=utf-8',
    undefined,
  ];
  it.each(JSON_TAKEN)('that takes JSON is served: %s', async (accept) => {
    // What fetch would add by itself, */*, is left out as well.
    const headers = {
      Host: new URL(service.url).host,
      'X-Auth-Token': service.admin,
      ...(accept ? { accept } : {}),
    };
    expect((await sendRaw(service.url, rawRequest('GET', '/v2/blacklists', headers))).status).toBe(200);
  });

  it.each([
    'text/html',
    'application/xml',
    'application/json;q=0',
    'application/json;q=0, */*',
    'image/*',
    'text/plain, text/*',
  ])('that excludes JSON is 406: %s', async (accept) => {
    for (const path of ['/v2/tlds', '/v2/zones', '/v1/quotas/a', '/v2/limits', '/']) {
      expect(await asAdmin('GET', path, { headers: { accept } })).toEqual([406, 'unsupported_accept']);
    }
  });
});

describe('Content-Type', () => {
  let drawn = 0;
  const body = () => ({ pattern: `^content-type-${++drawn}\\.example\\.$` });

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'APPLICATION/JSON',
    'application/json; charset="utf-8"',
    'application/json;',
  ])('of JSON in UTF-8 is taken: %s', async (type) => {
    const answer = await service.request('POST', '/v2/blacklists', {
      token: service.admin,
      headers: { 'content-type': type },
      body: body(),
    });
    expect([answer.status, answer.json.type]).toEqual([201, undefined]);
  });

  it.each([
    'text/plain',
    'application/xml',
    'application/json-patch+json',
    'application/json; charset=latin1',
    'application/jsonx',
    'x',
    'application/json, text/plain',
    ';',
    'multipart/form-data; boundary=x',
  ])('of anything else is 415: %s', async (type) => {
    for (const [method, path] of [
      ['POST', '/v2/blacklists'],
      ['PATCH', `/v2/blacklists/${UNKNOWN_ID}`],
      ['POST', '/v2/zones'],
      ['PUT', '/v1/quotas/tenant'],
    ] as const) {
      const request = { headers: { 'content-type': type }, body: '{}' };
      expect(await asAdmin(method, path, request)).toEqual([415, 'unsupported_content_type']);
    }
  });

  it.each(['text/plain', 'application/xml', 'x', ';', 'application/json', undefined])(
    'does not matter where no body is needed: %s',
    async (type) => {
      const request = { token: service.admin, headers: { 'content-type': type } };
      expect((await service.request('GET', '/v2/blacklists', request)).status).toBe(200);
      expect((await service.request('GET', '/v1/quotas/tenant', request)).status).toBe(201);
      expect((await service.request('DELETE', '/v1/quotas/tenant', request)).status).toBe(200);
      expect((await service.request('DELETE', '/v1/quotas/tenant', { ...request, body: '{"x' })).status).toBe(
        200,
      );
      expect((await service.request('DELETE', `/v2/blacklists/${UNKNOWN_ID}`, request)).status).toBe(404);
    },
  );
});

describe('the size of a body', () => {
  /** Sends a body in pieces without saying how long it will be. */
  function chunked(size: number): Promise<Pick<Answer, 'status' | 'json'>> {
    const { hostname, port } = new URL(service.url);
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        {
          hostname,
          port,
          method: 'POST',
          path: '/v2/blacklists',
          headers: { 'x-auth-token': service.admin, 'content-type': 'application/json' },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (piece) => {
            text += piece;
          });
          response.on('end', () => resolve({ status: response.statusCode!, json: JSON.parse(text) }));
        },
      );
      request.on('error', reject);
      request.write('{"pattern": "');
      request.write('x'.repeat(size - '{"pattern": ""}'.length));
      request.end('"}');
    });
  }

  it('may be the limit exactly', async () => {
    const padding = ' '.repeat(LIMIT - '{"pattern":"exact"}'.length);
    expect(
      (
        await service.request('POST', '/v2/blacklists', {
          token: service.admin,
          body: `{"pattern":"exact"}${padding}`,
        })
      ).status,
    ).toBe(201);
    expect((await chunked(LIMIT)).status).toBe(201);
  });

  it('over the limit is 413 by its Content-Length, before the body is sent', async () => {
    const headers = {
      Host: 'localhost',
      'X-Auth-Token': service.admin,
      'Content-Type': 'application/json',
      'Content-Length': String(LIMIT + 1),
    };
    const answer = await sendRaw(service.url, rawRequest('POST', '/v2/blacklists', headers));
    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.body).type).toBe('request_too_large');
  });

  it('over the limit is 413 when it comes in chunks', async () => {
    expect(await chunked(LIMIT + 1)).toMatchObject({
      status: 413,
      json: { code: 413, type: 'request_too_large' },
    });
  });

  it('much over the limit is still answered', async () => {
    const body = 'x'.repeat(5_000_000);
    expect(await asAdmin('POST', '/v2/blacklists', { body })).toEqual([413, 'request_too_large']);
  });

  it('over the limit is 413 also where no body is needed', async () => {
    expect(await asAdmin('DELETE', `/v2/blacklists/${UNKNOWN_ID}`, { body: LARGE })).toEqual([
      413,
      'request_too_large',
    ]);
  });
});
