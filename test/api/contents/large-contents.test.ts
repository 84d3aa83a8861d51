/** Contents of more recordsets than are planned at once. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type StoredType, typeNumber } from '../../../src/dns/record-types.ts';
import { recordsetsIn } from '../../support/change-sets.ts';
import { putContents } from '../../support/contents.ts';
import { type Transferred, transferFrom } from '../../support/dns-client.ts';
import { freePort } from '../../support/free-port.ts';
import { RawConnection } from '../../support/raw-connection.ts';
import { runHere } from '../../support/run-here.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { storeOptions } from '../../support/store.ts';

const COUNT = 3000;
const POOL = [
  {
    name: 'default',
    ns_records: [{ hostname: 'ns1.example.org.', priority: 1 }],
    // Nothing listens there.
    nameservers: [{ host: '127.0.0.1', port: 9 }],
  },
];

let service: TestService;
let primary: { host: string; port: number };
let token: string;
beforeAll(async () => {
  primary = { host: '127.0.0.1', port: await freePort() };
  service = await startTestService({
    ZONEWARDEN_DEFAULT__QUOTA_ZONE_RECORDSETS: '-1',
    ZONEWARDEN_DEFAULT__QUOTA_ZONE_RECORDS: '-1',
    ZONEWARDEN_DEFAULT__QUOTA_RECORDSET_RECORDS: '-1',
    ZONEWARDEN_SERVICE_MDNS__LISTEN: `${primary.host}:${primary.port}`,
    ZONEWARDEN_SERVICE_MDNS__ALLOW_NETWORKS: primary.host,
  });
  const pools = join(service.dataDir, 'pools.json');
  writeFileSync(pools, JSON.stringify(POOL));
  const applied = await runHere(['pool', 'apply', pools, '--yes'], storeOptions(service.dataDir));
  expect(applied).toMatchObject({ status: 0 });
  token = await service.token('shop', 'member');
});
afterAll(() => service.remove());

let zones = 0;
async function makeZone() {
  const name = `large-${++zones}.example.`;
  const { json } = await service.request('POST', '/v2/zones', {
    token,
    body: { name, email: 'a@example.org' },
  });
  return { id: json.id as string, name };
}
const put = (id: string, contents: string | object, query = '') =>
  putContents(service, id, contents, { token, query });
const hosts = (count: number, address: (place: number) => string, prefix = 'host') =>
  Array.from({ length: count }, (_, place) => `${prefix}-${place} 300 A ${address(place)}\n`).join('');

const isOf = (type: StoredType | 'SOA') => (record: Transferred['records'][number]) =>
  record.type === typeNumber(type);

it('is one difference of exactly the records that differ', async () => {
  const { id, name } = await makeZone();
  const first = await put(
    id,
    hosts(COUNT, () => '192.0.2.1'),
  );
  expect([first.status, first.json.omitted, first.json.changes.length]).toEqual([202, COUNT - 1000, 1000]);
  const differs = (place: number) => place % 300 === 7;
  const second = await put(
    id,
    hosts(COUNT, (place) => (differs(place) ? '192.0.2.2' : '192.0.2.1')),
  );
  expect([second.status, second.json.summary]).toEqual([
    202,
    { create: 0, update: 10, delete: 0, unchanged: COUNT - 10 },
  ]);
  const serial = first.json.to_serial;
  const { records } = await transferFrom(primary, { name, type: 'IXFR', serial });
  const shown = records.filter((one) => !isOf('SOA')(one)).map((one) => `${one.name} ${one.rdata}`);
  const names = Array.from({ length: COUNT }, (_, place) => place)
    .filter(differs)
    .map((place) => `host-${place}.${name}`);
  expect(shown.slice(0, 10).sort()).toEqual(names.map((one) => `${one} 192.0.2.1`).sort());
  expect(shown.slice(10).sort()).toEqual(names.map((one) => `${one} 192.0.2.2`).sort());
  const serials = records.filter(isOf('SOA')).map(({ rdata }) => Number(rdata.split(' ')[2]));
  const last = second.json.to_serial;
  expect(serials).toEqual([last, serial, last, last]);
});

it('lists names in order, and has the plan of the dry run', async () => {
  const { id } = await makeZone();
  const file = hosts(COUNT, () => '192.0.2.1');
  const planned = await put(id, file, '?dry_run=true');
  const reversed = file.trim().split('\n').reverse().join('\n');
  const other = await put(id, reversed, '?dry_run=true');
  const namesOf = ({ json }: typeof planned) => json.changes.map(({ name }: { name: string }) => name);
  expect(namesOf(other)).toEqual(namesOf(planned));
  expect(namesOf(planned)).toEqual(namesOf(planned).toSorted());
  expect(other.json.plan).toBe(planned.json.plan);
  const { status } = await put(id, file, `?plan=${planned.json.plan}`);
  expect(status).toBe(202);
});

it('replaces a whole zone by another one, and empties it', async () => {
  const { id } = await makeZone();
  await put(
    id,
    hosts(COUNT, () => '192.0.2.1'),
  );
  const { json } = await put(
    id,
    hosts(COUNT, () => '192.0.2.1', 'other'),
  );
  expect(json.summary).toEqual({ create: COUNT, update: 0, delete: COUNT, unchanged: 0 });
  const emptied = await put(id, '; nothing\n');
  expect(emptied.json.summary.delete).toBe(COUNT);
  expect(await recordsetsIn(service, id, token)).toEqual({});
});

it('checks where each recordset is allowed, also beside what is stored and what comes along', async () => {
  const { id, name } = await makeZone();
  const stored = 'a.child 60 A 192.0.2.1\nb.child 60 TXT "x"\n';
  await put(id, stored);
  const many = hosts(COUNT, () => '192.0.2.1');
  const refused = async (file: string) => {
    const { status, json } = await put(id, `${many}${file}`);
    return [status, json.errors?.errors.map(({ type, path }: Record<string, unknown>) => [type, path])];
  };
  const location = 'invalid_recordset_location';
  expect(await refused(`${stored}child 60 NS ns.elsewhere.example.\n`)).toEqual([
    400,
    [[location, ['line', COUNT + 3]]],
  ]);
  expect(await refused('child 60 NS ns.elsewhere.example.\nc.child 60 A 192.0.2.1\n')).toEqual([
    400,
    [[location, ['line', COUNT + 2]]],
  ]);
  expect(await refused('host-7 60 CNAME host-8\n')).toEqual([
    400,
    [
      [location, ['line', 8]],
      [location, ['line', COUNT + 1]],
    ],
  ]);
  // The glue of the other delegation stays.
  const glue = `a.child 60 A 192.0.2.1\nchild 60 NS ns.elsewhere.example.\nsister 60 NS a.child.${name}\n`;
  expect((await put(id, `${many}${glue}`)).status).toBe(202);
  expect(await refused('a.child 60 A 192.0.2.1\nchild 60 NS ns.elsewhere.example.\n')).toEqual([
    202,
    undefined,
  ]);
  // The delegation stays as it is, and so is no part of the change.
  const others = hosts(COUNT, () => '192.0.2.1', 'other');
  const below = await put(
    id,
    `${others}a.child 60 A 192.0.2.1\nchild 60 NS ns.elsewhere.example.\nx.child 60 TXT "x"\n`,
  );
  expect([below.status, below.json.errors.errors[0].path]).toEqual([400, ['line', COUNT + 3]]);
});

it('answers with the recordsets that it lists in about four megabytes', async () => {
  const { id } = await makeZone();
  const text = 'x'.repeat(250);
  const record = Array.from({ length: 200 }, (_, place) => ({ text: `"${place} ${text}"` }));
  const lines = (count: number) =>
    Array.from({ length: count }, (_, place) =>
      record.map((one) => `big-${place} 60 TXT ${one.text}\n`).join(''),
    ).join('');
  const { status, json, text: answer } = await put(id, lines(120));
  expect(status).toBe(202);
  expect(json.changes.length + json.omitted).toBe(120);
  expect(answer.length).toBeLessThan(5 * 1024 * 1024);
});

it('does not wait for contents that arrive slowly', async () => {
  const { id } = await makeZone();
  const file = hosts(COUNT, () => '192.0.2.1');
  const slow = await RawConnection.open(service.url);
  slow.writeHead('PUT', `/v2/zones/${id}/contents`, {
    'X-Auth-Token': token,
    'Content-Type': 'text/dns',
    'Content-Length': file.length,
  });
  slow.write(file.slice(0, -100));
  expect((await put(id, file)).status).toBe(202);
  slow.write(file.slice(-100));
  expect(await slow.answered()).toBe(200);
});

it('plans many contents of one project in turns', async () => {
  const { id } = await makeZone();
  const sent = Array.from({ length: 8 }, (_, at) =>
    put(
      id,
      hosts(COUNT, () => `192.0.2.${at}`),
      '?dry_run=true',
    ),
  );
  expect((await Promise.all(sent)).map(({ status, json }) => [status, json.summary.create])).toEqual(
    sent.map(() => [200, COUNT]),
  );
});

it('warns of each of many recordsets, however many point at one name', async () => {
  const { id, name } = await makeZone();
  const many = Array.from({ length: COUNT }, (_, place) => `a-${place} 60 CNAME nowhere\n`).join('');
  const { status, json } = await put(id, many, '?dry_run=true');
  const [first] = json.changes;
  expect([status, first.warnings.map(({ guardrail }: { guardrail: string }) => guardrail)]).toEqual([
    200,
    ['dangling_target'],
  ]);
  expect(first.warnings[0].message).toContain(`nowhere.${name}`);
  const addresses = `nowhere 60 A 192.0.2.1\n${hosts(200, () => '192.0.2.1')}`;
  expect((await put(id, `${many}${addresses}`)).status).toBe(202);
  const deleted = await put(id, many, '?dry_run=true');
  const warned = deleted.json.changes.filter(({ warnings }: { warnings: unknown[] }) => warnings.length > 0);
  expect([deleted.json.summary.delete, warned.map((one: { name: string }) => one.name)]).toEqual([
    201,
    [`nowhere.${name}`],
  ]);
  expect(warned[0].warnings[0].message).toContain('and more');
});
