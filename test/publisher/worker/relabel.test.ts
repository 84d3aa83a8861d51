/** Zones that get a new label in the catalog of their pool: RFC 9432 section 5.4. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { canonicalName } from '../../../src/dns/names.ts';
import { OPCODE, RCODE } from '../../../src/dns/wire/codes.ts';
import { DEFAULT_POOL_ID } from '../../../src/model/pools/pool.ts';
import type { CatalogMember } from '../../../src/model/publication/publication.ts';
import type { IncomingRecord } from '../../../src/model/secondaries/secondary.ts';
import type { Zone } from '../../../src/model/zones/zone.ts';
import { until } from '../../support/eventually.ts';
import { followPools } from '../../support/following-server.ts';
import { type ScriptedServer, startNameServer } from '../../support/name-server.ts';
import { type Publishing, startPublishing } from '../../support/publishing.ts';
import { apexNs, context, MASTER, record, soaOf, whole } from '../../support/secondaries.ts';

const CATALOG = canonicalName<Zone['name']>('catalog.example.');

let server: ScriptedServer;
let publishing: Publishing;

beforeEach(async () => {
  server = await startNameServer();
  publishing = await startPublishing({ nameservers: [server], catalog: CATALOG });
});

afterEach(async () => {
  await publishing.close();
  await server.close();
});

async function makeSecondary(name: string): Promise<Zone> {
  const draft = { name: canonicalName<Zone['name']>(name), masters: [MASTER] };
  return (await publishing.useCases.zones.create(context, draft)).zone;
}

async function receive(zone: Zone, serial: number, ...more: readonly IncomingRecord[]): Promise<void> {
  const { id, name, projectId, isAwaited, masters, serial: own } = (await publishing.look(zone))!;
  const due = { id, name, projectId, masters, serial: isAwaited ? null : own, key: null, wantsWhole: true };
  await publishing.useCases.secondaries.take(due, whole(soaOf(serial), [apexNs(name), ...more]));
}

const follow = (zone: Zone) => followPools(publishing.store, zone, server, () => [DEFAULT_POOL_ID]);

const activeWith = (zone: Zone, serial: number): Promise<void> =>
  until(async () => expect(await publishing.look(zone)).toMatchObject({ status: 'ACTIVE', serial }));

const members = (): Promise<readonly CatalogMember[]> =>
  publishing.store.publications.atOneState(async (reads) =>
    reads.members((await reads.catalog(CATALOG))!, ''),
  );

/** What the catalog says of its last step, as IXFR tells it. */
const lastStep = (from: number) =>
  publishing.store.publications.atOneState(async (reads) => {
    const catalog = (await reads.catalog(CATALOG))!;
    return { left: await reads.left(catalog, from, ''), joined: await reads.joined(catalog, from, '') };
  });

const catalogSerial = async (): Promise<number> =>
  (await publishing.store.publications.catalog(CATALOG))!.serial;

it('change labels in one step of the catalog when their master goes back, and in none when it goes on', async () => {
  const zone = await makeSecondary('one.example.');
  await receive(zone, 100);
  publishing.startWorker();
  follow(zone);
  await activeWith(zone, 100);
  const before = await members();
  const serial = await catalogSerial();
  await receive(zone, 101);
  await activeWith(zone, 101);
  expect(await members()).toEqual(before);
  await receive(zone, 50);
  await activeWith(zone, 50);
  // This server answers with what is stored, also before the catalog names the new label.
  await until(async () => expect(await members()).not.toEqual(before));
  const after = await members();
  expect(after.map(({ name }) => name)).toEqual(['one.example.']);
  expect(await lastStep(serial)).toEqual({ left: before, joined: after });
});

it('keep their label when the same serial comes again, unless its data differs', async () => {
  const zone = await makeSecondary('one.example.');
  const move = () =>
    publishing.store.transaction((tx) => tx.publications.moveCatalog(DEFAULT_POOL_ID, 1, 10));
  await receive(zone, 100);
  await move();
  const before = await members();
  await receive(zone, 100);
  expect(await move()).toBeUndefined();
  expect(await members()).toEqual(before);
  await receive(zone, 100, record('www.one.example.', 'A', '192.0.2.1'));
  await move();
  expect(await members()).not.toEqual(before);
});

it('are missing from no step of the catalog, however few of them a step takes', async () => {
  const zones = await Promise.all(['one', 'two', 'three'].map((label) => makeSecondary(`${label}.example.`)));
  for (const zone of zones) await receive(zone, 100);
  const move = (limit: number) =>
    publishing.store.transaction((tx) => tx.publications.moveCatalog(DEFAULT_POOL_ID, 1, limit));
  await move(10);
  const before = await members();
  for (const zone of zones) await receive(zone, 50);
  for (const changed of [1, 2, 3]) {
    expect(await move(1)).toBeDefined();
    const now = await members();
    expect(now).toHaveLength(3);
    expect(now.filter(({ label }) => !before.some((one) => one.label === label))).toHaveLength(changed);
  }
  expect(await move(1)).toBeUndefined();
});

it('are waited for when they are deleted meanwhile: servers know them by the former label', async () => {
  const zone = await makeSecondary('one.example.');
  await receive(zone, 100);
  await publishing.store.transaction((tx) => tx.publications.moveCatalog(DEFAULT_POOL_ID, 1, 10));
  await receive(zone, 50);
  await publishing.remove(zone);
  expect(await publishing.look(zone)).toMatchObject({ action: 'DELETE' });
  await publishing.store.transaction((tx) => tx.publications.moveCatalog(DEFAULT_POOL_ID, 2, 10));
  expect(await members()).toEqual([]);
});

it('are no longer published for what a signing server fetched before', async () => {
  await publishing.setPool({ nameservers: [server], catalog: CATALOG, signing: true });
  const zone = await makeSecondary('one.example.');
  await receive(zone, 100);
  server.answer = () => ({ serial: 1000 });
  publishing.startWorker();
  await publishing.useCases.publications.transferCompleted(zone.id, '127.0.0.1', 100);
  await activeWith(zone, 100);
  await receive(zone, 50);
  await until(async () => expect((await publishing.order(zone))!.attempts).toBeGreaterThan(0));
  expect((await publishing.look(zone))!.status).toBe('PENDING');
  await publishing.useCases.publications.transferCompleted(zone.id, '127.0.0.1', 50);
  await activeWith(zone, 50);
});

it('say without a catalog what to do on the servers, and a primary zone rises above them', async () => {
  await publishing.setPool({ nameservers: [server] });
  const [secondary, primary] = [await makeSecondary('one.example.'), await publishing.create('two.example.')];
  await receive(secondary, 100);
  server.answer = (name) => ({ serial: name === secondary.name ? 200 : primary.serial + 100 });
  publishing.startWorker();
  await until(async () => {
    expect((await publishing.shown(secondary)).advice).toContain('"knotc zone-retransfer one.example"');
    expect((await publishing.shown(primary)).advice).toContain('raises the serial');
  });
  const { afresh } = publishing.useCases.serverStates;
  expect(await afresh(context, secondary)).toBe('no catalog');
  expect(await afresh(context, primary)).toBe('raised');
  expect((await publishing.look(primary))!.serial).toBe(primary.serial + 101);
  server.answer = () => ({ rcode: RCODE.REFUSED });
  await until(async () =>
    expect((await publishing.shown(primary)).servers).toMatchObject([{ serial: null }]),
  );
  expect(await afresh(context, primary)).toBe('raised');
  expect((await publishing.look(primary))!.serial).not.toBe(primary.serial);
});

it('are given by an administrator, too', async () => {
  const zone = await makeSecondary('one.example.');
  await receive(zone, 100);
  publishing.startWorker();
  follow(zone);
  await activeWith(zone, 100);
  const [before] = await members();
  expect(await publishing.useCases.serverStates.afresh(context, zone)).toBe('relabelled');
  await until(async () => expect((await members())[0]!.label).not.toBe(before!.label));
  await activeWith(zone, 100);
});

it('are not needed after a restore: primary zones and catalogs get later serials, and catalogs come whole', async () => {
  const primary = await publishing.create('one.example.');
  const secondary = await makeSecondary('two.example.');
  await receive(secondary, 100);
  const move = () =>
    publishing.store.transaction((tx) => tx.publications.moveCatalog(DEFAULT_POOL_ID, 1, 10));
  await move();
  const serial = await catalogSerial();
  const restored = await publishing.useCases.serverStates.restored(context);
  expect(restored).toEqual({ raised: 1, others: 1 });
  expect((await publishing.look(primary))!.serial).toBeGreaterThan(primary.serial);
  expect((await publishing.look(secondary))!.serial).toBe(100);
  const isKnown = () =>
    publishing.store.publications.atOneState(async (reads) =>
      reads.knowsSince((await reads.catalog(CATALOG))!, serial),
    );
  expect(await isKnown()).toBe(false);
  await publishing.store.transaction((tx) => tx.publications.pruneCatalogs(1, 10));
  expect(await move()).toBeGreaterThan(serial);
  expect(await isKnown()).toBe(false);
  expect(await move()).toBeUndefined();
});

it('are told of the catalog right after a restore', async () => {
  const zone = await makeSecondary('one.example.');
  await receive(zone, 100);
  publishing.startWorker();
  follow(zone);
  await activeWith(zone, 100);
  const told = () =>
    server.heard.filter(({ name, opcode }) => name === CATALOG && opcode === OPCODE.NOTIFY).length;
  const before = told();
  await publishing.useCases.serverStates.restored(context);
  await until(() => expect(told()).toBeGreaterThan(before));
});

it('stay as they are while their masters have an earlier serial, and the owner reads what to do', async () => {
  const zone = await makeSecondary('one.example.');
  await receive(zone, 100);
  const { id, name, projectId, masters } = zone;
  const due = { id, name, projectId, masters, serial: 100, key: null, wantsWhole: false };
  const past = "'2001-01-01T00:00:00.000000'";
  await publishing.inStore(`update secondaries set expires_at = ${past} where zone_id = '${id}'`);
  await publishing.useCases.secondaries.claim(1);
  expect((await publishing.shown(zone)).secondary).toMatchObject({ isExpired: true });
  await publishing.useCases.secondaries.current(due, soaOf(50));
  expect((await publishing.shown(zone)).secondary).toMatchObject({ isExpired: false });
  const earlier = (await publishing.shown(zone)).secondary;
  expect(earlier!.fault).toContain('The masters have serial 50, which is earlier than 100 here');
  expect(earlier!.fault).toContain('POST to its tasks/xfr');
  await publishing.useCases.secondaries.current(due, soaOf(100 + 2 ** 31));
  expect((await publishing.shown(zone)).secondary!.fault).toContain(
    'which is neither earlier nor later than 100',
  );
  await publishing.useCases.secondaries.current(due, soaOf(50));
  const advice = async () => (await publishing.shown(zone)).advice;
  expect(await advice()).toContain(`POST to /v2/zones/${id}/tasks/xfr. The name servers of the catalog then`);
  await publishing.setPool({ nameservers: [server] });
  expect(await advice()).toContain(
    'Make the server fetch the whole zone again: BIND "rndc retransfer one.example"',
  );
  expect(await publishing.look(zone)).toMatchObject({ serial: 100 });
  await publishing.useCases.secondaries.current(due, soaOf(100));
  expect((await publishing.shown(zone)).secondary!.fault).toBe('');
  expect(await advice()).toBeUndefined();
});

it('are given to a primary zone whose serial cannot rise past that of a server', async () => {
  const zone = await publishing.create('one.example.');
  publishing.startWorker();
  follow(zone);
  await activeWith(zone, zone.serial);
  const [before] = await members();
  server.answer = () => ({ serial: zone.serial + 1_000_000 });
  await publishing.useCases.serverStates.again(context, zone);
  await until(async () => expect((await publishing.shown(zone)).advice).toContain('not late enough'));
  expect(await publishing.useCases.serverStates.afresh(context, zone)).toBe('relabelled');
  follow(zone);
  await activeWith(zone, zone.serial);
  await until(async () => expect((await members())[0]!.label).not.toBe(before!.label));
});
