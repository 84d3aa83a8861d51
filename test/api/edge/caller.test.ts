import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RULE_NAMES } from '../../../src/model/access/rule-name.ts';
import { FakeKeystone, keystoneOptions, systemToken } from '../../support/keystone/fake.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let keystone: FakeKeystone;
let service: TestService;
beforeAll(async () => {
  keystone = await FakeKeystone.start();
  service = await startTestService(keystoneOptions(keystone.url));
});
afterAll(async () => {
  await service.remove();
  await keystone.stop();
});

const caller = (token?: string, headers = {}) =>
  service.request('GET', '/v2/caller', token === undefined ? { headers } : { token, headers });
const operations = async (...roles: string[]): Promise<string[]> =>
  (await caller(await service.token('shop', ...roles))).json.operations;

/** What nobody may do by default. */
const NOBODYS = RULE_NAMES.filter(
  (name) => name.startsWith('use_blacklisted_') || name === 'create_sub_zone_other_project',
);

describe('a caller', () => {
  it('is told its project, its user, its roles and what it may do', async () => {
    const token = await service.token('shop', 'reader');
    const { status, json } = await caller(token);
    expect(status).toBe(200);
    expect(json).toEqual({
      project_id: 'shop',
      project_name: null,
      user_id: token.split('_')[1],
      user_name: null,
      roles: ['reader'],
      system_scope: null,
      operations: json.operations,
    });
    expect(json.operations).toEqual(RULE_NAMES.filter((name) => json.operations.includes(name)));
  });

  it('with the role admin may do everything but what nobody may', async () => {
    expect(await operations('admin')).toEqual(RULE_NAMES.filter((name) => !NOBODYS.includes(name)));
  });

  it('with the role member may write in its own project, and administer nothing', async () => {
    const allowed = await operations('member');
    expect(allowed).toEqual(
      expect.arrayContaining([
        'get_caller',
        'create_zone',
        'create_recordset',
        'update_recordset',
        'get_quotas',
      ]),
    );
    for (const name of ['create_blacklist', 'set_quota', 'create_token', 'get_usage', 'use_sudo']) {
      expect(allowed).not.toContain(name);
    }
  });

  it('with the role reader may read, and with none see its limits', async () => {
    const readers = await operations('reader');
    expect(readers).toEqual(expect.arrayContaining(['find_zones', 'get_recordset', 'get_quotas']));
    expect(readers).not.toContain('create_zone');
    const others = await operations('auditor');
    expect(others).toEqual(expect.arrayContaining(['get_caller', 'get_quotas']));
    expect(others).not.toContain('find_zones');
  });

  it('is told about itself, whoever it acts for', async () => {
    const { json } = await caller(service.admin, { 'x-auth-sudo-project-id': 'shop' });
    expect(json.project_id).toBe('admin');
    const member = await service.token('shop', 'member');
    expect((await caller(member, { 'x-auth-sudo-project-id': 'other' })).status).toBe(401);
  });

  it('of the system has no project', async () => {
    const { status, json } = await caller(keystone.issue(systemToken('admin')));
    expect([status, json.project_id, json.system_scope]).toEqual([200, null, 'all']);
    expect(json.operations).toContain('create_blacklist');
  });

  it('has to be known', async () => {
    expect((await caller()).status).toBe(401);
  });
});

it('is only read', async () => {
  const { status, json, headers } = await service.request('POST', '/v2/caller', {
    token: service.admin,
    body: {},
  });
  expect([status, json.type, headers.get('allow')]).toEqual([405, 'method_not_allowed', 'GET, HEAD']);
});
