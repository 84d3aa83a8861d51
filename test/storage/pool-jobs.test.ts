/** What a change of a pool leaves to do for its zones. */

import { afterEach, beforeEach, expect, it } from 'vitest';
import { type CommandSession, openSession } from '../../src/assembly/session.ts';
import { loadConfig } from '../../src/config/load.ts';
import { canonicalName, type Fqdn } from '../../src/dns/names.ts';
import { readPoolFile } from '../../src/domain/pools/pool-file.ts';
import { openStore } from '../../src/storage/open.ts';
import { eventually } from '../support/eventually.ts';
import { temporaryFolder } from '../support/process.ts';
import { runHere } from '../support/run-here.ts';
import { startTestService } from '../support/service.ts';
import { inStoreOf, makeStore, storeOptions, storeSettings } from '../support/store.ts';

const UNLIMITED = { ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' };
let folder: ReturnType<typeof temporaryFolder>;
let session: CommandSession;
beforeEach(async () => {
  folder = temporaryFolder();
  await makeStore(folder.path);
  session = await open();
  await session.useCases.checker.catchUp();
});
afterEach(async () => {
  await session.close();
  folder.remove();
});

const open = (): Promise<CommandSession> =>
  openSession(loadConfig(undefined, { ...storeOptions(folder.path), ...UNLIMITED }));

const records = (...names: string[]) =>
  names.map((name, place) => ({
    hostname: canonicalName<Fqdn>(`${name}.example.net.`),
    priority: place + 1,
  }));

async function makePool(...names: string[]): Promise<string> {
  const draft = {
    name: 'gold',
    description: null,
    projectId: null,
    attributes: {},
    nsRecords: records(...names),
  };
  return (await session.useCases.pools.create(session.context, draft)).id;
}

const rename = (id: string, ...names: string[]) =>
  session.useCases.pools.update(session.context, id, { nsRecords: records(...names) });

async function makeZone(name: string, attributes: Readonly<Record<string, string>>) {
  const draft = { name: canonicalName<Fqdn>(name), email: 'a@example.org', attributes };
  return (await session.useCases.zones.create(session.context, draft)).zone;
}

async function makeZones(poolId: string, count: number): Promise<void> {
  for (let made = 0; made < count; made++) await makeZone(`z${made}.example.`, { pool_id: poolId });
}

const ALL = { filters: {}, sortKey: 'created_at', sortDir: 'asc', limit: 1000 } as const;

const zones = async () => (await session.useCases.zones.list(session.context, ALL)).items;

/** The records of every recordset of a type. */
async function rdata(type: string): Promise<(readonly string[])[]> {
  const query = { ...ALL, filters: { type } };
  const { items } = await session.useCases.recordsets.list(session.context, query, undefined);
  return items.map((recordset) => recordset.records);
}

const renew = () => session.useCases.poolJobs.renewApexes.slice();

async function untilDone(work: () => Promise<boolean>): Promise<number> {
  for (let stretches = 0; ; stretches++) if (!(await work())) return stretches;
}

it('brings changed name servers into every zone of the pool, one step of the serial each', async () => {
  const id = await makePool('a', 'b');
  await makeZones(id, 102);
  const before = await zones();
  const other = await makeZone('other.example.', {});
  await rename(id, 'c', 'd', 'e');
  expect(await untilDone(renew)).toBe(2);
  const after = await zones();
  for (const [place, zone] of before.entries()) {
    expect(after[place]).toMatchObject({ id: zone.id, version: 2, recordsets: 0, records: 0, bytes: 0 });
    expect(after[place]!.serial).toBeGreaterThan(zone.serial);
  }
  expect(after.at(-1)).toEqual(other);
  const names = ['c.example.net.', 'd.example.net.', 'e.example.net.'];
  expect((await rdata('NS')).slice(0, -1)).toEqual(before.map(() => names));
  const soas = (await rdata('SOA')).map(([soa]) => soa!.split(' ')).slice(0, -1);
  expect(soas.map(([primary]) => primary)).toEqual(before.map(() => 'c.example.net.'));
  expect(soas.map((fields) => Number(fields[2]))).toEqual(after.slice(0, -1).map(({ serial }) => serial));
  const verified = await runHere(['verify'], storeOptions(folder.path));
  expect([verified.status, verified.err]).toEqual([0, '']);
});

it('leaves zones alone that have the name servers already, but not one whose primary one has changed', async () => {
  const id = await makePool('a', 'b');
  await makeZones(id, 2);
  const before = await zones();
  await rename(id, 'b');
  await rename(id, 'a', 'b');
  expect(await untilDone(renew)).toBe(1);
  expect(await zones()).toEqual(before);
  await rename(id, 'b', 'a');
  await untilDone(renew);
  expect((await zones()).map(({ version }) => version)).toEqual([2, 2]);
  expect((await rdata('SOA')).map(([soa]) => soa!.split(' ')[0])).toEqual([
    'b.example.net.',
    'b.example.net.',
  ]);
});

it('takes each step once, however many processes work at it, and begins anew with another change', async () => {
  const id = await makePool('a');
  await makeZones(id, 101);
  await rename(id, 'b');
  const other = await open();
  await Promise.all([
    untilDone(renew),
    untilDone(renew),
    untilDone(() => other.useCases.poolJobs.renewApexes.slice()),
  ]);
  await other.close();
  expect(new Set((await zones()).map(({ version }) => version))).toEqual(new Set([2]));
  await rename(id, 'c');
  await renew();
  await rename(id, 'd');
  await untilDone(renew);
  expect(await rdata('NS')).toEqual(Array.from({ length: 101 }, () => ['d.example.net.']));
});

it('orders the zones of a pool anew when its servers change, and those of no other', async () => {
  const { useCases, context } = session;
  const id = await makePool('a');
  const apply = async (pool: object): Promise<void> => {
    const gold = { id, name: 'gold', ns_records: records('a') };
    const wanted = { pools: readPoolFile([{ ...gold, ...pool }]), removesOthers: false };
    await useCases.poolFiles.apply(context, wanted, await useCases.poolFiles.compare(context, wanted));
  };
  const nameservers = [{ host: '192.0.2.1' }, { host: '192.0.2.2' }];
  await apply({ nameservers });
  const reorder = () => useCases.poolJobs.reorder.slice();
  await untilDone(reorder);
  await makeZones(id, 2);
  const store = await openStore(storeSettings(folder.path));
  const due = async (): Promise<boolean[]> => {
    const orders = await Promise.all((await zones()).map((zone) => store.publications.find(zone.id)));
    return orders.map((order) => order!.dueAt !== '');
  };
  const settle = () => inStoreOf(folder.path, `update publications set due_at = ''`);
  await settle();
  await apply({ nameservers, description: 'the same servers' });
  expect(await untilDone(reorder)).toBe(0);
  expect(await due()).toEqual([false, false]);
  for (const change of [{ threshold: 1 }, { signing: true }, { nameservers: nameservers.slice(1) }]) {
    await apply({ nameservers, ...change });
    expect(await untilDone(reorder)).toBe(1);
    expect(await due()).toEqual([true, true]);
    await settle();
  }
  await store.close();
});

it('is done by the service, without being asked', async () => {
  const service = await startTestService();
  try {
    const ask = (method: string, path: string, body?: object) =>
      service.request(method, path, { token: service.admin, ...(body === undefined ? {} : { body }) });
    const pool = (await ask('POST', '/v2/pools', { name: 'gold', ns_records: records('a') })).json.id;
    const zone = { name: 'zone.example.', email: 'a@example.org', attributes: { pool_id: pool } };
    const { id } = (await ask('POST', '/v2/zones', zone)).json;
    await ask('PATCH', `/v2/pools/${pool}`, { ns_records: records('b') });
    await eventually(async () => {
      const { recordsets } = (await ask('GET', `/v2/zones/${id}/recordsets?type=NS`)).json;
      return recordsets[0].records[0] === 'b.example.net.' || undefined;
    });
  } finally {
    await service.remove();
  }
});
