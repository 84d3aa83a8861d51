/** Zone files within JSON, as version 2.4 of Designate's API has them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';
import { zoneFile } from '../../support/zone-files.ts';

const MAX_SIZE = 8192;
const PATH = '/v2/zones/tasks/imports';

let service: TestService;
let member: string;
let pool: string;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_SERVICE_API__MAX_REQUEST_BODY_SIZE: String(MAX_SIZE) });
  member = await service.token('shop', 'member');
  const body = {
    name: 'gold',
    ns_records: [{ hostname: 'ns.gold.example.', priority: 1 }],
    attributes: { tier: 'gold' },
  };
  pool = (await service.request('POST', '/v2/pools', { token: service.admin, body })).json.id;
});
afterAll(() => service.remove());

function send(
  body: unknown,
  token = member,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return service.request('POST', PATH, {
    token,
    body: text,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

const zonesOf = async (token = member) =>
  (await service.request('GET', '/v2/zones', { token })).json.zones as { name: string }[];

describe('a zone file within JSON', () => {
  it('is imported as any other', async () => {
    const { status, json, headers } = await send({ zonefile: zoneFile('json.example.', 'a 60 A 192.0.2.1') });
    expect([status, json.status]).toEqual([202, 'COMPLETE']);
    expect(headers.get('location')).toBe(json.links.self);
    const path = `/v2/zones/${json.zone_id}/recordsets?type=A`;
    const { recordsets } = (await service.request('GET', path, { token: member })).json;
    expect(recordsets).toMatchObject([{ name: 'a.json.example.', records: ['192.0.2.1'] }]);
  });

  it('goes into the pool that its attributes choose', async () => {
    const attributes = { tier: 'gold' };
    const { json } = await send({ zonefile: zoneFile('gold.example.'), attributes });
    const zone = (await service.request('GET', `/v2/zones/${json.zone_id}`, { token: member })).json;
    expect(zone).toMatchObject({ pool_id: pool, attributes });
  });

  it('names a pool by its id only for those who may', async () => {
    const body = { zonefile: zoneFile('forced.example.'), attributes: { pool_id: pool } };
    expect((await send(body)).json).toMatchObject({ code: 401, type: 'access_denied' });
    const { json } = await send(body, service.admin);
    const zone = (await service.request('GET', `/v2/zones/${json.zone_id}`, { token: service.admin })).json;
    expect(zone.pool_id).toBe(pool);
  });

  it('is sent once for an idempotency key', async () => {
    const headers = { 'idempotency-key': 'once' };
    const body = { zonefile: zoneFile('once.example.'), attributes: { tier: 'gold' } };
    const first = await send(body, member, headers);
    const again = await send(body, member, headers);
    expect([first.status, again.status, again.json]).toEqual([202, 202, first.json]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  it.each<[string, unknown, object]>([
    ['that is no JSON', '{', { code: 400, type: 'invalid_json' }],
    ['that is empty', '', { code: 400, type: 'empty_request_body' }],
    ['without a zone file', {}, { code: 400, errors: { errors: [{ path: ['zonefile'] }] } }],
    ['with another type', { zonefile: 7 }, { code: 400, errors: { errors: [{ path: ['zonefile'] }] } }],
    [
      'with an unknown key and an attribute that is no text',
      { zonefile: '', attributes: { tier: 1 }, more: 1 },
      { code: 400, errors: { errors: [{ path: ['attributes', 'tier'] }, { path: ['more'] }] } },
    ],
    [
      'with a fault in the file',
      { zonefile: zoneFile('faulty.example.', 'a 60 A nowhere') },
      { code: 400, type: 'invalid_object', errors: { errors: [{ path: ['line', 4] }] } },
    ],
    [
      'that is larger than other bodies',
      { zonefile: `${zoneFile('large.example.')}; ${'x'.repeat(MAX_SIZE)}` },
      { code: 413, type: 'request_too_large' },
    ],
  ])('%s is refused, and changes nothing', async (_what, body, refusal) => {
    const before = await zonesOf();
    expect((await send(body)).json).toMatchObject(refusal);
    expect(await zonesOf()).toEqual(before);
  });
});
