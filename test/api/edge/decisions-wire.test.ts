/** Requests that no ordinary client sends, byte by byte. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../support/service.ts';
import { rawRequest, sendRaw, type WireAnswer } from '../../support/wire.ts';

const REQUEST_ID = /^req-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let service: TestService;
let member: string;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_SERVICE_API__MAX_HEADER_SIZE: '4096' });
  member = await service.token('tenant', 'member');
});
afterAll(() => service.remove());

const host = (): string => new URL(service.url).host;
const send = (method: string, target: string, headers: Record<string, string> = {}): Promise<WireAnswer> =>
  sendRaw(
    service.url,
    rawRequest(method, target, { Host: host(), 'X-Auth-Token': service.admin, ...headers }),
  );

function expectRefusal(answer: WireAnswer, status: number, type: string): void {
  expect([answer.status, answer.body]).toEqual([status, expect.stringMatching(/^\{.*\}$/)]);
  const body = JSON.parse(answer.body);
  expect(body).toEqual({
    code: status,
    type,
    message: expect.stringMatching(/\.$/),
    request_id: expect.stringMatching(REQUEST_ID),
  });
  expect(answer.headers['x-openstack-request-id']).toBe(body.request_id);
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  expect(answer.body).not.toMatch(/node_modules|\.ts\b|\.js\b|select |Error:/);
}

describe('bytes that are no request', () => {
  it.each([
    'nonsense\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'GET /a b c HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: x\r\nBad Header: y\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: x\r\nno-colon\r\n\r\n',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n',
    'POST /v2/zones HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello',
    'POST /v2/zones HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  ])('get the shape of any other refusal: %j', async (bytes) => {
    expectRefusal(await sendRaw(service.url, bytes), 400, 'bad_request');
  });

  it('get it also in the chunks of a body', async () => {
    const head = `POST /v2/blacklists HTTP/1.1\r\nHost: ${host()}\r\nX-Auth-Token: ${service.admin}\r\n`;
    const answer = await sendRaw(service.url, `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`);
    expectRefusal(answer, 400, 'bad_request');
  });

  it('are 431 when the headers or the path are too long', async () => {
    const answer = await send('GET', '/v2/zones', { 'X-Long': 'x'.repeat(5000) });
    expectRefusal(answer, 431, 'header_too_large');
    expectRefusal(await send('GET', `/v2/zones?name=${'x'.repeat(5000)}`), 431, 'header_too_large');
  });

  it('do not disturb the requests of others', async () => {
    await Promise.all(Array.from({ length: 20 }, () => sendRaw(service.url, 'nonsense\r\n\r\n')));
    expect((await service.request('GET', '/v2/zones', { token: member })).status).toBe(200);
  });
});

describe('the request target', () => {
  it('may be absolute', async () => {
    const answer = await send('GET', `http://${host()}/v2/blacklists?limit=3`);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body).links.self).toBe(`${service.url}/v2/blacklists?limit=3`);
    expect((await send('GET', 'http://example.org')).status).toBe(200);
    expect((await send('GET', 'HTTPS://example.org/?x=1')).status).toBe(200);
  });

  it.each([
    '/%',
    '/v2/%zz',
    '/v2/zones%2F',
    '//v2/zones',
    '/v2//zones',
    '/V2/zones',
    '/v2/../v2/zones',
    '/v2/zones;x=1',
    '/index.html',
    '/%2e%2e/%2e%2e/etc/passwd',
  ])('that names nothing is 404: %s', async (target) => {
    expectRefusal(await send('GET', target), 404, 'not_found');
  });

  it.each(['/v2/zones/', '/v2/zones/?limit=1', '/v2/zones?', '/v2/zones?limit=1&'])(
    'may end in more than it needs: %s',
    async (target) => {
      expect((await send('GET', target)).status).toBe(200);
    },
  );
});

describe('the Host header', () => {
  it.each(['example.org', 'example.org:8080', '[::1]:9001', '192.0.2.1', 'dns_1.example.org:65535'])(
    'is the base of the links: %s',
    async (name) => {
      const answer = await send('GET', '/v2/zones', { Host: name });
      expect(JSON.parse(answer.body).links.self).toBe(`http://${name}/v2/zones`);
    },
  );

  it.each([
    'evil.org/path',
    'user@evil.org',
    'a b',
    'x:99999',
    'x:',
    ':80',
    'x:y',
    '<script>',
    'a,b',
    'x?y',
    'x#y',
    '[::1',
    '',
  ])('that is no host[:port] is 400: %j', async (name) => {
    expectRefusal(await send('GET', '/v2/zones', { Host: name }), 400, 'bad_request');
  });

  it('may be missing, as in HTTP/1.0', async () => {
    const answer = await sendRaw(service.url, `GET /v2/zones HTTP/1.0\r\nX-Auth-Token: ${member}\r\n\r\n`);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body).links.self).toBe(`${service.url}/v2/zones`);
  });
});

describe('headers that ask for something else', () => {
  it('of an unknown expectation are passed over', async () => {
    expect((await send('GET', '/v2/zones', { Expect: 'the-unexpected' })).status).toBe(200);
  });

  it('of an upgrade are passed over', async () => {
    expect((await send('GET', '/v2/zones', { Upgrade: 'websocket' })).status).toBe(200);
  });
});

describe('without credentials', () => {
  it('the version document says where v2 is, and v1 while an extension is enabled', async () => {
    const { status, json } = await service.request('GET', '/');
    const version = (id: string, state: string, path = id) => ({
      id,
      status: state,
      updated: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      links: [{ href: `${service.url}/${path}`, rel: 'self' }],
    });
    expect(status).toBe(200);
    const names = () => ['v2.4', 'v2.3', 'v2.2', 'v2.1', 'v2.0'].map((id) => version(id, 'SUPPORTED', 'v2'));
    expect(json).toEqual({ versions: [version('v2', 'CURRENT'), ...names()] });
    const own = await service.request('GET', '/v2');
    expect([own.status, own.json]).toEqual([200, { version: version('v2', 'CURRENT') }]);
    await service.restart({ ZONEWARDEN_SERVICE_API__ENABLED_EXTENSIONS_V1: 'quotas' });
    const enabled = (await service.request('GET', '/')).json;
    expect(enabled).toEqual({
      versions: [version('v2', 'CURRENT'), ...names(), version('v1', 'DEPRECATED')],
    });
    await service.restart();
  });

  it('the health check answers 200', async () => {
    expect((await service.request('GET', '/healthcheck')).status).toBe(200);
  });
});
