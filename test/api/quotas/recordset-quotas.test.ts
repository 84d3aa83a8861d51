import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';
import { type Tenant, type TestZone, tenantOf } from '../../support/tenant.ts';

let service: TestService;
let tenantsMade = 0;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.remove());

const address = (n: number) => `192.0.2.${n}`;
const addresses = (count: number) => Array.from({ length: count }, (_, n) => address(n));
const setQuotas = (tenant: Tenant, quotas: object) =>
  service.request('PATCH', `/v2/quotas/${tenant.projectId}`, { token: service.admin, body: quotas });
const newTenant = () => tenantOf(service, `tenant-${++tenantsMade}`);
const create = (tenant: Tenant, zone: TestZone, label: string, records: string[]) =>
  tenant.create(zone, { name: `${label}.${zone.name}`, type: 'A', records });
const put = (tenant: Tenant, { json }: Answer, records: string[]) =>
  tenant.ask('PUT', `/v2/zones/${json.zone_id}/recordsets/${json.id}`, { records });
const remove = (tenant: Tenant, { json }: Answer) =>
  tenant.ask('DELETE', `/v2/zones/${json.zone_id}/recordsets/${json.id}`);
const count = (answers: Answer[], status: number) => answers.filter((one) => one.status === status).length;

function expectRefused(answer: Answer, figures: string): void {
  expect(answer.json).toMatchObject({
    code: 413,
    type: 'over_quota',
    message: expect.stringContaining(`Quota exceeded for ${figures} would be needed`),
  });
}

it('holds recordset_records on create and update', async () => {
  const tenant = await newTenant();
  const zone = await tenant.makeZone();
  await setQuotas(tenant, { recordset_records: 3 });
  expectRefused(
    await create(tenant, zone, 'a', addresses(4)),
    'recordset_records: the limit is 3, the usage is 0, and 4',
  );
  const made = await create(tenant, zone, 'a', addresses(3));
  expect(made.status).toBe(202);
  expectRefused(
    await put(tenant, made, addresses(5)),
    'recordset_records: the limit is 3, the usage is 3, and 5',
  );
  expect((await put(tenant, made, addresses(3).reverse())).status).toBe(202);
});

it('holds zone_records on create and update', async () => {
  const tenant = await newTenant();
  const zone = await tenant.makeZone();
  await setQuotas(tenant, { zone_records: 4 });
  const made = await create(tenant, zone, 'a', addresses(3));
  expectRefused(
    await create(tenant, zone, 'b', addresses(2)),
    'zone_records: the limit is 4, the usage is 3, and 5',
  );
  expect((await create(tenant, zone, 'b', addresses(1))).status).toBe(202);
  expectRefused(await put(tenant, made, addresses(4)), 'zone_records: the limit is 4, the usage is 4, and 5');
  expect((await put(tenant, made, addresses(2))).status).toBe(202);
  expect((await create(tenant, zone, 'c', addresses(1))).status).toBe(202);
});

it('holds zone_recordsets, each zone for itself and without the SOA and NS', async () => {
  const tenant = await newTenant();
  const [zone, other] = [await tenant.makeZone(), await tenant.makeZone()];
  await setQuotas(tenant, { zone_recordsets: 1 });
  const made = await create(tenant, zone, 'a', addresses(1));
  expectRefused(
    await create(tenant, zone, 'b', addresses(1)),
    'zone_recordsets: the limit is 1, the usage is 1, and 2',
  );
  expect((await create(tenant, other, 'b', addresses(1))).status).toBe(202);
  await remove(tenant, made);
  expect((await create(tenant, zone, 'b', addresses(1))).status).toBe(202);
});

it('takes none at 0 and any number at -1', async () => {
  const tenant = await newTenant();
  const zone = await tenant.makeZone();
  for (const key of ['zone_recordsets', 'zone_records', 'recordset_records']) {
    await setQuotas(tenant, { [key]: 0 });
    expectRefused(
      await create(tenant, zone, 'a', addresses(1)),
      `${key}: the limit is 0, the usage is 0, and 1`,
    );
    await setQuotas(tenant, { [key]: -1 });
  }
  expect((await create(tenant, zone, 'a', addresses(200))).status).toBe(202);
});

it('refuses nothing but growth when a limit is lowered below the usage', async () => {
  const tenant = await newTenant();
  const zone = await tenant.makeZone();
  const made = await create(tenant, zone, 'a', addresses(5));
  const spare = await create(tenant, zone, 'b', addresses(1));
  await setQuotas(tenant, { zone_recordsets: 0, zone_records: 1, recordset_records: 1 });
  expect((await put(tenant, made, addresses(5).reverse())).status).toBe(202);
  expect((await put(tenant, made, addresses(4))).status).toBe(202);
  const path = `/v2/zones/${zone.id}/recordsets/${made.json.id}`;
  expect((await tenant.ask('PUT', path, { ttl: 60 })).status).toBe(202);
  expectRefused(
    await put(tenant, made, addresses(5)),
    'recordset_records: the limit is 1, the usage is 4, and 5',
  );
  await setQuotas(tenant, { recordset_records: -1 });
  expectRefused(await put(tenant, made, addresses(5)), 'zone_records: the limit is 1, the usage is 5, and 6');
  expect((await remove(tenant, spare)).status).toBe(202);
  expectRefused(
    await create(tenant, zone, 'b', addresses(1)),
    'zone_recordsets: the limit is 0, the usage is 1, and 2',
  );
});

it('goes by the limits of the owner of the zone, not of who asks', async () => {
  const tenant = await newTenant();
  const zone = await tenant.makeZone();
  await setQuotas(tenant, { zone_recordsets: 0 });
  const admin = await tenantOf(service, 'admin', 'admin');
  const body = { name: zone.name, type: 'A', records: addresses(1) };
  const everywhere = { 'x-auth-all-projects': 'true' };
  const answer = await admin.ask('POST', `/v2/zones/${zone.id}/recordsets`, body, everywhere);
  expectRefused(answer, 'zone_recordsets: the limit is 0, the usage is 0, and 1');
});

it('counts nothing for what was refused', async () => {
  const tenant = await newTenant();
  const zone = await tenant.makeZone();
  await setQuotas(tenant, { zone_recordsets: 2 });
  const draft = { name: `a.${zone.name}`, type: 'A', records: addresses(1) };
  await tenant.create(zone, draft);
  for (let n = 0; n < 3; n++) expect((await tenant.create(zone, draft)).status).toBe(409);
  expect((await create(tenant, zone, 'b', addresses(1))).status).toBe(202);
  const total = (await tenant.ask('GET', '/v2/recordsets')).json.metadata.total_count;
  expect(total).toBe(4);
});

it('fills zone_recordsets exactly when many creates come at once', async () => {
  const tenant = await newTenant();
  const zone = await tenant.makeZone();
  await setQuotas(tenant, { zone_recordsets: 7 });
  const creates = Array.from({ length: 30 }, (_, n) => create(tenant, zone, `r${n}`, addresses(1)));
  const answers = await Promise.all(creates);
  expect([count(answers, 202), count(answers, 413)]).toEqual([7, 23]);
  const path = `/v2/zones/${zone.id}/recordsets?limit=max`;
  expect(await tenant.list(path)).toHaveLength(7);
  expect((await tenant.ask('GET', path)).json.metadata.total_count).toBe(9);
});

it('fills zone_records exactly when creates, updates and deletes come at once', async () => {
  const tenant = await newTenant();
  const zone = await tenant.makeZone();
  await setQuotas(tenant, { zone_records: 10 });
  const made = await Promise.all(
    Array.from({ length: 6 }, (_, n) => create(tenant, zone, `r${n}`, addresses(1))),
  );
  const answers = await Promise.all([
    ...made.slice(0, 4).map((one) => put(tenant, one, addresses(3))),
    ...made.slice(4).map((one) => remove(tenant, one)),
    ...[1, 2, 3, 4].map((n) => create(tenant, zone, `more${n}`, addresses(1))),
  ]);
  expect(count(answers, 202) + count(answers, 413)).toBe(10);
  const { recordsets } = (await tenant.ask('GET', `/v2/zones/${zone.id}/recordsets?type=A`)).json;
  const held = recordsets.reduce(
    (sum: number, { records }: { records: string[] }) => sum + records.length,
    0,
  );
  expect(held).toBeLessThanOrEqual(10);
  expect((await create(tenant, zone, 'last', addresses(10 - held + 1))).status).toBe(413);
  if (held < 10) expect((await create(tenant, zone, 'last', addresses(10 - held))).status).toBe(202);
});

it('holds for a delegation to as many name servers as a message can hold, too, and takes it where it may', async () => {
  const tenant = await newTenant();
  const zone = await tenant.makeZone();
  const records = Array.from({ length: 3_400 }, (_, n) => `${n.toString(36)}.a.`);
  const delegation = { name: `a.${zone.name}`, type: 'NS', records };
  expectRefused(
    await tenant.create(zone, delegation),
    'recordset_records: the limit is 20, the usage is 0, and 3400',
  );
  await setQuotas(tenant, { recordset_records: -1, zone_records: -1 });
  expect((await tenant.create(zone, delegation)).status).toBe(202);
});
