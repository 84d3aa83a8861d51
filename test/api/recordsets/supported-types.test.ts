import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../support/service.ts';
import { type Tenant, type TestZone, tenantOf } from '../../support/tenant.ts';

let service: TestService;
let tenant: Tenant;
let zone: TestZone;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__SUPPORTED_RECORD_TYPE: 'A, MX, NS' });
  tenant = await tenantOf(service, 'tenant');
  zone = await tenant.makeZone('few-types.example.');
});
afterAll(() => service.remove());

it('a type that the operator does not list is refused', async () => {
  const name = `www.${zone.name}`;
  expect((await tenant.create(zone, { name, type: 'A', records: ['192.0.2.1'] })).status).toBe(202);
  const refused = await tenant.create(zone, { name, type: 'AAAA', records: ['::1'] });
  expect(refused.json).toMatchObject({ code: 400, type: 'invalid_object' });
  expect(refused.json.errors.errors).toEqual([
    { path: ['type'], message: 'The type must be one of: A, MX, NS.' },
  ]);
});

it('a zone file with such a type is refused by its line, its SOA and NS apart', async () => {
  const file = (line: string) =>
    `$ORIGIN file.example.\n@ 60 SOA ns admin 1 3600 600 86400 300\n@ 60 NS ns\nns 60 A 192.0.2.1\n${line}\n`;
  const send = (text: string) =>
    tenant.ask('POST', '/v2/zones/tasks/imports', text, { 'content-type': 'text/dns' });
  const refused = await send(file('a 60 TXT "x"'));
  expect([refused.status, refused.json.type]).toEqual([400, 'invalid_object']);
  expect(refused.json.message).toContain('ine 5');
  expect(refused.json.message).toContain('The type must be one of: A, MX, NS.');
  expect((await send(file('a 60 MX 10 ns'))).json).toMatchObject({ status: 'COMPLETE' });
});

it('types that go by their number are allowed one by one, or all by TYPE*', async () => {
  for (const [types, status] of [
    ['A, TYPE65280', [202, 400]],
    ['TYPE1, TYPE*', [202, 202]],
    ['A', [400, 400]],
  ] as const) {
    const one = await startTestService({ ZONEWARDEN_DEFAULT__SUPPORTED_RECORD_TYPE: types });
    const shop = await tenantOf(one, 'shop');
    const made = await shop.makeZone();
    const create = async (type: string) =>
      (await shop.create(made, { name: `${type}.${made.name}`, type, records: ['\\# 0'] })).status;
    expect([await create('TYPE65280'), await create('TYPE65281')]).toEqual(status);
    await one.remove();
  }
});
