/** `import-designate` of zones that Designate transfers in from masters. */

import { afterEach, beforeEach, expect, it } from 'vitest';
import { TYPE } from '../../src/dns/record-types.ts';
import { Importing } from '../support/designate/importing.ts';
import { until } from '../support/eventually.ts';
import { wireKey } from '../support/primary.ts';
import { keyWith } from '../support/published-zones.ts';
import { record, soaRecord, startMaster } from '../support/scripted-master.ts';

const NAME = 'second.example.';

let site: Importing;
let data: Importing['designate']['data'];
beforeEach(async () => {
  site = await Importing.start({
    ZONEWARDEN_SECONDARY__ALLOWED_MASTERS: '127.0.0.0/8,192.0.2.0/24,2001:db8::/32',
  });
  ({ data } = site.designate);
});
afterEach(() => site.stop());

const secondary = (name: string, masters: unknown, own: object = {}) =>
  data.zone(name, { type: 'SECONDARY', masters, ...own });
const zoneAt = async (id: string) => (await site.get(`/v2/zones/${id}`)).json;

it('takes a secondary zone with its masters and its key, whose contents its masters send', async () => {
  const master = await startMaster();
  const soa = soaRecord(NAME, 7);
  const www = record(`www.${NAME}`, TYPE.A, '192.0.2.80');
  master.soa = () => [soa];
  master.transfer = (session) => session.send([soa, record(NAME, TYPE.NS, 'ns1.example.'), www, soa]);
  const zone = secondary(NAME, [`127.0.0.1:${master.port}`], {
    project_id: 'two',
    description: 'theirs',
    email: null,
    ttl: null,
    transferred_at: '2025-01-01T00:00:00.000000',
  });
  data.recordset(zone, `old.${NAME}`, 'A', ['192.0.2.1']);
  const key = keyWith({ name: 'zone-key', scope: 'ZONE', resourceId: zone.id });
  const { name, algorithm, secret, scope, resourceId } = key;
  data.tsigkeys.push(data.entry({ name, algorithm, secret, scope, resource_id: resourceId }));
  master.key = wireKey(key);
  data.zone('first.example.');

  const { status, out } = await site.importAll();
  expect(status).toBe(0);
  expect(out).toMatch(/^imported zone: 1 added$/m);
  expect(out).toMatch(/^imported secondary zone: 1 added$/m);
  expect(out).toMatch(/^compared secondary zone: 1 present$/m);
  expect(site.designate.asked.filter((path) => path.includes(`${zone.id}/recordsets`))).toEqual([]);

  await until(async () => expect((await zoneAt(zone.id)).serial).toBe(7));
  const { id, project_id, type, masters, description, created_at } = zone;
  const taken = await zoneAt(zone.id);
  expect(taken).toMatchObject({ id, project_id, type, masters, description, created_at, name: NAME });
  expect(taken.transferred_at).not.toBe(zone.transferred_at);
  expect(master.heard.slice(0, 2)).toEqual(['SOA udp signed', 'AXFR tcp signed']);
  const { recordsets } = (await site.get(`/v2/zones/${zone.id}/recordsets`)).json;
  expect(recordsets.map((one: { name: string }) => one.name).toSorted()).toEqual([NAME, NAME, `www.${NAME}`]);
  expect(await site.importAll()).toMatchObject({ status: 0, err: '' });
  expect(await site.verify()).toBe(0);
});

it('says of a zone that is equal when its contents have not come', async () => {
  const { id } = secondary(NAME, ['192.0.2.9', '192.0.2.9:53', '2001:DB8::1']);
  const { status, err } = await site.importAll();
  expect([status, err]).toEqual([
    0,
    `present: secondary zone ${NAME} (${id}): its first transfer has not come yet\n`,
  ]);
  expect(await zoneAt(id)).toMatchObject({ masters: ['192.0.2.9', '2001:db8::1'], status: 'PENDING' });
});

it('refuses masters that are no addresses, or not allowed, or none, with the reason, and asks nobody', async () => {
  secondary('named.example.', ['192.0.2.1', 'ns.example.net']);
  secondary('elsewhere.example.', ['198.51.100.1']);
  secondary('none.example.', []);
  secondary(
    'many.example.',
    Array.from({ length: 11 }, (_, place) => `192.0.2.${place}`),
  );
  secondary('odd.example.', { host: '192.0.2.1' });
  for (const flags of [[], ['--dry-run']]) {
    const { status, err } = await site.importAll(...flags);
    expect(status).toBe(1);
    expect(err).toMatch(/named\.example\. .*The master ns\.example\.net is not an IP address/);
    expect(err).toMatch(/elsewhere\.example\. .*198\.51\.100\.1.*allowed_masters/);
    expect(err).toMatch(/none\.example\. .*no masters/);
    expect(err).toMatch(/many\.example\. .*11 masters.*at most 10/);
    expect(err).toMatch(/odd\.example\. .*masters: Must be an array/);
  }
  expect((await site.get('/v2/zones')).json.zones).toEqual([]);
});

it('tells which masters differ, and takes them when asked to', async () => {
  const zone = secondary(NAME, ['192.0.2.1', '192.0.2.2'], { shared: true });
  const share = data.entry({ zone_id: zone.id, project_id: 'one', target_project_id: 'guest' });
  data.shares.set(zone.id, [share]);
  expect((await site.importAll()).status).toBe(0);
  expect((await site.get(`/v2/zones/${zone.id}/shares/${share.id}`)).status).toBe(200);

  zone.masters = ['192.0.2.2', '192.0.2.1'];
  expect((await site.importAll()).status).toBe(0);
  Object.assign(zone, { masters: ['192.0.2.3'], description: 'moved' });
  data.shares.set(zone.id, []);
  expect((await site.importAll()).err).toContain(
    `different: secondary zone ${NAME} (${zone.id}): description differs, shares differs, masters differs`,
  );
  const { status, out } = await site.importAll('--update');
  expect(status).toBe(0);
  expect(out).toMatch(/^imported secondary zone: 1 updated$/m);
  expect(await zoneAt(zone.id)).toMatchObject({
    masters: ['192.0.2.3'],
    description: 'moved',
    shared: false,
  });
  expect(await site.verify()).toBe(0);
});

it('leaves a zone alone whose type or name is another one at the source', async () => {
  const [one, two, three] = ['one', 'two', 'three'].map((label) => data.zone(`${label}.example.`)) as [
    Zone,
    Zone,
    Zone,
  ];
  data.recordset(one, 'www.one.example.', 'A', ['192.0.2.1']);
  const back = secondary('back.example.', ['192.0.2.1']);
  expect((await site.importAll()).status).toBe(0);
  Object.assign(one, { type: 'SECONDARY', masters: ['192.0.2.1'] });
  Object.assign(back, { type: 'PRIMARY', masters: [] });
  data.recordset(back, 'www.back.example.', 'A', ['192.0.2.1']);
  Object.assign(two, { name: 'other.example.' });
  data.recordset(two, 'www.other.example.', 'A', ['192.0.2.1']);
  Object.assign(three, { description: 'newer' });

  const { status, err } = await site.importAll('--update');
  expect(status).toBe(1);
  expect(err).toMatch(/different: secondary zone one\.example\. .*: type differs/);
  expect(err).toMatch(/different: zone back\.example\. .*: type differs/);
  expect(err).toMatch(/different: zone other\.example\. .*: name differs/);
  expect(await zoneAt(one.id)).toMatchObject({ type: 'PRIMARY' });
  expect(await zoneAt(back.id)).toMatchObject({ type: 'SECONDARY', masters: ['192.0.2.1'] });
  expect((await site.get(`/v2/zones/${two.id}/recordsets`)).json.recordsets.length).toBe(2);
  expect(await zoneAt(three.id)).toMatchObject({ description: 'newer' });
  expect(await site.verify()).toBe(0);
});

type Zone = ReturnType<typeof secondary>;
