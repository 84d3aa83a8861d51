/** X-Designate-Edit-Managed-Records: who may send it, and what it does not open. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';

const HEADER = { 'x-designate-edit-managed-records': 'True' };

let service: TestService;
let member: string;
let zone: string;
beforeAll(async () => {
  service = await startTestService();
  member = await service.token('mine', 'member');
  const body = { name: 'managed.example.', email: 'a@example.org' };
  zone = (await service.request('POST', '/v2/zones', { token: member, body })).json.id;
});
afterAll(() => service.remove());

it('is for administrators, as a header and as a parameter', async () => {
  const get = (query: string, headers: Record<string, string>, token: string): Promise<Answer> =>
    service.request('GET', `/v2/recordsets${query}`, { token, headers });
  for (const [query, headers] of [
    ['', HEADER],
    ['?edit_managed_records=true', {}],
  ] as const) {
    const refused = await get(query, headers, member);
    expect([refused.status, refused.json.type]).toEqual([401, 'access_denied']);
    expect((await get(query, headers, service.admin)).status).toBe(200);
  }
  expect((await get('?edit_managed_records=no', {}, member)).status).toBe(200);
});

it('leaves the SOA and the NS at the apex to the service', async () => {
  const headers = { ...HEADER, 'x-auth-all-projects': 'true' };
  const path = `/v2/zones/${zone}/recordsets`;
  const { recordsets } = (await service.request('GET', path, { token: service.admin, headers })).json;
  expect(recordsets.map(({ type }: { type: string }) => type)).toEqual(['SOA', 'NS']);
  for (const { id } of recordsets) {
    for (const [method, body] of [['PUT', { ttl: 60 }], ['DELETE']] as const) {
      const request = { token: service.admin, headers, ...(body === undefined ? {} : { body }) };
      const { status, json } = await service.request(method, `${path}/${id}`, request);
      expect([method, status, json.type]).toEqual([method, 400, 'bad_request']);
    }
  }
  const after = await service.request('GET', path, { token: service.admin, headers });
  expect(after.json.recordsets).toEqual(recordsets);
});
