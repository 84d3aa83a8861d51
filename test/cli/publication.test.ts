/** `publication status` and `publication again`, on a store that nobody else works on. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSession } from '../../src/assembly/session.ts';
import { loadConfig } from '../../src/config/load.ts';
import { canonicalName, type Fqdn } from '../../src/dns/names.ts';
import { readPoolFile } from '../../src/domain/pools/pool-file.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import { temporaryFolder } from '../support/process.ts';
import { runHere } from '../support/run-here.ts';
import { inStoreOf, makeStore, storeOptions } from '../support/store.ts';

const SERVERS = [{ host: '192.0.2.1' }, { host: '2001:db8::1', port: 5300 }];
let folder: ReturnType<typeof temporaryFolder>;
let zone: Zone;
beforeEach(async () => {
  folder = temporaryFolder();
  await makeStore(folder.path);
  const { useCases, context, close } = await openSession(loadConfig(undefined, storeOptions(folder.path)));
  await useCases.checker.catchUp();
  const ns_records = [{ hostname: 'ns1.example.net.', priority: 1 }];
  const pool = { name: 'default', ns_records, nameservers: SERVERS };
  const wanted = { pools: readPoolFile([pool]), removesOthers: false };
  await useCases.poolFiles.apply(context, wanted, await useCases.poolFiles.compare(context, wanted));
  const draft = { name: canonicalName<Fqdn>('zone.example.'), email: 'a@example.org' };
  zone = (await useCases.zones.create(context, draft)).zone;
  await close();
});
afterEach(() => folder.remove());

const publication = (...args: string[]) => runHere(['publication', ...args], storeOptions(folder.path));
const inStore = (statement: string) => inStoreOf(folder.path, statement);

it('says for each server the serial that it has, the one it should have, since when, and why', async () => {
  const since = '2026-01-01T00:00:00.000000';
  const answers = [{ host: '192.0.2.1', port: 53, serial: 7, since, fault: null }];
  await inStore(`update publications set servers = '${JSON.stringify(answers)}', published_serial = 7`);
  const lines = [
    'zone\tserver\tserial\texpected\tsince\twhy',
    `zone.example.\t192.0.2.1:53\t7\t${zone.serial}\t${since}\t`,
    `zone.example.\t[2001:db8::1]:5300\tnone\t${zone.serial}\tnever\tNot checked yet.`,
  ];
  for (const name of [['zone.example'], ['ZONE.example.'], [zone.id], []]) {
    const { status, out, err } = await publication('status', ...name);
    expect({ name, status, err, lines: out.trimEnd().split('\n') }).toEqual({
      name,
      status: 0,
      err: '',
      lines,
    });
  }
  await inStore(`update publications set error = 'a record cannot be encoded'`);
  expect((await publication('status')).err).toBe('zone.example. is in ERROR: a record cannot be encoded\n');
});

it('lists without a zone only those that wait for a server', async () => {
  const answers = SERVERS.map((server) => ({
    port: 53,
    ...server,
    serial: zone.serial,
    since: '2026',
    fault: null,
  }));
  await inStore(
    `update publications set servers = '${JSON.stringify(answers)}', published_serial = serial, pending_since = ''`,
  );
  expect((await publication('status')).out.trimEnd().split('\n')).toHaveLength(1);
  expect((await publication('status', 'zone.example')).out.trimEnd().split('\n')).toHaveLength(3);
});

it('orders a zone anew', async () => {
  await inStore(`update publications set due_at = '', attempts = 5`);
  const { status, out } = await publication('again', 'zone.example');
  expect([status, out]).toEqual([0, 'republishing zone.example.\n']);
  const rows = await inStore('select due_at, attempts from publications');
  expect(rows).toEqual([{ due_at: expect.stringMatching(/^\d{4}-/), attempts: 0 }]);
});

it('says that there is no such zone', async () => {
  for (const name of [
    'other.example',
    '*',
    '*.example',
    'zo*ne.example',
    'zone.*example',
    zone.id.replace(/./g, '0'),
  ]) {
    for (const verb of ['status', 'again']) {
      const { status, out, err } = await publication(verb, name);
      expect([status, out, err]).toEqual([2, '', `zonewarden: The zone ${name} does not exist.\n`]);
    }
  }
});

it('says what to do about a server with a later serial, and raises the serial of a primary zone', async () => {
  const since = '2026-01-01T00:00:00.000000';
  const answers = [{ host: '192.0.2.1', port: 53, serial: zone.serial + 1, since, fault: 'later' }];
  await inStore(`update publications set attempts = 1, servers = '${JSON.stringify(answers)}'`);
  const { err } = await publication('status', 'zone.example');
  expect(err).toContain('"zonewarden publication again zone.example. --afresh"');
  const raised = await publication('again', 'zone.example', '--afresh');
  expect(raised).toMatchObject({ status: 0, out: 'raised the serial of zone.example.\n' });
  const restored = await publication('restored');
  expect(restored).toMatchObject({
    status: 0,
    out: 'raised the serials of 1 zones; the name servers of 0 others are being checked\n',
  });
  const [row] = await inStore('select serial from zones');
  expect(Number(row!.serial)).toBeGreaterThan(zone.serial + 1);
});
