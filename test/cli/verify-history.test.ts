/** `verify` and the journal of zone changes. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runHere } from '../support/run-here.ts';
import { startTestService } from '../support/service.ts';
import { copyStore, inStoreOf, storeOptions } from '../support/store.ts';
import { tenantOf } from '../support/tenant.ts';

const folders: string[] = [];
let sound: string;
/** Ids of changes: the newest first. */
let changes: readonly string[];

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'zonewarden-journal-'));
  folders.push(folder);
  return folder;
}

beforeAll(async () => {
  const service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONE_RECORDS: '-1' });
  const tenant = await tenantOf(service, 'tenant');
  const heir = await tenantOf(service, 'heir');
  const zone = await tenant.makeZone('journal.example.');
  const path = `/v2/zones/${zone.id}`;
  const set = (list: readonly object[]) => tenant.ask('POST', `${path}/changes`, { changes: list });
  const txt = (place: number, text: string) => {
    return {
      action: 'upsert',
      name: `t${place}.${zone.name}`,
      type: 'TXT',
      records: [`"${text}"`, '"more"'],
    };
  };
  const { json } = await tenant.create(zone, { name: `a.${zone.name}`, type: 'A', records: ['192.0.2.1'] });
  await tenant.ask('PATCH', path, { ttl: 77, description: 'other' });
  // Large enough to be stored deflated.
  const many = await set(Array.from({ length: 100 }, (_, place) => txt(place, 'one')));
  expect(many.status).toBe(202);
  await set([txt(1, 'two'), { action: 'delete', name: `t2.${zone.name}` }]);
  await tenant.ask('DELETE', `${path}/recordsets/${json.id}`);
  const reverted = await tenant.ask('POST', `${path}/changes/${many.json.id}/revert`, {});
  expect(reverted.status).toBe(409);
  expect((await tenant.ask('POST', `${path}/restore`, { serial: many.json.to_serial })).status).toBe(202);
  const { json: request } = await tenant.ask('POST', `${path}/tasks/transfer_requests`, {});
  const accept = { zone_transfer_request_id: request.id, key: request.key };
  expect((await heir.ask('POST', '/v2/zones/tasks/transfer_accepts', accept)).status).toBe(201);
  const last = await heir.create(zone, {
    name: `z.${zone.name}`,
    type: 'MX',
    records: ['10 MAIL.Example.org.'],
  });
  expect(last.status).toBe(202);
  await heir.ask('PUT', `${path}/recordsets/${last.json.id}`, { protected: true });
  await heir.ask('PATCH', path, { protected: true });
  await heir.ask('PATCH', `${path}/guardrails`, { in_use: 'off' });
  const secondary = { name: 'second.example.', type: 'SECONDARY', masters: ['192.0.2.1'] };
  expect((await tenant.ask('POST', '/v2/zones', secondary)).status).toBe(202);
  await service.stop();
  sound = newFolder();
  copyStore(service.dataDir, sound);
  rmSync(service.dataDir, { recursive: true, force: true });
  changes = (await inStoreOf(sound, 'select id from zone_changes order by id desc')).map(({ id }) =>
    String(id),
  );
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const verify = (folder: string, ...options: string[]) =>
  runHere(['verify', ...options], storeOptions(folder));

async function verified(statements: readonly string[], ...options: string[]) {
  const folder = newFolder();
  copyStore(sound, folder);
  await inStoreOf(folder, ...statements);
  const { status, out } = await verify(folder, ...options);
  return { folder, status, out, faults: out.trim().split('\n').slice(0, -1) };
}

it('finds nothing wrong with a sound journal, and counts its changes', async () => {
  const { out } = await verified([]);
  expect(out).toMatch(new RegExp(`^verified .* ${changes.length} changes, .*: 0 faults\n$`));
});

it('finds nothing wrong with a gap, nor before it', async () => {
  const { status, out } = await verified([
    `delete from zone_changes where number = 5`,
    `update zone_changes set effects = null where number = 8`,
    `update recordsets set ttl = 5 where name like 't5.%'`,
  ]);
  expect([status, out]).toEqual([0, expect.any(String)]);
});

const ONE = `number = 2`;

it.each<[string, string, RegExp]>([
  ['an id', `update zone_changes set id = 'x' where ${ONE}`, /^change x: The id is not valid\.$/],
  ['a time', `update zone_changes set at = 'then' where ${ONE}`, /^change \S+: A time is not valid\.$/],
  ['a door', `update zone_changes set door = 'window' where ${ONE}`, /: The door window is unknown\.$/],
  [
    'an actor',
    `update zone_changes set actor = '{' where ${ONE}`,
    /: Its actor or the properties of the zone cannot/,
  ],
  [
    'properties',
    `update zone_changes set zone = '{}' where ${ONE}`,
    /: Its actor or the properties of the zone cannot/,
  ],
  [
    'a size',
    `update zone_changes set size = size + 1 where ${ONE}`,
    /: Its size is \d+; it should be \d+\.$/,
  ],
  [
    'a count',
    `update zone_changes set created = 7 where ${ONE}`,
    /: It says 7 created, 0 changed and 0 deleted .* there are 1 /,
  ],
  ['effects', `update zone_changes set effects = '[1' where ${ONE}`, /: What it did cannot be read\.$/],
  [
    'deflated effects',
    `update zone_changes set effects = 'AAAA' where ${ONE}`,
    /: What it did cannot be read\.$/,
  ],
  [
    'cut effects',
    `update zone_changes set effects = substr(effects, 1, 500) where number = 4`,
    /: What it did cannot be read\.$/,
  ],
  [
    'a serial',
    `update zone_changes set to_serial = to_serial + 1 where ${ONE}`,
    /: It leads to the serial \d+, but the next one starts at \d+\.$/,
  ],
  [
    'the last serial',
    `update zones set serial = serial + 1 where type = 'PRIMARY'`,
    /^zone \S+ .*: Its history leads to another serial, TTL/,
  ],
  [
    'a TTL',
    `update zones set ttl = 78 where type = 'PRIMARY'`,
    /^zone \S+ .*: Its history leads to another serial, TTL/,
  ],
  ['a version', `update zone_changes set number = 99 where ${ONE}`, /: Its version is 99, but /],
  [
    'a recordset',
    `update recordsets set ttl = 5 where name like 't5.%'`,
    /^zone \S+ \(journal\.example\.\): Its history leads to other recordsets than it has: t5\.\S+ TXT\.$/,
  ],
  [
    'a missing recordset',
    `delete from recordsets where name like 't5.%'`,
    /: Its history leads to other recordsets than it has: t5\.\S+ TXT\.$/,
  ],
  [
    'an added recordset',
    `update recordsets set name = 'y.journal.example.', subtree_key = 'example!journal!y' where name like 't5.%'`,
    /: Its history leads to other recordsets than it has: t5\.\S+ TXT\.$/,
  ],
  [
    'what a change did',
    `update zone_changes set effects = replace(effects, '192.0.2.1', '192.0.2.9') where ${ONE}`,
    /^change \S+: It leaves a\.journal\.example\. A otherwise than a later change found it\.$/,
  ],
  [
    'a zone',
    `update zone_changes set zone_id = '00000000-0000-4000-8000-000000000000' where number = 9`,
    /^history zone 0+-0000-4000-8000-0+: Its zone does not exist\.$/,
  ],
])('names what is wrong with %s, and exits with 1', async (_, statement, fault) => {
  const { status, out, faults } = await verified([statement]);
  expect([status, out]).toEqual([1, expect.any(String)]);
  expect(
    faults.filter((line) => fault.test(line)),
    out,
  ).toHaveLength(1);
});

it('names three recordsets of a zone at most, and marks a gap in its history with --repair', async () => {
  const damage = [`update recordsets set description = 'x' where name like 't%'`];
  const { out } = await verified(damage);
  expect(out).toMatch(/: t0\S* TXT, t1\S* TXT, t10\S* TXT and 97 more\.$/m);
  const repaired = await verified(damage, '--repair');
  expect([repaired.status, repaired.out]).toEqual([0, expect.stringContaining('repaired: zone ')]);
  const again = await verify(repaired.folder);
  expect([again.status, again.out]).toEqual([0, expect.any(String)]);
});

it('compares the sizes that the upkeep counts, and corrects them with --repair', async () => {
  const counted = [
    `insert into history_progress (name, up_to) values ('counted', '${changes[2]}')`,
    `insert into history_sizes (id, kind, bytes) select 'zone ' || zone_id, 'zone', 1 from zone_changes where number = 2`,
    `insert into history_sizes (id, kind, bytes) values ('project tenant', 'project', 2), ('project gone', 'project', 3)`,
  ];
  const { out } = await verified(counted);
  expect(
    out.match(/^history (zone|project) \S+: The counter says [123] bytes of changes; there are \d+\.$/gm),
  ).toHaveLength(3);
  const repaired = await verified(counted, '--repair');
  expect([repaired.status, repaired.out]).toEqual([
    0,
    expect.stringContaining('repaired: history project gone'),
  ]);
  expect((await verify(repaired.folder)).status).toBe(0);
  const sizes = await inStoreOf(repaired.folder, 'select id, bytes from history_sizes order by id');
  const [sum] = await inStoreOf(
    repaired.folder,
    `select sum(size) as total from zone_changes where id <= '${changes[2]}'`,
  );
  expect(sizes).toHaveLength(2);
  expect(Number(sizes[1]!.bytes)).toBe(Number(sum!.total));
});

it('finds nothing wrong with a deleted zone that its name servers still have to drop', async () => {
  const service = await startTestService();
  const { dataDir } = service;
  const unreachable = '[{"host":"127.0.0.1","port":9}]';
  await inStoreOf(dataDir, `update pools set publishes = 1, nameservers = '${unreachable}'`);
  await service.restart();
  const tenant = await tenantOf(service, 'tenant');
  const zone = await tenant.makeZone('leaving.example.');
  await tenant.create(zone, { name: `a.${zone.name}`, type: 'A', records: ['192.0.2.1'] });
  const { json } = await tenant.ask('DELETE', `/v2/zones/${zone.id}`);
  expect(json.action).toBe('DELETE');
  expect(await inStoreOf(dataDir, `select action from zones where id = '${zone.id}'`)).toHaveLength(1);
  expect(await verify(dataDir)).toMatchObject({ status: 0, out: expect.stringContaining('0 faults') });
  await service.remove();
});

it('leaves the history of a zone that does not exist to be removed, where it repairs', async () => {
  const folder = newFolder();
  copyStore(sound, folder);
  const gone = '00000000-0000-4000-8000-000000000000';
  await inStoreOf(folder, `update zone_changes set zone_id = '${gone}' where number = 9`);
  const of = async (...args: string[]) =>
    (await runHere(['verify', ...args], storeOptions(folder))).out
      .split('\n')
      .filter((line) => line.includes(gone));
  expect(await of()).toEqual([`history zone ${gone}: Its zone does not exist.`]);
  await of('--repair');
  expect(await of()).toEqual([]);
});
