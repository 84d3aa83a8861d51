/** Rules about zones below and above others. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/process.ts';
import { runHere } from '../../support/run-here.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';
import { storeOptions } from '../../support/store.ts';
import { importFile } from '../../support/zone-files.ts';

const folder = temporaryFolder();
const file = join(folder.path, 'policy.yaml');
const BASE = { ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' };
const WITH_POLICY = { ...BASE, ZONEWARDEN_OSLO_POLICY__POLICY_FILE: file };

let service: TestService;
let member: string;
let other: string;
beforeAll(async () => {
  service = await startTestService(BASE);
  member = await service.token('shop', 'member');
  other = await service.token('rival', 'member');
});
afterAll(async () => {
  await service.remove();
  folder.remove();
});

const create = (name: string, token = member): Promise<Answer> =>
  service.request('POST', '/v2/zones', { token, body: { name, email: 'a@example.org' } });
const check = async (name: string, token = member) =>
  (await service.request('POST', '/v2/zones/check', { token, body: { name } })).json;
const outcome = ({ status, json }: Answer) => (status === 202 ? 'created' : `${status} ${json.type}`);
const withRules = async (rules: string) => {
  writeFileSync(file, rules);
  await service.restart(WITH_POLICY);
};
const zoneFile = (name: string) => `$ORIGIN ${name}\n@ 60 IN SOA ns a 1 3600 600 86400 60\n`;

it('are as they were without a policy file', async () => {
  expect(outcome(await create('plain.example.'))).toBe('created');
  expect(outcome(await create('sub.plain.example.'))).toBe('created');
  expect(outcome(await create('a.above.example.'))).toBe('created');
  expect(outcome(await create('above.example.'))).toBe('created');
  expect(outcome(await create('theirs.plain.example.', other))).toBe('403 illegal_child');
  expect((await check('theirs.plain.example.', other)).refusal.type).toBe('illegal_child');
});

describe('create_sub_zone and create_super_zone', () => {
  it('refuse a zone below or above one of the same project, created, checked or imported', async () => {
    await withRules(
      'create_sub_zone: "role:admin or \'ok.base.example.\':%(zone_name)s"\ncreate_super_zone: "!"\n',
    );
    for (const name of ['base.example.', 'ok.base.example.', 'deep.top.example.'])
      expect([name, outcome(await create(name))]).toEqual([name, 'created']);
    for (const name of ['no.base.example.', 'x.y.base.example.', 'top.example.']) {
      expect([name, outcome(await create(name))]).toEqual([name, '401 access_denied']);
      expect([name, (await check(name)).refusal?.type]).toEqual([name, 'access_denied']);
      expect([name, (await importFile(service, member, zoneFile(name))).status]).toEqual([name, 401]);
    }
    expect((await check('free.example.')).allowed).toBe(true);
    expect(outcome(await create('top.example.', other))).toBe('403 illegal_parent');
    expect(outcome(await create('no.base.example.', other))).toBe('403 illegal_child');
  });

  it('hold among zones that are created together', async () => {
    const names = ['', 'a.', 'b.a.', 'c.'].map((label) => `${label}together.example.`);
    const outcomes = await Promise.all(names.map(async (name) => outcome(await create(name))));
    const created = names.filter((_, place) => outcomes[place] === 'created');
    for (const name of created)
      expect(created.filter((one) => one !== name && one.endsWith(`.${name}`))).toEqual([]);
    for (const one of outcomes) expect(['created', '401 access_denied']).toContain(one);
  });
});

describe('create_sub_zone_other_project', () => {
  it('lets a project create a zone below one of another, tells it nothing of that, and verify is content', async () => {
    await withRules('create_sub_zone_other_project: "role:member and rule:owner"\n');
    const { json: parent } = await create('parent.example.');
    const body = { name: 'www.child.parent.example.', type: 'A', records: ['192.0.2.1'] };
    const path = `/v2/zones/${parent.id}/recordsets`;
    expect((await service.request('POST', path, { token: member, body })).status).toBe(202);
    expect(await check('child.parent.example.', other)).toMatchObject({ allowed: true });
    expect(await check('child.parent.example.', other)).not.toHaveProperty('hides');
    const child = await create('child.parent.example.', other);
    expect([outcome(child), child.json.hides]).toEqual(['created', undefined]);
    expect(child.headers.get('warning')).toBeNull();
    expect(outcome(await create('below.child.parent.example.'))).toBe('created');
    expect(outcome(await create('deep.under.example.'))).toBe('created');
    expect(outcome(await create('under.example.', other))).toBe('403 illegal_parent');
    const options = storeOptions(service.dataDir);
    expect((await runHere(['verify'], { ...options, ...WITH_POLICY })).status).toBe(0);
    expect((await runHere(['verify'], options)).out).toContain('belongs to the project');
  });
});
