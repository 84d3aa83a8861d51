/** Deleted zones whose name servers may still have them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runHere } from '../../support/run-here.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { storeOptions } from '../../support/store.ts';
import { type Tenant, type TestZone, tenantOf } from '../../support/tenant.ts';

let service: TestService;
let tenant: Tenant;
let admin: Tenant;
beforeAll(async () => {
  service = await startTestService();
  tenant = await tenantOf(service, 'tenant');
  admin = await tenantOf(service, 'tenant', 'admin');
});
afterAll(() => service.remove());

/** Nobody answers there. */
async function applyPool(...nsRecords: readonly string[]): Promise<void> {
  const file = join(service.dataDir, 'pools.yaml');
  const ns_records = nsRecords.map((hostname, at) => ({ hostname, priority: at + 1 }));
  const nameservers = [{ host: '127.0.0.1', port: 9 }];
  writeFileSync(file, JSON.stringify([{ name: 'default', ns_records, nameservers }]));
  const { status, err } = await runHere(['pool', 'apply', file, '--yes'], storeOptions(service.dataDir));
  expect([status, err]).toEqual([0, '']);
}

const pathOf = (zone: TestZone) => `/v2/zones/${zone.id}`;
const restore = (zone: TestZone) => tenant.ask('POST', `/v2/deleted_zones/${zone.id}/restore`);
const kept = async (zone: TestZone) =>
  (await tenant.ask('GET', `/v2/deleted_zones?name=${zone.name}`)).json.deleted_zones;

async function leaving(name: string): Promise<TestZone> {
  const zone = await tenant.makeZone(name);
  await tenant.create(zone, { name: `www.${name}`, type: 'A', records: ['192.0.2.1'] });
  const { status, json } = await tenant.ask('DELETE', pathOf(zone));
  expect([status, json.status, json.action]).toEqual([202, 'PENDING', 'DELETE']);
  return tenant.look(zone);
}

it('refuses a restore while they still have to drop the zone', async () => {
  await applyPool('ns1.example.net.');
  const zone = await leaving('one.example.');
  expect(await kept(zone)).toMatchObject([{ id: zone.id, recordsets: 1 }]);
  const refused = await restore(zone);
  expect([refused.status, refused.json.type]).toEqual([409, 'duplicate_zone']);
  expect(refused.json.message).toMatch('is being deleted');
  // An administrator does not wait for them.
  const { status } = await admin.ask('DELETE', pathOf(zone), undefined, {
    'x-designate-hard-delete': 'true',
  });
  expect(status).toBe(202);
  expect(await kept(zone)).toMatchObject([{ id: zone.id, recordsets: 1 }]);
  expect((await restore(zone)).status).toBe(202);
  const { json } = await tenant.ask('GET', `${pathOf(zone)}/publication`);
  expect(json).toMatchObject({ status: 'PENDING', action: 'CREATE', published_serial: null });
  expect(await tenant.list(`${pathOf(zone)}/recordsets`)).toEqual(['www.one.example.']);
});

it('keeps nothing of a zone that is forgotten while they have it', async () => {
  const zone = await leaving('two.example.');
  expect((await tenant.ask('DELETE', `/v2/deleted_zones/${zone.id}`)).status).toBe(204);
  await admin.ask('DELETE', pathOf(zone), undefined, { 'x-designate-hard-delete': 'true' });
  expect(await kept(zone)).toEqual([]);
});

it('gives a restored zone the name servers of today, and its history says so', async () => {
  const zone = await leaving('three.example.');
  await admin.ask('DELETE', pathOf(zone), undefined, { 'x-designate-hard-delete': 'true' });
  await applyPool('ns1.example.net.', 'ns2.example.net.');
  expect((await restore(zone)).status).toBe(202);
  const ns = async () => (await tenant.ask('GET', `${pathOf(zone)}/recordsets?type=NS`)).json.recordsets;
  expect(await ns()).toMatchObject([{ records: ['ns1.example.net.', 'ns2.example.net.'], version: 2 }]);
  const past = await tenant.ask('GET', `${pathOf(zone)}/contents?serial=${zone.serial}`);
  const former = past.json.recordsets.find(({ type }: { type: string }) => type === 'NS');
  expect(former.records).toEqual(['ns1.example.net.']);
  const diff = await tenant.ask('GET', `${pathOf(zone)}/changes`);
  expect(diff.json.changes[0].summary).toEqual({ create: 0, update: 1, delete: 0 });
});
