import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { startTestService } from '../support/service.ts';
import { copyStore, inStoreOf, storeOptions } from '../support/store.ts';
import { importFile, zoneFile } from '../support/zone-files.ts';

const folders: string[] = [];
let sound: string;

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'zonewarden-verify-'));
  folders.push(folder);
  return folder;
}

beforeAll(async () => {
  const service = await startTestService();
  const shop = await service.token('shop', 'member');
  const other = await service.token('other', 'member');
  const lines = [
    'www 60 A 192.0.2.1',
    'www 60 A 192.0.2.2',
    'sub 60 NS ns.sub',
    'ns.sub 60 A 192.0.2.1',
    'd TXT a',
  ];
  const imported = await importFile(service, shop, zoneFile('shop.example.', ...lines));
  expect(imported.status).toBe(202);
  for (const name of ['empty.example.', 'below.shop.example.']) {
    const body = { name, email: 'A.Hostmaster@Example.org' };
    expect((await service.request('POST', '/v2/zones', { token: shop, body })).status).toBe(202);
  }
  const body = { name: 'other.example.', email: 'a@b.example', ttl: 60 };
  const { json } = await service.request('POST', '/v2/zones', { token: other, body });
  const txt = { name: 'x.other.example.', type: 'TXT', records: ['a'], ttl: 5 };
  await service.request('POST', `/v2/zones/${json.id}/recordsets`, { token: other, body: txt });
  const shared = { token: other, body: { target_project_id: 'shop', scope: { types: ['TXT'] } } };
  await service.request('POST', `/v2/zones/${json.id}/shares`, shared);
  const own = { ...txt, name: 'own.other.example.' };
  await service.request('POST', `/v2/zones/${json.id}/recordsets`, { token: shop, body: own });
  await service.request('PATCH', `/v2/zones/${json.id}`, { token: other, body: { email: 'c@d.example' } });
  for (const name of ['given.example.', 'offered.example.']) {
    const made = await service.request('POST', '/v2/zones', { token: other, body: { ...body, name } });
    const path = `/v2/zones/${made.json.id}/tasks/transfer_requests`;
    const offered = await service.request('POST', path, { token: other, body: {} });
    if (name === 'offered.example.') continue;
    const accept = { zone_transfer_request_id: offered.json.id, key: offered.json.key };
    const accepts = '/v2/zones/tasks/transfer_accepts';
    expect((await service.request('POST', accepts, { token: shop, body: accept })).status).toBe(201);
  }
  const gone = await service.request('POST', '/v2/zones', {
    token: other,
    body: { ...body, name: 'gone.example.' },
  });
  const inGone = { ...txt, name: 'x.gone.example.' };
  await service.request('POST', `/v2/zones/${gone.json.id}/recordsets`, { token: other, body: inGone });
  await service.request('DELETE', `/v2/zones/${gone.json.id}`, { token: other });
  for (const pattern of ['^evil\\.', '(?<=a)b']) {
    const headers = pattern.startsWith('^') ? { 'idempotency-key': 'once' } : {};
    await service.request('POST', '/v2/blacklists', { token: service.admin, body: { pattern }, headers });
  }
  await service.stop();
  sound = newFolder();
  copyStore(service.dataDir, sound);
  await service.remove().catch(() => {});
  rmSync(service.dataDir, { recursive: true, force: true });
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A copy of the sound store, changed behind the service's back. */
async function damaged(...statements: readonly string[]): Promise<string> {
  const folder = newFolder();
  copyStore(sound, folder);
  await inStoreOf(folder, ...statements);
  return folder;
}

async function verify(folder: string, ...options: readonly string[]) {
  const lines: string[] = [];
  const status = await runProgram(['verify', ...options], {
    version: '0',
    environment: storeOptions(folder),
    output: { out: (line) => void lines.push(line), err: (line) => void lines.push(`error: ${line}`) },
    serve: async () => {},
  });
  return { status, lines, faults: lines.slice(0, -1), summary: lines.at(-1) };
}

const SHOP = "(select id from zones where name = 'shop.example.')";
const WWW = "name = 'www.shop.example.'";

const POOL = '794ccc2c-d751-44fe-b57f-8894c9f5c842';
const KEY = '00000000-0000-4000-8000-000000000000';
const keyOf = (scope: string, resource: string): string =>
  `insert into tsig_keys (id, name, algorithm, secret, scope, resource_id, created_at, updated_at)
   values ('${KEY}', 'a-key', 'hmac-sha256', 'AA==', '${scope}', ${resource}, '2026-01-01T00:00:00.000000', '')`;

it('finds nothing wrong with a sound store, and exits with 0', async () => {
  const { status, lines } = await verify(sound);
  expect(lines).toEqual([
    'verified 6 zones, 18 recordsets, 2 projects, 2 blacklists, 3 transfers, 1 shares, 1 tasks, 3 tokens, 1 answers, 6 changes, 18 events: 0 faults',
  ]);
  expect(status).toBe(0);
});

it('finds nothing wrong with a token that has a scope', async () => {
  const scope = `{"types":["TXT"],"rate":{"writes":1,"per_seconds":60}}`;
  const { status, lines } = await verify(await damaged(`update api_tokens set scope = '${scope}'`));
  expect(status, lines.join('\n')).toBe(0);
});

it('removes the orders and the members of zones that do not exist, and leaves those of abandoned zones', async () => {
  const [gone, moved] = [KEY, `${POOL}/former`];
  const order = (id: string) =>
    `insert into publications (zone_id, pool_id, joining, serial, pending_since, due_at) values ('${id}', '${POOL}', 1, 5, '', '')`;
  const member = (id: string, label: string) =>
    `insert into catalog_members (pool_id, zone_id, name, label, from_serial, to_serial) values ('${POOL}', '${id}', 'x.example.', '${label}', 1, 0)`;
  const folder = await damaged(order(gone), order(moved), member(gone, 'a'), member('left.example.', 'b'));
  const fault = 'Its zone does not exist.';
  expect((await verify(folder)).faults).toEqual([`order ${gone}: ${fault}`, `order ${moved}: ${fault}`]);
  expect((await verify(folder, '--repair')).status).toBe(0);
  expect((await verify(folder)).faults).toEqual([]);
  const members = await inStoreOf(folder, 'select zone_id from catalog_members where to_serial = 0');
  expect(members).toEqual([{ zone_id: 'left.example.' }]);
});

describe('names what is wrong, and exits with 1:', () => {
  it.each([
    [
      'zones counter',
      "update projects set zones = 7 where project_id = 'shop'",
      'project shop: The counters say 7 zones and 4 recordsets; there are 4 and 4.',
    ],
    [
      'recordsets counter of a project',
      "update projects set recordsets = 0 where project_id = 'shop'",
      'there are 4 and 4',
    ],
    [
      'recordsets counter of a zone',
      `update zones set recordsets = 9 where id = ${SHOP}`,
      'The counters say 9 recordsets, 5 records and ',
    ],
    ['records counter of a zone', `update zones set records = 1 where id = ${SHOP}`, 'there are 4, 5 and'],
    ['size of a zone', `update zones set bytes = bytes + 1 where id = ${SHOP}`, 'there are 4, 5 and'],
    [
      'size of a recordset',
      `update recordsets set bytes = bytes + 1 where managed = 0 and zone_id = ${SHOP}`,
      'The size of 4 of its recordsets is wrong.',
    ],
    [
      'project without counters',
      "delete from projects where project_id = 'other'",
      'project other: The counters say 0 zones and 0 recordsets; there are 2 and 2.',
    ],
    [
      'counter of a share',
      'update zone_shares set recordsets = 4',
      'The counter says 4 recordsets of the other project; there are 1.',
    ],
    [
      'recordset of a project that the zone is not shared with',
      'delete from zone_shares',
      'its zone belongs to another, and is not shared with it.',
    ],
    [
      'share of a zone that is gone',
      "insert into zone_shares select '00000000-0000-4000-8000-000000000000', 'gone', project_id, target_project_id, 0, created_at, updated_at, scope from zone_shares",
      'share 00000000-0000-4000-8000-000000000000: Its zone does not exist.',
    ],
    [
      'owner of a share',
      "update zone_shares set project_id = 'nobody'",
      'The zone belongs to the project other.',
    ],
    [
      'name of a zone',
      "update zones set name = 'Empty.example.' where name = 'empty.example.'",
      '(Empty.example.): The name is not canonical.',
    ],
    [
      'subtree key of a zone',
      "update zones set subtree_key = 'x' where name = 'empty.example.'",
      'The subtree key does not match the name.',
    ],
    [
      'recordset of a deleted zone',
      'delete from deleted_contents',
      '(gone.example.): It had 1 recordsets; 0 are stored.',
    ],
    [
      'recordsets of a deleted zone',
      "update deleted_contents set part = '?'",
      '(gone.example.): Its recordsets cannot be read.',
    ],
    [
      'properties of a deleted zone',
      "update deleted_zones set zone = '['",
      '(gone.example.): What a restore needs cannot be read.',
    ],
    [
      'id of a zone',
      "update zones set id = 'x' where name = 'empty.example.'",
      'zone x (empty.example.): The id is not valid.',
    ],
    [
      'mail address',
      "update zones set email = 'x' where name = 'empty.example.'",
      'The mail address is not valid.',
    ],
    ['TTL of a zone', "update zones set ttl = -1 where name = 'empty.example.'", 'The TTL is -1.'],
    ['serial', "update zones set serial = 0 where name = 'empty.example.'", 'The serial 0 is not valid.'],
    [
      'attributes',
      "update zones set attributes = '[' where name = 'empty.example.'",
      'The attributes cannot be read.',
    ],
    [
      'timers that cannot be read',
      "update zones set soa = '[' where name = 'empty.example.'",
      'The timers of the SOA are not valid.',
    ],
    [
      'times of a zone',
      "update zones set updated_at = '2001-01-01T00:00:00.000000' where name = 'empty.example.'",
      'updated_at is earlier than created_at.',
    ],
    [
      'ill-formed time',
      "update zones set created_at = 'now' where name = 'empty.example.'",
      'A time is not valid.',
    ],
    [
      'project of a zone',
      "update zones set project_id = 'other' where name = 'below.shop.example.'",
      '(below.shop.example.): It lies below shop.example., which belongs to the project shop.',
    ],
    [
      'missing SOA',
      `delete from recordsets where type = 'SOA' and zone_id = ${SHOP}`,
      '(shop.example.): The SOA is missing.',
    ],
    [
      'missing NS',
      `delete from recordsets where name = 'shop.example.' and type = 'NS'`,
      '(shop.example.): The NS at the apex is missing.',
    ],
    [
      'serial of the SOA',
      `update zones set serial = serial + 1 where id = ${SHOP}`,
      'The SOA is "ns1.invalid. hostmaster.example.org. ',
    ],
    [
      'mark of managed recordsets',
      `update recordsets set managed = 1 where ${WWW}`,
      'Its managed flag is wrong.',
    ],
    [
      'name of a recordset',
      `update recordsets set name = 'WWW.shop.example.' where ${WWW}`,
      '(WWW.shop.example. A): The name is not canonical.',
    ],
    [
      'subtree key of a recordset',
      `update recordsets set subtree_key = 'example!shop!zzz' where ${WWW}`,
      'The subtree key does not match the name.',
    ],
    ['id of a recordset', `update recordsets set id = upper(id) where ${WWW}`, 'The id is not valid.'],
    ['type', `update recordsets set type = 'BOGUS' where ${WWW}`, 'The type BOGUS is unknown.'],
    ['TTL of a recordset', `update recordsets set ttl = -1 where ${WWW}`, 'The TTL is -1.'],
    ['unreadable records', `update recordsets set records = '{' where ${WWW}`, 'The records cannot be read.'],
    ['empty records', `update recordsets set records = '[]' where ${WWW}`, 'Must have at least one record.'],
    [
      'rdata that is not canonical',
      `update recordsets set records = '["192.0.2.1","192.000.2.2"]' where ${WWW}`,
      'The record "192.000.2.2" is not canonical rdata.',
    ],
    [
      'unreadable spellings',
      `update recordsets set spellings = '[' where ${WWW}`,
      'The records cannot be read.',
    ],
    [
      'another spelling than of the record',
      `update recordsets set spellings = '{"192.0.2.1":"192.0.2.3"}' where ${WWW}`,
      '"192.0.2.3" is not a spelling of "192.0.2.1".',
    ],
    [
      'a size without the spelling',
      "update recordsets set spellings = null where name = 'x.other.example.'",
      'The counters say',
    ],
    [
      'a record twice',
      `update recordsets set records = '["192.0.2.1","192.0.2.1"]' where ${WWW}`,
      'A record occurs twice.',
    ],
    [
      'a CNAME beside other data',
      `insert into recordsets (id, zone_id, project_id, name, subtree_key, type, ttl, records, description, managed, version, created_at, updated_at) select '11111111-1111-4111-8111-111111111111', zone_id, project_id, name, subtree_key, 'CNAME', ttl, '["a."]', description, 0, 1, created_at, '' from recordsets where ${WWW}`,
      'A CNAME must be the only recordset at its name, and this name already has an A record.',
    ],
    [
      'data below a delegation',
      "update recordsets set type = 'HINFO', records = '[\"a b\"]', name = 'x.sub.shop.example.', subtree_key = 'example!shop!sub!x' where name = 'd.shop.example.'",
      '(x.sub.shop.example. HINFO): "sub.shop.example." is delegated to other name servers',
    ],
    [
      'data at a delegation',
      "update recordsets set type = 'HINFO', records = '[\"a b\"]', name = 'sub.shop.example.', subtree_key = 'example!shop!sub' where name = 'd.shop.example.'",
      '"sub.shop.example." is delegated to other name servers',
    ],
    [
      'data outside the zone',
      "update recordsets set name = 'd.example.', subtree_key = 'example!d' where name = 'd.shop.example.'",
      'The name is outside the zone',
    ],
    [
      'project of a recordset',
      `update recordsets set project_id = 'other' where ${WWW}`,
      'It belongs to the project other, but its zone belongs to another, and is not shared with it.',
    ],
    [
      'recordset without a zone',
      `update recordsets set zone_id = '00000000-0000-4000-8000-000000000000' where ${WWW}`,
      '(www.shop.example. A): Its zone does not exist.',
    ],
    [
      'recordset without a zone, last',
      `update recordsets set zone_id = 'ffffffff-0000-4000-8000-000000000000' where ${WWW}`,
      '(www.shop.example. A): Its zone does not exist.',
    ],
    [
      'pattern',
      "update blacklists set pattern = '(' where number = 1",
      'The pattern cannot be compiled. This is not a regular expression',
    ],
    [
      'keys of a pattern',
      "update blacklists set pattern_hash = 'x' where number = 1",
      'The keys do not match the pattern.',
    ],
    [
      'blacklist that nothing holds',
      'update blacklists set by_hand = 0 where number = 1',
      'Neither a list nor a person holds it.',
    ],
    [
      'list that holds what is not there',
      `insert into blacklist_holders (key, list, blacklist_id, arrives, leaves, mark) values ('brands/gone', 'brands', 'gone', 0, 0, 0)`,
      'It holds the blacklist gone, which does not exist.',
    ],
    [
      'counter of a list',
      `insert into blacklist_lists (name, created_at, updated_at, entries, sha256, event_id) values ('brands', '', '', 7, '', '')`,
      'The counter says 7 blacklists; it holds 0.',
    ],
    [
      'number of a pattern',
      'update blacklist_revision set revision = 1',
      'The number 2 is greater than the revision 1.',
    ],
    [
      'mode of a blacklist',
      "update blacklists set mode = 'off' where number = 1",
      'The mode off is unknown.',
    ],
    [
      'expiry of a blacklist',
      "update blacklists set expires_at = 'soon' where number = 1",
      'The expiry is not valid.',
    ],
    [
      'end of a blacklist',
      'update blacklists set ended = 1 where number = 1',
      'It has ended, but has no expiry.',
    ],
    [
      'exceptions of a blacklist',
      "update blacklists set exceptions = '[{]' where number = 1",
      'The exceptions cannot be read.',
    ],
    [
      'exception of a blacklist',
      `update blacklists set exceptions = '[{"project_id":null,"name":"A.example.","description":null,"expires_at":null}]' where number = 1`,
      'An exception is not valid.',
    ],
    [
      'hits of a blacklist',
      "update blacklists set hits_refused = -1, hits_at = '2030-01-31T12:00:00.000000' where number = 1",
      'The hits are not valid.',
    ],
    [
      'times of a blacklist',
      "update blacklists set updated_at = '2001-01-01T00:00:00.000000' where number = 1",
      'updated_at is earlier than created_at.',
    ],
    [
      'open transfer request of another owner',
      "update zone_transfer_requests set project_id = 'shop' where status = 'ACTIVE'",
      'It is open, but the zone belongs to the project other.',
    ],
    [
      'status of a transfer request',
      "update zone_transfer_requests set status = 'LOST' where status = 'ACTIVE'",
      'The status LOST is unknown.',
    ],
    [
      'transfer request without a zone',
      "update zone_transfer_requests set zone_id = '00000000-0000-4000-8000-000000000000' where status = 'ACTIVE'",
      'It is open, but its zone does not exist.',
    ],
    [
      'zone of a transfer accept',
      "update zone_transfer_accepts set zone_id = 'x'",
      'The zone id is not valid.',
    ],
    ['kind of a task', "update zone_tasks set kind = 'guess'", 'The kind guess is unknown.'],
    ['zone of a task', "update zone_tasks set zone_id = 'x'", 'The zone id is not valid.'],
    [
      'hash of a token',
      "update api_tokens set hash = 'x' where project_id = 'shop'",
      'The hash is not valid.',
    ],
    [
      'roles of a token',
      "update api_tokens set roles = '{' where project_id = 'shop'",
      'The roles or the scope cannot be read.',
    ],
    [
      'scope of a token',
      "update api_tokens set scope = '{' where project_id = 'shop'",
      'The roles or the scope cannot be read.',
    ],
    ['scope of a share', "update zone_shares set scope = '{'", 'The scope cannot be read.'],
    [
      'description of a token',
      `update api_tokens set description = '${'x'.repeat(1025)}' where project_id = 'shop'`,
      'The description is not valid.',
    ],
    [
      'kept answer without a status',
      'update idempotency_keys set status = 0',
      'The status 0 is not a success status.',
    ],
    ['kept answer without a body', "update idempotency_keys set body = ''", 'The answer cannot be read.'],
    ['headers of a kept answer', "update idempotency_keys set headers = '{'", 'The answer cannot be read.'],
    ['hash of a kept answer', "update idempotency_keys set body_hash = 'x'", 'A hash is not valid.'],
    ['limit', "update projects set quota_zones = -2 where project_id = 'shop'", 'A limit is not valid.'],
    [
      'pool without its key',
      "update pools set tsig_key = 'a-key'",
      `pool ${POOL} (default): Its TSIG key a-key does not exist.`,
    ],
    [
      'pool whose server has a key that is missing',
      `update pools set nameservers = '[{"host": "192.0.2.1", "port": 53, "tsigKey": "own-key"}]'`,
      `pool ${POOL} (default): Its TSIG key own-key does not exist.`,
    ],
    [
      'pool with the key of a zone',
      [keyOf('ZONE', SHOP), "update pools set tsig_key = 'a-key'"],
      /^pool .* Its TSIG key a-key is one of the zone /,
    ],
    [
      'pool whose catalog has the key of another pool',
      [keyOf('POOL', `'${KEY}'`), "update pools set catalog_fqdn = 'c.example.', catalog_tsig_key = 'a-key'"],
      /^pool .* Its TSIG key a-key is one of the pool /,
    ],
    [
      'key of a project without its zone',
      [keyOf('ZONE', `'${KEY}'`), "update tsig_keys set project_id = 'shop'"],
      /^TSIG key .* It is a key of the project shop, but not of one of its zones/,
    ],
    [
      'key of another project than its zone',
      [keyOf('ZONE', SHOP), "update tsig_keys set project_id = 'other'"],
      /^TSIG key .* It is a key of the project other, but not of one of its zones/,
    ],
    [
      'key of a project that is named as none of its zone',
      [
        keyOf('ZONE', SHOP),
        'update tsig_keys set project_id = (select project_id from zones where id = resource_id)',
      ],
      /^TSIG key .* Its name is not a label below shop\.example\./,
    ],
  ])('%s', async (_, statement, fault) => {
    const { status, lines, faults } = await verify(await damaged(...[statement].flat()));
    expect(status, lines.join('\n')).toBe(1);
    const isFault = (line: string) => (typeof fault === 'string' ? line.includes(fault) : fault.test(line));
    expect(faults.filter(isFault), lines.join('\n')).toHaveLength(1);
  });

  it('a line each, with their number in the end', async () => {
    const { faults, summary } = await verify(
      await damaged('update zones set ttl = -1', "update recordsets set ttl = -1 where type = 'TXT'"),
    );
    expect(faults.filter((line) => line.includes('The TTL is -1.'))).toHaveLength(9);
    expect(summary).toBe(
      'verified 6 zones, 18 recordsets, 2 projects, 2 blacklists, 3 transfers, 1 shares, 1 tasks, 3 tokens, 1 answers, 6 changes, 18 events: 14 faults',
    );
  });
});

describe('tells of what is allowed, but opens nothing:', () => {
  it.each([
    ['ZONE', `'${POOL}'`, 'pool'],
    ['POOL', SHOP, 'zone'],
  ])('a key with the scope %s', async (scope, resource, what) => {
    const { status, lines } = await verify(await damaged(keyOf(scope, resource)));
    expect(status).toBe(0);
    expect(lines.join('\n')).toMatch(
      new RegExp(
        `notice: TSIG key ${KEY} \\(a-key\\): It has the scope ${scope}, but .* is the id of a ${what}: `,
      ),
    );
  });
});

describe('with --repair', () => {
  it('corrects every counter, and exits with 0', async () => {
    const folder = await damaged(
      'update zones set recordsets = 100, records = -5',
      'update projects set zones = 100, recordsets = 100',
      'update zone_shares set recordsets = 100',
      "delete from projects where project_id = 'other'",
    );
    const repaired = await verify(folder, '--repair');
    expect(repaired.status, repaired.lines.join('\n')).toBe(0);
    expect(repaired.faults).toHaveLength(9);
    for (const line of repaired.faults) expect(line).toMatch(/^repaired: (zone|project|share) /);
    expect(repaired.summary).toMatch(/: 9 faults, 9 repaired$/);
    expect((await verify(folder)).status).toBe(0);
  });

  it('rewrites names in the form of an earlier version, and shows clients the records as before', async () => {
    const ofD = "type = 'TXT' and name = 'd.shop.example.'";
    const folder = await damaged(
      `update recordsets set type = 'PTR', records = '["a&b.example.","c=d.example."]',
        spellings = '{"c=d.example.":"C=D.example."}' where ${ofD}`,
      `update zones set email = 'o''brien@example.org' where id = ${SHOP}`,
      `update recordsets set records = replace(records, 'hostmaster.', 'o''brien.') where type = 'SOA' and zone_id = ${SHOP}`,
    );
    const repaired = await verify(folder, '--repair');
    expect(repaired.status, repaired.lines.join('\n')).toBe(0);
    expect(repaired.faults.join('\n')).toContain(
      '2 of its recordsets have names in the form of an earlier version',
    );
    expect((await verify(folder)).faults).toEqual([]);
    const [row] = await inStoreOf(folder, `select records, spellings from recordsets where type = 'PTR'`);
    expect(JSON.parse(String(row!.records))).toEqual(['a\\038b.example.', 'c\\061d.example.']);
    expect(JSON.parse(String(row!.spellings))).toEqual({
      'a\\038b.example.': 'a&b.example.',
      'c\\061d.example.': 'C=D.example.',
    });
  });

  it('leaves everything else as it is, and exits with 1', async () => {
    const folder = await damaged(`update zones set records = 0, ttl = -1 where id = ${SHOP}`);
    expect(await verify(folder, '--repair')).toMatchObject({ status: 1 });
    const { status, faults } = await verify(folder);
    expect(status).toBe(1);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch('The TTL is -1.');
  });
});

it('exits with 2 when it cannot look', async () => {
  const folder = await damaged('drop table recordsets');
  const { status, lines } = await verify(folder);
  expect(status).toBe(2);
  expect(lines.at(-1)).toMatch(/^error: zonewarden: /);
});
