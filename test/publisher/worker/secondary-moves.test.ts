/** Secondary zones that move to another pool: their apex and serial are their masters'. */

import { afterEach, beforeEach, expect, it } from 'vitest';
import { canonicalName } from '../../../src/dns/names.ts';
import { RCODE } from '../../../src/dns/wire/codes.ts';
import { DEFAULT_POOL_ID } from '../../../src/model/pools/pool.ts';
import { formerOrderId } from '../../../src/model/publication/publication.ts';
import type { Zone } from '../../../src/model/zones/zone.ts';
import { until } from '../../support/eventually.ts';
import { followPools } from '../../support/following-server.ts';
import { type ScriptedServer, startNameServer } from '../../support/name-server.ts';
import { type Publishing, startPublishing } from '../../support/publishing.ts';
import { apexNs, context, MASTER, soaOf, whole } from '../../support/secondaries.ts';

let here: ScriptedServer;
let there: ScriptedServer;
let publishing: Publishing;
let zone: Zone;
let poolId: string;

beforeEach(async () => {
  [here, there] = [await startNameServer(), await startNameServer()];
});

afterEach(async () => {
  await publishing.close();
  for (const server of [here, there]) await server.close();
});

const look = async (): Promise<Zone> => (await publishing.look(zone))!;
const lacks = () => ({ rcode: RCODE.REFUSED });
const has = (server: ScriptedServer): boolean => server.answer(zone.name, 'udp').serial !== undefined;
const follow = (server: ScriptedServer, id: string) =>
  followPools(publishing.store, zone, server, () => [id]);

/** What a master sends is taken whole, whatever its serial. */
async function receive(serial: number): Promise<void> {
  const { id, name, projectId, isAwaited, masters, serial: own } = await look();
  const due = { id, name, projectId, masters, serial: isAwaited ? null : own, key: null, wantsWhole: true };
  await publishing.useCases.secondaries.take(due, whole(soaOf(serial), [apexNs(name)]));
}

async function untilThere(serial: number): Promise<void> {
  await until(async () =>
    expect(await look()).toMatchObject({ status: 'ACTIVE', action: 'NONE', pool: { id: poolId }, serial }),
  );
  expect(await publishing.store.publications.find(formerOrderId(zone.id))).toBeUndefined();
}

/** The rdata of SOA and NS as they are stored. */
const apex = () =>
  publishing.store.transaction(async (tx) => [
    await tx.publications.soaOf(zone),
    ...(await tx.recordsets.apexNs(zone))!.records,
  ]);

/** A secondary zone in a pool with a server, and another pool. */
async function start(others: readonly ScriptedServer[] = [there]): Promise<void> {
  publishing = await startPublishing({ nameservers: [here], catalog: 'old.catalog.example.' });
  poolId = await publishing.addPool(
    { nameservers: others, catalog: 'new.catalog.example.' },
    'ns1.new.example.',
  );
  const draft = { name: canonicalName<Zone['name']>('one.example.'), masters: [MASTER] };
  zone = (await publishing.useCases.zones.create(context, draft)).zone;
}

async function startPublished(others?: readonly ScriptedServer[]): Promise<void> {
  await start(others);
  await receive(100);
  publishing.startWorker();
  follow(here, DEFAULT_POOL_ID);
  await until(async () => expect(await look()).toMatchObject({ status: 'ACTIVE', serial: 100 }));
}

it('is on the old servers until the new ones have it, and keeps its apex and its serial', async () => {
  await startPublished();
  there.answer = lacks;
  await publishing.move(zone, poolId);
  await until(async () => expect((await publishing.order(zone))?.attempts).toBeGreaterThan(1));
  expect(await look()).toMatchObject({ status: 'PENDING', action: 'UPDATE', pool: { id: DEFAULT_POOL_ID } });
  expect(has(here)).toBe(true);
  follow(there, poolId);
  await untilThere(100);
  expect([has(here), has(there)]).toEqual([false, true]);
  expect(await apex()).toEqual([soaOf(100).rdata, 'ns.master.example.']);
});

it('is gone from a server of both pools before it comes to the new one', async () => {
  await startPublished([here, there]);
  here.answer = () => ({ serial: 100 });
  await publishing.move(zone, poolId);
  await until(async () => expect((await publishing.order(zone))?.attempts).toBeGreaterThan(1));
  expect(await look()).toMatchObject({ status: 'PENDING', pool: { id: DEFAULT_POOL_ID } });
  follow(here, poolId);
  follow(there, poolId);
  await untilThere(100);
  expect(await apex()).toEqual([soaOf(100).rdata, 'ns.master.example.']);
});

it('brings a transfer to the servers of both pools, and stays with the old ones until the new ones have it', async () => {
  await startPublished();
  there.answer = lacks;
  await publishing.move(zone, poolId);
  await receive(101);
  await until(() => expect(here.answer(zone.name, 'udp').serial).toBe(101));
  // They have the zone as it was when the move began, and not yet as it is.
  there.answer = () => ({ serial: 100 });
  await until(async () => expect((await look()).pool.id).toBe(poolId));
  await until(async () => expect((await publishing.order(zone))?.attempts).toBeGreaterThan(1));
  const former = await publishing.store.publications.find(formerOrderId(zone.id));
  expect(former).toMatchObject({ serial: 101, isRemoval: false });
  follow(there, poolId);
  await untilThere(101);
  expect(has(here)).toBe(false);
});

it('goes on where the master begins anew with an earlier serial', async () => {
  await startPublished();
  there.answer = lacks;
  await publishing.move(zone, poolId);
  await receive(50);
  follow(there, poolId);
  await untilThere(50);
});

it('moves at once while nothing of it is here, and is published once a transfer came', async () => {
  await start();
  publishing.startWorker();
  await publishing.move(zone, poolId);
  expect(await look()).toMatchObject({ status: 'PENDING', action: 'CREATE', pool: { id: poolId } });
  expect(await publishing.order(zone)).toBeUndefined();
  await receive(7);
  follow(there, poolId);
  await untilThere(7);
});

it('moves while it is expired, and is published once a master is heard', async () => {
  await startPublished();
  there.answer = lacks;
  await publishing.inStore(`update secondaries set expires_at = '2001-01-01T00:00:00.000000'`);
  await publishing.useCases.secondaries.claim(1);
  await publishing.move(zone, poolId);
  await until(async () => expect((await look()).pool.id).toBe(poolId));
  expect(await look()).toMatchObject({ status: 'ERROR', movesTo: null, serial: 100 });
  await until(() => expect(has(here)).toBe(false));
  // The move is over: the zone can go elsewhere.
  await publishing.move(zone, DEFAULT_POOL_ID);
  await until(async () => expect((await look()).pool.id).toBe(DEFAULT_POOL_ID));
  await publishing.move(zone, poolId);
  await until(async () => expect(await look()).toMatchObject({ movesTo: null, pool: { id: poolId } }));
  follow(there, poolId);
  await receive(101);
  await untilThere(101);
});
