import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestService, type TestService } from '../../support/service.ts';
import { importFile, zoneFile } from '../../support/zone-files.ts';

let service: TestService;
let member: string;
beforeAll(async () => {
  service = await startTestService();
  member = await service.token('shop', 'member');
});
afterAll(() => service.remove());

const usage = (project: string, token = member) =>
  service.request('GET', `/v2/quotas/${project}/usage`, { token });

it('shows zeros beside the limits of a project that has nothing', async () => {
  expect((await usage('shop')).json).toEqual({
    limits: {
      zones: 10,
      zone_recordsets: 500,
      zone_records: 500,
      recordset_records: 20,
      api_export_size: 1000,
    },
    usage: { zones: 0, recordsets: 0 },
    fullest_zone: null,
    largest_zone: null,
    max_zone_size: 8_388_608,
    percentages: { zones: 0, zone_recordsets: 0, zone_records: 0, max_zone_size: 0 },
  });
});

it('shows what is used, and the zone that has the most records', async () => {
  await importFile(service, member, zoneFile('wide.example.', 'a 60 TXT a', 'b 60 TXT a'));
  await importFile(service, member, zoneFile('deep.example.', 'a 60 TXT a', 'a 60 TXT b', 'a 60 TXT c'));
  const { usage: used, fullest_zone } = (await usage('shop')).json;
  expect(used).toEqual({ zones: 2, recordsets: 3 });
  const id = fullest_zone.id;
  // The name and three texts of three bytes, each with its quotation marks.
  expect(fullest_zone).toEqual({ id, name: 'deep.example.', recordsets: 1, records: 3, bytes: 15 + 3 * 3 });
  await service.request('DELETE', `/v2/zones/${fullest_zone.id}`, { token: member });
  const after = (await usage('shop')).json;
  expect(after.usage).toEqual({ zones: 1, recordsets: 2 });
  expect(after.fullest_zone).toMatchObject({ name: 'wide.example.', recordsets: 2, records: 2 });
});

it('shows the largest zone, which need not be the one with the most records', async () => {
  await importFile(service, member, zoneFile('large.example.', `a 60 TXT ${'a'.repeat(200)}`));
  const { fullest_zone, largest_zone } = (await usage('shop')).json;
  expect(fullest_zone).toMatchObject({ name: 'wide.example.' });
  expect(largest_zone).toMatchObject({ name: 'large.example.', records: 1, bytes: 16 + 202 });
});

it('says how much of each limit is used, of the zone that has the most of each', async () => {
  const limits = (body: object) =>
    service.request('PATCH', '/v2/quotas/shop', { token: service.admin, body });
  const percentages = async () => (await usage('shop')).json.percentages;
  await limits({ zones: 3, zone_recordsets: 4, zone_records: -1 });
  expect(await percentages()).toEqual({
    zones: 66.6,
    zone_recordsets: 50,
    zone_records: null,
    max_zone_size: 0,
  });
  await limits({ zones: 1, zone_recordsets: 0, zone_records: 10 });
  expect(await percentages()).toMatchObject({ zones: 200, zone_recordsets: 100, zone_records: 20 });
  await service.request('DELETE', '/v2/quotas/shop', { token: service.admin });
});

it('is shown to who may see the zones of the project: a token without a role sees its limits alone', async () => {
  const guest = await service.token('shop', 'auditor');
  expect((await usage('shop', guest)).status).toBe(401);
  expect((await usage('shop', await service.token('shop', 'reader'))).status).toBe(200);
  expect((await service.request('GET', '/v2/quotas/shop', { token: guest })).status).toBe(200);
});

it('is shown to the project and to administrators', async () => {
  expect((await usage('other')).status).toBe(401);
  expect((await usage('other', service.admin)).status).toBe(200);
});
