/** What a change of a pool leaves to do for its zones. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { type PublicationChores, publicationChores } from '../../src/domain/publication/chores.ts';
import type { Store } from '../../src/domain/store.ts';
import { zoneChanges } from '../../src/domain/zones/zone-changes.ts';
import { domainSettings } from '../../src/settings.ts';
import { openStore } from '../../src/storage/open.ts';
import { runHere } from '../support/run-here.ts';
import { type Answer, startTestService, type TestService } from '../support/service.ts';
import { inStoreOf, storeOptions, storeSettings } from '../support/store.ts';

const UNLIMITED = { ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' };
const SILENT = { debug() {}, info() {}, warn() {}, error() {} };
const clock = systemClock();
let service: TestService;
let store: Store;
let chores: PublicationChores;
beforeEach(async () => {
  service = await startTestService(UNLIMITED);
  store = await openStore(storeSettings(service.dataDir));
  const settings = domainSettings(loadConfig(undefined, UNLIMITED));
  const changes = zoneChanges({ clock, ...settings });
  chores = publicationChores({ store, clock, changes, apex: settings.apex, log: SILENT });
});
afterEach(async () => {
  await store.close();
  await service.remove();
});

const ask = (method: string, path: string, body?: object): Promise<Answer> =>
  service.request(method, path, { token: service.admin, ...(body === undefined ? {} : { body }) });

const records = (...names: string[]) =>
  names.map((hostname, place) => ({ hostname: `${hostname}.example.net.`, priority: place + 1 }));

async function makePool(...names: string[]): Promise<string> {
  return (await ask('POST', '/v2/pools', { name: 'gold', ns_records: records(...names) })).json.id;
}

async function makeZones(poolId: string, count: number): Promise<void> {
  for (let made = 0; made < count; made++) {
    const body = { name: `z${made}.example.`, email: 'a@example.org', attributes: { pool_id: poolId } };
    expect((await ask('POST', '/v2/zones', body)).status).toBe(202);
  }
}

async function zones(): Promise<{ id: string; version: number; serial: number }[]> {
  return (await ask('GET', '/v2/zones?limit=1000')).json.zones;
}

/** The rdata of every recordset of a type. */
async function rdata(type: string): Promise<string[][]> {
  const { recordsets } = (await ask('GET', `/v2/recordsets?limit=1000&type=${type}`)).json;
  return recordsets.map(({ records }: { records: string[] }) => records);
}

async function untilDone(work: () => Promise<boolean>): Promise<number> {
  for (let stretches = 0; ; stretches++) if (!(await work())) return stretches;
}

it('brings changed name servers into every zone of the pool, one step of the serial each', async () => {
  const id = await makePool('a', 'b');
  await makeZones(id, 102);
  const before = await zones();
  const other = { name: 'other.example.', email: 'a@example.org' };
  const untouched = (await ask('POST', '/v2/zones', other)).json;
  await ask('PATCH', `/v2/pools/${id}`, { ns_records: records('c', 'd', 'e') });
  expect(await untilDone(() => chores.renewApexes())).toBe(2);
  const after = await zones();
  for (const [place, zone] of before.entries()) {
    expect(after[place]).toMatchObject({ id: zone.id, version: zone.version + 1 });
    expect(after[place]!.serial).toBeGreaterThan(zone.serial);
  }
  const names = ['c.example.net.', 'd.example.net.', 'e.example.net.'];
  expect((await rdata('NS')).slice(0, -1)).toEqual(before.map(() => names));
  const soas = (await rdata('SOA')).slice(0, -1).map(([soa]) => soa!.split(' '));
  expect(soas.map(([primary]) => primary)).toEqual(before.map(() => 'c.example.net.'));
  expect(soas.map((fields) => Number(fields[2]))).toEqual(after.slice(0, -1).map(({ serial }) => serial));
  expect(after.at(-1)).toMatchObject({ id: untouched.id, version: 1, serial: untouched.serial });
  expect((await ask('GET', '/v2/quotas/admin/usage')).status).toBe(200);
  const verified = await runHere(['verify'], storeOptions(service.dataDir));
  expect([verified.status, verified.err]).toEqual([0, '']);
});

it('leaves zones alone that have the name servers already, but not one whose primary one has changed', async () => {
  const id = await makePool('a', 'b');
  await makeZones(id, 2);
  const before = await zones();
  await ask('PATCH', `/v2/pools/${id}`, { ns_records: records('b') });
  await ask('PATCH', `/v2/pools/${id}`, { ns_records: records('a', 'b') });
  expect(await untilDone(() => chores.renewApexes())).toBe(1);
  expect(await zones()).toEqual(before);
  await ask('PATCH', `/v2/pools/${id}`, { ns_records: records('b', 'a') });
  await untilDone(() => chores.renewApexes());
  expect((await zones()).map(({ version }) => version)).toEqual([2, 2]);
  expect((await rdata('SOA')).map(([soa]) => soa!.split(' ')[0])).toEqual([
    'b.example.net.',
    'b.example.net.',
  ]);
});

it('takes each step once, however many processes work at it, and begins anew with another change', async () => {
  const id = await makePool('a');
  await makeZones(id, 101);
  await ask('PATCH', `/v2/pools/${id}`, { ns_records: records('b') });
  await Promise.all([1, 2, 3].map(() => untilDone(() => chores.renewApexes())));
  expect(new Set((await zones()).map(({ version }) => version))).toEqual(new Set([2]));
  await ask('PATCH', `/v2/pools/${id}`, { ns_records: records('c') });
  await chores.renewApexes();
  await ask('PATCH', `/v2/pools/${id}`, { ns_records: records('d') });
  await untilDone(() => chores.renewApexes());
  expect(await rdata('NS')).toEqual(Array.from({ length: 101 }, () => ['d.example.net.']));
});

it('orders the zones of a pool anew when its servers change, and those of no other', async () => {
  const id = await makePool('a');
  const apply = async (pool: object): Promise<void> => {
    const file = join(service.dataDir, 'pools.yaml');
    const gold = { id, name: 'gold', ns_records: records('a') };
    writeFileSync(file, JSON.stringify([{ ...gold, ...pool }]));
    const { status, err } = await runHere(['pool', 'apply', file, '--yes'], storeOptions(service.dataDir));
    expect([status, err]).toEqual([0, '']);
  };
  const nameservers = [{ host: '192.0.2.1' }, { host: '192.0.2.2' }];
  await apply({ nameservers });
  await untilDone(() => chores.reorder());
  await makeZones(id, 2);
  const due = async (): Promise<boolean[]> => {
    const orders = await Promise.all((await zones()).map((zone) => store.publications.find(zone.id)));
    return orders.map((order) => order!.dueAt !== '');
  };
  const settle = () => inStoreOf(service.dataDir, `update publications set due_at = ''`);
  await settle();
  await apply({ nameservers, description: 'the same servers' });
  expect(await untilDone(() => chores.reorder())).toBe(0);
  expect(await due()).toEqual([false, false]);
  for (const change of [
    { threshold: 1 },
    { threshold: 1, signing: true },
    { nameservers: nameservers.slice(1) },
  ]) {
    await apply({ nameservers, ...change });
    expect(await untilDone(() => chores.reorder())).toBe(1);
    expect(await due()).toEqual([true, true]);
    await settle();
  }
});
