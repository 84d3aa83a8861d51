/** What a request does that means harm, or comes from a client with a fault: each was answered wrongly once. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../support/service.ts';
import { rawRequest, sendRaw } from '../../support/wire.ts';

const UNKNOWN_ID = '7d4dbb1f-9f40-4c2a-8f52-9d9e6cf3a001';
const ZONE = { email: 'hostmaster@example.org' };

let service: TestService;
let member: string;
beforeAll(async () => {
  service = await startTestService();
  member = await service.token('tenant', 'member');
});
afterAll(() => service.remove());

const host = (): string => new URL(service.url).host;
const head = (headers: Record<string, string> = {}): Record<string, string> => ({
  Host: host(),
  'X-Auth-Token': member,
  ...headers,
});
const send = (method: string, target: string, headers: Record<string, string> = {}, body = '') =>
  sendRaw(service.url, rawRequest(method, target, head(headers), body));
const post = (path: string, body: unknown) => service.request('POST', path, { token: member, body });
const typeOf = ({ status, body }: { status: number; body: string }) => [status, JSON.parse(body).type];

/** A request that keeps its connection. */
function kept(method: string, target: string, body = ''): string {
  const headers = head({ 'Content-Type': 'application/json', 'Content-Length': `${body.length}` });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

/** Sends bytes, does more at the first answer, and returns all that comes until the service ends the connection. */
function converse(bytes: string, then: (socket: Socket) => void): Promise<string> {
  const { hostname, port } = new URL(service.url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    let text = '';
    socket.once('data', () => then(socket));
    socket.on('data', (piece) => {
      text += piece;
    });
    socket.on('end', () => {
      socket.destroy();
      resolve(text);
    });
    socket.write(bytes);
  });
}

describe('bytes that are no request', () => {
  it('are refused after the answers to the requests before them, never in place of one', async () => {
    const body = JSON.stringify({ name: 'before.garbage.example.', ...ZONE });
    const requests = [kept('POST', '/v2/zones', body), kept('GET', '/v2/zones'), kept('GET', '/v2/zones')];
    const { status, body: rest } = await sendRaw(service.url, `${requests.join('')}nonsense\r\n\r\n`);
    expect([status, rest.match(/HTTP\/1.1 \d+/g)]).toEqual([
      202,
      ['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 400'],
    ]);
  });

  it('are not told of where the request that they belong to has its answer', async () => {
    const request = `POST /v2/zones HTTP/1.1\r\nHost: ${host()}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const received = await converse(request, (socket) => socket.write('zz\r\n'));
    expect(received.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 401']);
  });
});

describe('CONNECT', () => {
  it.each(['example.org:443', '/v2/zones'])('is refused, to whatever it leads: %s', async (target) => {
    expect(typeOf(await send('CONNECT', target))).toEqual([400, 'bad_request']);
    const behind = await sendRaw(service.url, kept('GET', '/v2/zones') + kept('CONNECT', target));
    expect([behind.status, behind.body.match(/HTTP\/1.1 \d+/)?.[0]]).toEqual([200, 'HTTP/1.1 400']);
  });
});

describe('the request target', () => {
  it.each(['*', 'ftp://example.org/v2/zones'])('that is no path leads nowhere: %s', async (target) => {
    expect(typeOf(await send('GET', target))).toEqual([404, 'not_found']);
    expect(typeOf(await send('OPTIONS', target))).toEqual([404, 'not_found']);
  });

  it('that is an origin and a query alone is that of the root', async () => {
    expect((await send('GET', 'http://example.org?x=1')).status).toBe(200);
  });
});

describe('a header that stands there twice', () => {
  const twice = (name: string, first: string, second: string) =>
    `POST /v2/zones HTTP/1.1\r\n${Object.entries(head())
      .filter(([other]) => other !== name)
      .map(([other, value]) => `${other}: ${value}\r\n`)
      .join('')}${name}: ${first}\r\n${name}: ${second}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`;

  it('is no choice between two hosts, nor between two types of a body', async () => {
    const hosts = await sendRaw(service.url, twice('Host', host(), 'evil.example'));
    expect(typeOf(hosts)).toEqual([400, 'bad_request']);
    const types = await sendRaw(service.url, twice('Content-Type', 'application/json', 'text/plain'));
    expect(typeOf(types)).toEqual([415, 'unsupported_content_type']);
  });
});

it('reads the last header of very many', async () => {
  const many = 'a:\r\n'.repeat(2500);
  const request = `GET /v2/zones HTTP/1.1\r\n${many}Host: ${host()}\r\nX-Auth-Token: ${member}\r\nConnection: close\r\n\r\n`;
  expect((await sendRaw(service.url, request)).status).toBe(200);
});

it('answers a client that has said that it sends nothing more', async () => {
  const { hostname, port } = new URL(service.url);
  const records = Array.from({ length: 20_000 }, (_, i) => `a${i} A 192.0.2.1\n`);
  const file = `$ORIGIN half.example.\n@ 300 IN SOA ns admin 1 3600 600 86400 300\n${records.join('')}`;
  const received = await new Promise<string>((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    let text = '';
    socket.on('data', (piece) => {
      text += piece;
    });
    socket.on('end', () => resolve(text));
    socket.end(kept('POST', '/v2/zones/tasks/imports', file).replace('application/json', 'text/dns'));
  });
  expect(received).toMatch(/^HTTP\/1.1 413 .*"over_quota"/s);
});

it('does not call it a failure of the service when a client goes away in the middle of its body', async () => {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  socket.end(kept('PATCH', `/v2/zones/${UNKNOWN_ID}`, '{"ttl":60}').slice(0, -3)).resume();
  await once(socket, 'close');
  expect((await service.request('GET', '/healthcheck')).status).toBe(200);
  expect(service.logged.filter(({ level }) => Number(level) >= 50)).toEqual([]);
});

describe('a text with U+0000 or an unpaired surrogate', () => {
  it.each(['\0', 'a\0b', '\ud800'])('is refused before anything is looked up: %j', async (text) => {
    const accept = { zone_transfer_request_id: UNKNOWN_ID, key: text };
    expect(await post('/v2/zones/tasks/transfer_accepts', accept)).toMatchObject({
      status: 400,
      json: { type: 'invalid_object', errors: { errors: [{ path: ['key'] }] } },
    });
    const path = `/v2/zones/${UNKNOWN_ID}/recordsets/${UNKNOWN_ID}`;
    const body = { records: ['192.0.2.1', text] };
    expect(await service.request('PUT', path, { token: member, body })).toMatchObject({
      status: 400,
      json: { type: 'invalid_object', errors: { errors: [{ path: ['records', '1'] }] } },
    });
  });
});

describe('a body', () => {
  const good = { name: 'body.example.', ...ZONE };
  const unknown = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`key${i}`, 1]));
  const faultsOf = (answer: { json: { errors: { errors: { path: string[] }[] } } }) =>
    answer.json.errors.errors.map(({ path }) => path.join('.'));

  it('with very many faults is told of all of them, up to a hundred', async () => {
    const ten = await post('/v2/zones', { ...good, ttl: 'x', ...unknown(10) });
    expect(ten.json.message).toMatch(/^ttl: /);
    expect(faultsOf(ten)).toEqual(['ttl', ...Object.keys(unknown(10))]);
    const many = await post('/v2/zones', { ...good, ...unknown(500) });
    expect(faultsOf(many)).toHaveLength(101);
  });

  it('is looked at in every attribute, whatever its key', async () => {
    const answer = await post('/v2/zones', { ...good, attributes: { 'a\nb': 5 } });
    expect([answer.status, faultsOf(answer)]).toEqual([400, ['attributes.a\nb']]);
  });

  it('beyond any measure is refused without being read', async () => {
    const refusal = async (body: string): Promise<unknown> => {
      const { json } = await service.request('POST', '/v2/zones', { token: member, body });
      return json.type;
    };
    expect(await refusal('['.repeat(100_000) + ']'.repeat(100_000))).toBe('invalid_object');
    expect(await refusal('['.repeat(100_000))).toBe('invalid_json');
    expect(await refusal(JSON.stringify(unknown(2000)))).toBe('invalid_object');
    const brackets = { ...good, description: '"\\[{:'.repeat(100) };
    expect((await post('/v2/zones', brackets)).status).toBe(202);
  });
});
