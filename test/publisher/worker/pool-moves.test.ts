import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RCODE } from '../../../src/dns/wire/codes.ts';
import { DomainError } from '../../../src/model/errors.ts';
import { DEFAULT_POOL_ID } from '../../../src/model/pools/pool.ts';
import { formerOrderId } from '../../../src/model/publication/publication.ts';
import type { Zone } from '../../../src/model/zones/zone.ts';
import { until } from '../../support/eventually.ts';
import { followPools } from '../../support/following-server.ts';
import { type ScriptedServer, startNameServer } from '../../support/name-server.ts';
import { type Publishing, startPublishing } from '../../support/publishing.ts';

let here: ScriptedServer;
let there: ScriptedServer;
let both: ScriptedServer;
let publishing: Publishing;
let zone: Zone;

beforeEach(async () => {
  [here, there, both] = [await startNameServer(), await startNameServer(), await startNameServer()];
});

afterEach(async () => {
  await publishing.close();
  for (const server of [here, there, both]) await server.close();
});

const follow = (server: ScriptedServer, poolIds: () => readonly string[]): void =>
  followPools(publishing.store, zone, server, poolIds);

const has = (server: ScriptedServer): boolean => server.answer(zone.name, 'udp').serial !== undefined;
const lacks = () => ({ rcode: RCODE.REFUSED });

async function start(nameservers: readonly ScriptedServer[]): Promise<void> {
  publishing = await startPublishing({ nameservers, catalog: 'old.catalog.example.' });
  publishing.startWorker();
  zone = await publishing.create('one.example.');
  for (const server of nameservers) follow(server, () => [DEFAULT_POOL_ID]);
  await untilState('ACTIVE', 'NONE');
}

async function untilState(status: string, action: string): Promise<void> {
  await until(async () => expect(await publishing.look(zone)).toMatchObject({ status, action }));
}

const addPool = (nameservers: readonly ScriptedServer[]) =>
  publishing.addPool({ nameservers, catalog: 'new.catalog.example.' }, 'ns1.new.example.');

async function apex(): Promise<string[]> {
  const { soa } = (await publishing.store.publications.served(zone.name))!;
  return publishing.store.transaction(async (tx) => [
    ...(await tx.recordsets.apexNs(zone))!.records,
    soa.split(' ')[0]!,
  ]);
}

/** The pools in whose catalogs the zone stands now. */
function catalogs(): Promise<readonly string[]> {
  return publishing.store.publications.atOneState(async (reads) => {
    const found: string[] = [];
    for (const fqdn of ['old.catalog.example.', 'new.catalog.example.'] as const) {
      const catalog = await reads.catalog(fqdn as Zone['name']);
      const members = catalog === undefined ? [] : await reads.members(catalog, '');
      found.push(...members.filter(({ name }) => name === zone.name).map(() => fqdn));
    }
    return found;
  });
}

async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(DomainError);
  return (error as DomainError).kind;
}

describe('a zone that moves to a pool without a server in common', () => {
  it('stays on the old servers until the new ones have it with the apex of their pool', async () => {
    await start([here]);
    const poolId = await addPool([there]);
    await publishing.move(zone, poolId);
    expect(await publishing.look(zone)).toMatchObject({ status: 'PENDING', action: 'UPDATE' });
    there.answer = lacks;
    await until(async () =>
      expect(await catalogs()).toEqual(['old.catalog.example.', 'new.catalog.example.']),
    );
    await until(async () => expect((await publishing.order(zone))?.attempts).toBeGreaterThan(1));
    expect(has(here)).toBe(true);
    const { servers } = await publishing.shown(zone);
    expect(servers.map(({ port }) => port).sort()).toEqual([here.port, there.port].sort());
    expect((await publishing.look(zone))?.pool.id).toBe(DEFAULT_POOL_ID);
    there.answer = () => ({ serial: zone.serial });
    await until(async () => expect((await publishing.look(zone))?.pool.id).toBe(poolId));
    const { serial } = (await publishing.look(zone))!;
    expect(serial).toBeGreaterThan(zone.serial);
    expect(await apex()).toEqual(['ns1.new.example.', 'ns1.new.example.']);
    await until(async () =>
      expect((await publishing.order(zone))?.servers[0]?.fault).toContain('should have'),
    );
    expect(await catalogs()).toContain('old.catalog.example.');
    there.answer = () => ({ serial });
    await untilState('ACTIVE', 'NONE');
    expect(has(here)).toBe(false);
    expect(await catalogs()).toEqual(['new.catalog.example.']);
    expect(await publishing.shown(zone)).toMatchObject({ servers: [{ port: there.port, fault: null }] });
  });

  it('brings changes to the servers of both pools meanwhile', async () => {
    await start([here]);
    const poolId = await addPool([there]);
    await publishing.move(zone, poolId);
    const changed = await publishing.update(zone);
    await until(() => expect(here.answer(zone.name, 'udp').serial).toBe(changed.serial));
    const former = await publishing.store.publications.find(formerOrderId(zone.id));
    expect(former).toMatchObject({ serial: changed.serial, isRemoval: false });
    follow(there, () => [poolId]);
    await untilState('ACTIVE', 'NONE');
  });

  it('is in ERROR while the new servers stay away, can be taken back, and goes nowhere else', async () => {
    publishing = await startPublishing({ nameservers: [here], catalog: 'old.catalog.example.' });
    publishing.startWorker({ settings: { errorAfterMs: 100 } });
    zone = await publishing.create('one.example.');
    follow(here, () => [DEFAULT_POOL_ID]);
    await untilState('ACTIVE', 'NONE');
    const poolId = await addPool([there]);
    const third = await publishing.addPool({ nameservers: [both] }, 'ns1.third.example.');
    await publishing.move(zone, poolId);
    await untilState('ERROR', 'UPDATE');
    expect((await publishing.shown(zone)).error).toContain('REFUSED');
    expect(await refusal(publishing.move(zone, poolId))).toBe('same_pool');
    expect(await refusal(publishing.move(zone, third))).toBe('zone_moving');
    await publishing.move(zone, DEFAULT_POOL_ID);
    await untilState('ACTIVE', 'NONE');
    expect(await publishing.look(zone)).toMatchObject({ pool: { id: DEFAULT_POOL_ID }, serial: zone.serial });
    expect(await catalogs()).toEqual(['old.catalog.example.']);
    expect(has(here)).toBe(true);
  });

  it('is in ERROR while the old servers do not drop it, and cannot turn round then', async () => {
    publishing = await startPublishing({ nameservers: [here], catalog: 'old.catalog.example.' });
    publishing.startWorker({ settings: { errorAfterMs: 100 } });
    zone = await publishing.create('one.example.');
    here.answer = () => ({ serial: zone.serial });
    await untilState('ACTIVE', 'NONE');
    const poolId = await addPool([there]);
    follow(there, () => [poolId]);
    await publishing.move(zone, poolId);
    await untilState('ERROR', 'UPDATE');
    await until(async () => expect((await publishing.shown(zone)).error).toContain('still has the zone'));
    expect(await refusal(publishing.move(zone, DEFAULT_POOL_ID))).toBe('zone_move_ending');
    here.answer = lacks;
    await untilState('ACTIVE', 'NONE');
  });

  it('is gone for good only once the servers of both have dropped it', async () => {
    await start([here]);
    const poolId = await addPool([there]);
    await publishing.move(zone, poolId);
    there.answer = () => ({ serial: zone.serial });
    await until(async () => expect((await publishing.look(zone))?.pool.id).toBe(poolId));
    here.answer = () => ({ serial: zone.serial });
    await publishing.remove(zone);
    there.answer = lacks;
    await until(async () => expect((await publishing.order(zone))?.poolId).toBe(DEFAULT_POOL_ID));
    expect(await publishing.look(zone)).toMatchObject({ action: 'DELETE' });
    here.answer = lacks;
    await until(async () => expect(await publishing.look(zone)).toBeUndefined());
    await until(async () => expect(await catalogs()).toEqual([]));
  });

  it.each(['removeAtOnce', 'abandon'] as const)('leaves no order behind after %s', async (end) => {
    await start([here]);
    await publishing.move(zone, await addPool([there]));
    await publishing[end](zone);
    expect(await publishing.order(zone)).toBeUndefined();
    expect(await publishing.store.publications.find(formerOrderId(zone.id))).toBeUndefined();
    const again = await publishing.create(zone.name);
    expect(again.serial).toBeGreaterThan(zone.serial);
    zone = again;
    await until(async () => expect(await catalogs()).toEqual(['old.catalog.example.']));
  });

  it('goes on where its pool loses its servers meanwhile, and where the new one does', async () => {
    await start([here]);
    const poolId = await addPool([there]);
    await publishing.move(zone, poolId);
    await publishing.setPool({ nameservers: [] });
    await until(async () =>
      expect(await publishing.store.publications.find(formerOrderId(zone.id))).toBeUndefined(),
    );
    follow(there, () => [poolId]);
    await untilState('ACTIVE', 'NONE');
    expect((await publishing.look(zone))?.pool.id).toBe(poolId);
    const third = await publishing.addPool({ nameservers: [both] }, 'ns1.third.example.');
    await publishing.move(zone, third);
    await publishing.setPool({ nameservers: [] }, third);
    await untilState('ACTIVE', 'NONE');
    expect((await publishing.look(zone))?.pool.id).toBe(third);
    expect(await publishing.order(zone)).toBeUndefined();
    expect(has(there)).toBe(false);
  });
});

describe('a zone that moves to a pool with a server in common', () => {
  it('is gone from all servers of the old one before it comes to the new one', async () => {
    await start([here, both]);
    const poolId = await addPool([both, there]);
    both.answer = () => ({ serial: zone.serial });
    await publishing.move(zone, poolId);
    await until(async () => expect((await publishing.order(zone))?.servers[0]?.fault).toBeNull());
    expect(await publishing.look(zone)).toMatchObject({
      status: 'PENDING',
      action: 'UPDATE',
      pool: { id: DEFAULT_POOL_ID },
    });
    expect((await publishing.shown(zone)).servers.map(({ port }) => port)).toEqual([
      here.port,
      both.port,
      there.port,
    ]);
    await until(async () => expect(await catalogs()).toEqual([]));
    follow(both, () => [poolId]);
    follow(there, () => [poolId]);
    await untilState('ACTIVE', 'NONE');
    expect(await apex()).toEqual(['ns1.new.example.', 'ns1.new.example.']);
    expect((await publishing.look(zone))!.serial).toBeGreaterThan(zone.serial);
    expect([has(here), has(both), has(there)]).toEqual([false, true, true]);
    expect(await catalogs()).toEqual(['new.catalog.example.']);
  });

  it('waits for all servers of the old one, whatever its threshold', async () => {
    await start([here, both]);
    await publishing.setPool({ nameservers: [here, both], threshold: 1, catalog: 'old.catalog.example.' });
    both.answer = () => ({ serial: zone.serial });
    const poolId = await addPool([both]);
    await publishing.move(zone, poolId);
    await until(async () => expect((await publishing.order(zone))?.attempts).toBeGreaterThan(2));
    expect((await publishing.look(zone))?.pool.id).toBe(DEFAULT_POOL_ID);
    follow(both, () => [poolId]);
    await untilState('ACTIVE', 'NONE');
  });

  it('can be sent elsewhere until it is gone, back to its pool, too', async () => {
    await start([both]);
    both.answer = () => ({ serial: zone.serial });
    const poolId = await addPool([both]);
    await publishing.move(zone, poolId);
    await publishing.move(zone, DEFAULT_POOL_ID);
    follow(both, () => [DEFAULT_POOL_ID]);
    await untilState('ACTIVE', 'NONE');
    expect((await publishing.look(zone))?.pool.id).toBe(DEFAULT_POOL_ID);
    expect(await catalogs()).toEqual(['old.catalog.example.']);
  });

  it('is deleted while it is in neither', async () => {
    await start([both]);
    both.answer = () => ({ serial: zone.serial });
    await publishing.move(zone, await addPool([both]));
    await publishing.remove(zone);
    both.answer = lacks;
    await until(async () => expect(await publishing.look(zone)).toBeUndefined());
  });
});

describe('a zone of which one of the pools has no servers', () => {
  it('is in the new pool at once where neither has any', async () => {
    publishing = await startPublishing({ nameservers: [] });
    zone = await publishing.create('one.example.');
    const poolId = await publishing.addPool({ nameservers: [] }, 'ns1.new.example.');
    await publishing.move(zone, poolId);
    const moved = (await publishing.look(zone))!;
    expect(moved).toMatchObject({ status: 'ACTIVE', action: 'NONE', pool: { id: poolId } });
    expect(moved.serial).toBeGreaterThan(zone.serial);
  });

  it('is published, or dropped, by the one that has some', async () => {
    publishing = await startPublishing({ nameservers: [] });
    publishing.startWorker();
    zone = await publishing.create('one.example.');
    const poolId = await addPool([there]);
    await publishing.move(zone, poolId);
    expect(await publishing.look(zone)).toMatchObject({ status: 'PENDING', action: 'UPDATE' });
    follow(there, () => [poolId]);
    await untilState('ACTIVE', 'NONE');
    there.answer = () => ({ serial: 1 });
    await publishing.move(zone, DEFAULT_POOL_ID);
    await until(async () => expect((await publishing.order(zone))?.attempts).toBeGreaterThan(1));
    await untilState('PENDING', 'UPDATE');
    there.answer = lacks;
    await untilState('ACTIVE', 'NONE');
    expect(await publishing.order(zone)).toBeUndefined();
    expect((await publishing.look(zone))?.pool.id).toBe(DEFAULT_POOL_ID);
  });
});

describe('a move whose process dies', () => {
  /** Each transaction of the worker that ends an order fails once, before it commits anything. */
  it('goes on from the step that it had come to', async () => {
    publishing = await startPublishing({ nameservers: [here], catalog: 'old.catalog.example.' });
    zone = await publishing.create('one.example.');
    follow(here, () => [DEFAULT_POOL_ID]);
    const first = publishing.startWorker();
    await untilState('ACTIVE', 'NONE');
    await first.stop();
    const poolId = await addPool([there]);
    follow(there, () => [poolId]);
    await publishing.move(zone, poolId);
    let finishes = 0;
    const dying = (orderId: string, isGone: boolean): Promise<void> => {
      finishes += 1;
      const isDead = finishes % 2 === 1;
      return isDead ? Promise.reject(new Error('the process dies')) : publishing.finish(orderId, isGone);
    };
    publishing.startWorker({ settings: { leaseMs: 2000 }, finish: dying });
    await untilState('ACTIVE', 'NONE');
    expect((await publishing.look(zone))?.pool.id).toBe(poolId);
    // Each of its three steps was lost once.
    expect(finishes).toBeGreaterThanOrEqual(6);
    expect(await catalogs()).toEqual(['new.catalog.example.']);
  });
});
