/** A policy that looks at what is written or shown: types and names of recordsets, names and types of zones. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { putContents } from '../../support/contents.ts';
import { temporaryFolder } from '../../support/process.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';
import { importFile } from '../../support/zone-files.ts';

const POLICY = `
webmaster: "role:dns_webmaster and rule:owner and ('A':%(recordset_type)s or 'AAAA':%(recordset_type)s)"
create_recordset: "rule:project_member or rule:webmaster or (role:guest and 'True':%(zone_shared)s and 'TXT':%(recordset_type)s)"
update_recordset: "rule:project_member or rule:webmaster"
delete_recordset: "rule:project_member or (rule:webmaster and not 'www.targets.example.':%(recordset_name)s)"
get_recordset: "rule:project_member or rule:webmaster"
change_recordsets: "rule:project_member or (role:dns_webmaster and rule:owner)"
replace_zone_contents: "rule:project_member or (role:dns_webmaster and rule:owner)"
create_zone: "rule:project_member or (role:dns_webmaster and rule:owner and 'SECONDARY':%(zone_type)s)"
get_zone: "rule:project_member or (role:dns_webmaster and not 'secret.example.':%(zone_name)s)"
update_zone: "rule:project_member and not 'kept.example.':%(zone_name)s"
delete_zone: "rule:project_member and 'PRIMARY':%(zone_type)s and not 'kept.example.':%(zone_name)s"
create_zone_import: "rule:project_member and not 'noimport.example.':%(zone_name)s"
count_zones: "http://no.check/"
default: "rule:nothing"
`;

const folder = temporaryFolder();
let service: TestService;
let member: string;
let webmaster: string;
let zoneId: string;

const ask = (method: string, path: string, token: string, body?: unknown): Promise<Answer> =>
  service.request(method, path, { token, ...(body === undefined ? {} : { body }) });
const refused = ({ status, json }: Answer) => [status, json.type];
const DENIED = [401, 'access_denied'];

async function zoneNamed(name: string, token = member): Promise<string> {
  const { status, json } = await ask('POST', '/v2/zones', token, { name, email: 'a@example.org' });
  expect([name, status]).toEqual([name, 202]);
  return json.id;
}
const addTo = (token: string, name: string, type: string, record: string) =>
  ask('POST', `/v2/zones/${zoneId}/recordsets`, token, { name, type, records: [record] });

beforeAll(async () => {
  const file = join(folder.path, 'policy.yaml');
  writeFileSync(file, POLICY);
  service = await startTestService({ ZONEWARDEN_OSLO_POLICY__POLICY_FILE: file });
  member = await service.token('shop', 'member');
  webmaster = await service.token('shop', 'dns_webmaster');
  zoneId = await zoneNamed('targets.example.');
});
afterAll(async () => {
  await service.remove();
  folder.remove();
});

describe('a caller who may write addresses alone', () => {
  it('creates, shows, changes and deletes those, and nothing else', async () => {
    const made = await addTo(webmaster, 'one.targets.example.', 'A', '192.0.2.1');
    expect(made.status).toBe(202);
    const text = (await addTo(member, 'one.targets.example.', 'TXT', '"x"')).json;
    expect(refused(await addTo(webmaster, 'two.targets.example.', 'TXT', '"x"'))).toEqual(DENIED);
    const path = (id: string) => `/v2/zones/${zoneId}/recordsets/${id}`;
    expect((await ask('GET', path(made.json.id), webmaster)).json.type).toBe('A');
    expect(refused(await ask('GET', path(text.id), webmaster))).toEqual(DENIED);
    expect((await ask('PUT', path(made.json.id), webmaster, { ttl: 60 })).status).toBe(202);
    expect(refused(await ask('PUT', path(text.id), webmaster, { ttl: 60 }))).toEqual(DENIED);
    expect(refused(await ask('DELETE', path(text.id), webmaster))).toEqual(DENIED);
    expect((await ask('DELETE', path(made.json.id), webmaster)).status).toBe(202);
    expect((await ask('GET', path(text.id), member)).json).toMatchObject({ ttl: null, records: ['"x"'] });
  });

  it('is told of a recordset that is not there that it is not there', async () => {
    const path = `/v2/zones/${zoneId}/recordsets/8a5f0e6c-3a1c-4e0e-8a51-0d4f4c7f0b11`;
    for (const method of ['GET', 'DELETE'])
      expect(refused(await ask(method, path, webmaster))).toEqual([404, 'recordset_not_found']);
    expect(refused(await ask('PUT', path, webmaster, { ttl: 60 }))).toEqual([404, 'recordset_not_found']);
  });

  it('may be refused by the name of a recordset', async () => {
    const { json } = await addTo(webmaster, 'www.targets.example.', 'A', '192.0.2.1');
    const path = `/v2/zones/${zoneId}/recordsets/${json.id}`;
    expect(refused(await ask('DELETE', path, webmaster))).toEqual(DENIED);
    expect((await ask('DELETE', path, member)).status).toBe(202);
  });

  it('is asked for each change of a set, applied or as a dry run', async () => {
    const name = (label: string) => `${label}.targets.example.`;
    const a = { action: 'create', name: name('set'), type: 'A', records: ['192.0.2.1'] };
    const txt = { action: 'create', name: name('set'), type: 'TXT', records: ['"x"'] };
    const send = (...changes: object[]) => ask('POST', `/v2/zones/${zoneId}/changes`, webmaster, { changes });
    const both = await send(a, txt);
    expect(refused(both)).toEqual(DENIED);
    expect(both.json.errors.errors).toMatchObject([{ path: ['changes', 1] }]);
    const dry = await ask('POST', `/v2/zones/${zoneId}/changes`, webmaster, {
      changes: [a, txt],
      dry_run: true,
    });
    expect(dry.json.changes.map((one: Answer['json']) => one.refusal?.type)).toEqual([
      undefined,
      'access_denied',
    ]);
    expect((await send(a)).status).toBe(202);
    expect((await send({ action: 'delete', name: name('set'), type: 'A' })).status).toBe(202);
    const nothing = await send({ action: 'delete', name: name('nothing') });
    expect(refused(nothing)).toEqual([404, 'recordset_not_found']);
  });

  it('is asked for each difference of new contents', async () => {
    const id = await zoneNamed('filled.example.');
    const put = (...recordsets: object[]) => putContents(service, id, { recordsets }, { token: webmaster });
    const a = { name: 'filled.example.', type: 'A', records: ['192.0.2.1'] };
    expect(refused(await put(a, { name: 'filled.example.', type: 'TXT', records: ['"x"'] }))).toEqual(DENIED);
    expect((await put(a)).status).toBe(202);
  });
});

describe('a project that a zone is shared with', () => {
  it('is refused only what the rule refuses, whatever its route can know', async () => {
    const guest = await service.token('guests', 'guest');
    const body = { target_project_id: 'guests' };
    expect((await ask('POST', `/v2/zones/${zoneId}/shares`, member, body)).status).toBe(201);
    expect((await addTo(guest, 'guest.targets.example.', 'TXT', '"x"')).status).toBe(202);
    expect(refused(await addTo(guest, 'guest.targets.example.', 'A', '192.0.2.1'))).toEqual(DENIED);
  });
});

describe('the name and the type of a zone', () => {
  it('decide who may create, show, change and delete it', async () => {
    const zone = (body: object) => ask('POST', '/v2/zones', webmaster, body);
    expect(refused(await zone({ name: 'primary.example.', email: 'a@example.org' }))).toEqual(DENIED);
    expect(refused(await ask('POST', '/v2/zones/check', webmaster, { name: 'p.example.' }))).toEqual(DENIED);
    const secondary = await zone({ name: 'secondary.example.', type: 'SECONDARY', masters: ['192.0.2.1'] });
    expect(secondary.status).toBe(202);
    expect(refused(await ask('DELETE', `/v2/zones/${secondary.json.id}`, member))).toEqual(DENIED);
    const secret = await zoneNamed('secret.example.');
    expect(refused(await ask('GET', `/v2/zones/${secret}`, webmaster))).toEqual(DENIED);
    expect((await ask('GET', `/v2/zones/${zoneId}`, webmaster)).status).toBe(200);
    const kept = await zoneNamed('KEPT.example.');
    expect(refused(await ask('PATCH', `/v2/zones/${kept}`, member, { ttl: 60 }))).toEqual(DENIED);
    expect(refused(await ask('DELETE', `/v2/zones/${kept}`, member))).toEqual(DENIED);
    expect((await ask('DELETE', `/v2/zones/${secret}`, member)).status).toBe(202);
  });

  it('decide who may import it', async () => {
    const file = (name: string) => `$ORIGIN ${name}\n@ 60 IN SOA ns a 1 3600 600 86400 60\n`;
    expect(refused(await importFile(service, member, file('noimport.example.')))).toEqual(DENIED);
    expect((await importFile(service, member, file('doimport.example.'))).status).toBe(202);
  });
});

describe('what a caller is told', () => {
  it('includes an operation that it may do to some recordsets', async () => {
    const { operations } = (await ask('GET', '/v2/caller', webmaster)).json;
    expect(operations).toEqual(expect.arrayContaining(['create_recordset', 'create_zone', 'get_zone']));
    expect(operations).not.toContain('delete_zone');
  });
});

describe('the log', () => {
  it('names the rules that guard nothing here once', () => {
    const lines = service.logged.filter(({ msg }) => String(msg).includes('guard nothing here'));
    expect(lines.map(({ rules }) => rules)).toEqual([['count_zones', 'default']]);
  });
});
