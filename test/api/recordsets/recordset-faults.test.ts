import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../support/service.ts';
import { type Tenant, tenantOf } from '../../support/tenant.ts';

let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' });
  tenant = await tenantOf(service, 'tenant');
});
afterAll(() => service.remove());

const faultsOf = ({ json }: { json: { errors?: { errors: { path: unknown[] }[] } } }) =>
  json.errors?.errors.map(({ path }) => path.join('.')).sort();

it('tells of all faults of a body at once', async () => {
  const zone = await tenant.makeZone();
  const records = ['192.0.2.1', 'x', '192.0.2.2', '192.0.2.300'];
  const answer = await tenant.create(zone, { name: 'no dot', type: 'A', records, ttl: -1, description: 7 });
  expect(answer.json).toMatchObject({ code: 400, type: 'invalid_object' });
  expect(faultsOf(answer)).toEqual(['description', 'name', 'ttl']);
  // The records are read by their type once the zone and its owner's limits are known.
  const unread = await tenant.create(zone, { name: zone.name, type: 'A', records });
  expect(faultsOf(unread)).toEqual(['records.1', 'records.3']);
  const empty = await tenant.ask('POST', `/v2/zones/${zone.id}/recordsets`, {});
  expect(faultsOf(empty)).toEqual(['name', 'records', 'type']);
});

it('tells of the first faults alone where there are very many, so that no answer outgrows its body', async () => {
  const zone = await tenant.makeZone();
  const records = Array.from({ length: 300_000 }, () => '');
  const refused = await tenant.create(zone, { name: zone.name, type: 'A', records });
  expect([refused.status, refused.json.type]).toEqual([413, 'over_quota']);
  const limits = { token: service.admin, body: { recordset_records: -1 } };
  await service.request('PATCH', '/v2/quotas/tenant', limits);
  const answer = await tenant.create(zone, { name: zone.name, type: 'A', records });
  expect(answer.json).toMatchObject({ code: 400, type: 'invalid_object' });
  expect(answer.json.message).toMatch(
    'Only the first 100 errors are listed; the records after them were not read.',
  );
  expect(answer.text.length).toBeLessThan(50_000);
});

it.each<[string, unknown, string]>([
  ['an unknown type', { type: 'ANY' }, 'type'],
  ['a type in lower case', { type: 'a' }, 'type'],
  ['no records', { records: [] }, 'records'],
  ['a record that is no text', { records: [1] }, 'records.0'],
  ['records that are no list', { records: '192.0.2.1' }, 'records'],
  ['two records of a CNAME', { type: 'CNAME', records: ['a.example.', 'b.example.'] }, 'records'],
  ['a TTL below 0', { ttl: -1 }, 'ttl'],
  ['a TTL that is text', { ttl: '60' }, 'ttl'],
  ['a TTL beyond 31 bits', { ttl: 2147483648 }, 'ttl'],
  ['a TTL that is no whole number', { ttl: 1.5 }, 'ttl'],
  ['a wildcard that is not the leftmost label', { name: 'a.*.example.org.' }, 'name'],
  ['a * that is part of a label', { name: 'a*.example.org.' }, 'name'],
  ['an unknown key', { status: 'ACTIVE' }, 'status'],
  ['a description that is too long', { description: 'x'.repeat(1025) }, 'description'],
])('refuses %s', async (_what, wrong, path) => {
  const zone = await tenant.makeZone();
  const body = { name: `x.${zone.name}`, type: 'A', records: ['192.0.2.1'], ...(wrong as object) };
  const answer = await tenant.create(zone, body);
  expect([answer.status, answer.json.type, faultsOf(answer)]).toEqual([400, 'invalid_object', [path]]);
});

it.each([0, 1, 2147483647])('takes the TTL %i', async (ttl) => {
  const zone = await tenant.makeZone();
  expect(
    (await tenant.create(zone, { name: zone.name, type: 'A', records: ['192.0.2.1'], ttl })).json.ttl,
  ).toBe(ttl);
});

it('refuses a second recordset of a name and type, whatever the letter case', async () => {
  const zone = await tenant.makeZone();
  const draft = { name: `a.${zone.name}`, type: 'A', records: ['192.0.2.1'] };
  await tenant.create(zone, draft);
  const again = await tenant.create(zone, { ...draft, name: `A.${zone.name}` });
  expect(again.json).toMatchObject({ code: 409, type: 'duplicate_recordset' });
  expect((await tenant.create(zone, { ...draft, type: 'TXT', records: ['"x"'] })).status).toBe(202);
});
