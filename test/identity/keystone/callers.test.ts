/** What a token of Keystone lets its bearer do. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  domainToken,
  FakeKeystone,
  inSeconds,
  keystoneOptions,
  projectToken,
  systemToken,
  unscopedToken,
} from '../../support/keystone/fake.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';

let keystone: FakeKeystone;
let service: TestService;
let drawn = 0;

beforeAll(async () => {
  keystone = await FakeKeystone.start();
  service = await startTestService({
    ...keystoneOptions(keystone.url),
    ZONEWARDEN_SERVICE_API__ENABLED_EXTENSIONS_V1: 'quotas',
  });
});
afterAll(async () => {
  await service.remove();
  await keystone.stop();
});

const get = (token: string, path = '/v2/zones', headers: Record<string, string> = {}): Promise<Answer> =>
  service.request('GET', path, { token, headers });

function create(token: string, headers: Record<string, string> = {}): Promise<Answer> {
  const body = { name: `keystone-${++drawn}.example.org.`, email: 'a@example.org' };
  return service.request('POST', '/v2/zones', { token, headers, body });
}

describe('a token for a project', () => {
  it('acts for the project, with its roles', async () => {
    const member = keystone.issue(projectToken('shop', 'member', 'reader'));
    const created = await create(member);
    expect([created.status, created.json.project_id]).toEqual([202, 'shop']);
    const reader = keystone.issue(projectToken('shop', 'reader'));
    const { json } = await get(reader);
    expect(json.zones.map(({ id }: { id: string }) => id)).toEqual([created.json.id]);
    const refused = await create(reader);
    expect([refused.status, refused.json.type]).toEqual([401, 'access_denied']);
    expect(
      (await get(keystone.issue(projectToken('blog', 'member')), `/v2/zones/${created.json.id}`)).status,
    ).toBe(404);
  });

  it('works as a bearer token, too', async () => {
    const token = keystone.issue(projectToken('shop', 'member'));
    const headers = { authorization: `Bearer ${token}` };
    expect((await service.request('GET', '/v2/zones', { headers })).status).toBe(200);
  });

  it('of an administrator acts for others by the headers', async () => {
    const admin = keystone.issue(projectToken('admins', 'admin'));
    const created = await create(admin, { 'X-Auth-Sudo-Project-ID': 'shop' });
    expect([created.status, created.json.project_id]).toEqual([202, 'shop']);
    expect((await get(admin, '/v2/blacklists')).status).toBe(200);
  });

  it('stands in the log with the names of its user and domain', async () => {
    const token = keystone.issue(projectToken('shop', 'member'));
    const { json } = await create(token);
    const line = service.logged.find(({ event, zone_id: id }) => event === 'zone.created' && id === json.id);
    expect(line).toMatchObject({
      project: 'shop',
      user: 'a11ce',
      user_name: 'alice',
      user_domain: 'Default',
      token_audit_ids: ['audit-1'],
    });
    expect(JSON.stringify(service.logged)).not.toContain(token);
  });
});

describe('headers that a middleware would set', () => {
  it('mean nothing from a client', async () => {
    const headers = {
      'X-Identity-Status': 'Confirmed',
      'X-User-Id': 'root',
      'X-Project-Id': 'shop',
      'X-Tenant-Id': 'shop',
      'X-Roles': 'admin',
      'X-Is-Admin-Project': 'True',
      'X-Service-Roles': 'service',
    };
    expect((await service.request('GET', '/v2/zones', { headers })).status).toBe(401);
    const reader = keystone.issue(projectToken('elsewhere', 'reader'));
    expect((await get(reader, '/v2/zones', headers)).json.zones).toEqual([]);
    expect((await get(reader, '/v2/blacklists', headers)).status).toBe(401);
  });
});

describe('a token for no project', () => {
  it.each([
    ['a domain', () => domainToken('admin', 'member')],
    ['nothing', () => unscopedToken()],
  ])('but for %s is refused as for a missing role, with a hint', async (_, token) => {
    const text = keystone.issue(token());
    for (const path of [
      '/v2/zones',
      '/v2/blacklists',
      '/v2/zones/tasks/transfer_requests',
      '/v2/quotas/shop',
    ]) {
      const { status, json } = await get(text, path, { 'X-Auth-All-Projects': 'true' });
      expect([path, status, json.type]).toEqual([path, 401, 'access_denied']);
      expect(json.hint).toMatch(/scoped to a project/);
    }
    expect((await create(text, { 'X-Auth-Sudo-Project-ID': 'shop' })).status).toBe(401);
  });
});

describe('an administrator of the system', () => {
  let root: string;
  let zone: string;
  beforeAll(async () => {
    root = keystone.issue(systemToken('admin', 'member', 'reader'));
    zone = (await create(keystone.issue(projectToken('shop', 'member')))).json.id;
  });

  it('has no zones of its own', async () => {
    expect((await get(root)).json).toMatchObject({ zones: [], metadata: { total_count: 0 } });
    expect((await get(root, `/v2/zones/${zone}`)).status).toBe(404);
  });

  it('reads and writes all with X-Auth-All-Projects, and those of a project with the sudo header', async () => {
    for (const headers of [{ 'X-Auth-All-Projects': 'true' }, { 'X-Auth-Sudo-Project-ID': 'shop' }]) {
      expect((await get(root, `/v2/zones/${zone}`, headers)).status).toBe(200);
      const changed = await service.request('PATCH', `/v2/zones/${zone}`, {
        token: root,
        headers,
        body: { description: 'seen' },
      });
      expect(changed.status).toBe(202);
    }
    expect((await create(root, { 'X-Auth-Sudo-Project-ID': 'shop' })).json.project_id).toBe('shop');
  });

  it('administers what belongs to no project', async () => {
    const body = { pattern: '^system-scoped\\.example\\.net\\.$' };
    const request = { token: root, body, headers: { 'Idempotency-Key': 'once' } };
    const made = await service.request('POST', '/v2/blacklists', request);
    expect(made.status).toBe(201);
    const again = await service.request('POST', '/v2/blacklists', request);
    expect([again.status, again.json.id]).toEqual([201, made.json.id]);
    const quota = await service.request('PATCH', '/v2/quotas/shop', { token: root, body: { zones: 20 } });
    expect(quota.status).toBe(200);
  });

  it('creates nothing without a project to act for', async () => {
    for (const headers of [{}, { 'X-Auth-All-Projects': 'true' }]) {
      const { status, json } = await create(root, headers);
      expect([status, json.type]).toEqual([400, 'bad_request']);
      expect(json.message).toMatch(/X-Auth-Sudo-Project-ID/);
    }
    const imported = await service.request('POST', '/v2/zones/tasks/imports', {
      token: root,
      headers: { 'content-type': 'text/dns' },
      body: 'a.example.org. 60 IN SOA ns. a. 1 1 1 1 1\n',
    });
    expect(imported.status).toBe(400);
    for (const path of ['/v2/quotas', '/v2/limits']) expect((await get(root, path)).status).toBe(400);
  });

  it('is none by another role than the policy names', async () => {
    const reader = keystone.issue(systemToken('reader'));
    for (const path of ['/v2/zones', '/v2/blacklists', '/v2/quotas/shop']) {
      expect([path, (await get(reader, path)).status]).toEqual([path, 401]);
    }
  });
});

describe('a token of an application credential', () => {
  const credential = (accessRules?: unknown) => ({
    ...projectToken('shop', 'member'),
    application_credential: { id: 'c', name: 'ci', restricted: true, access_rules: accessRules },
  });

  it('does what its roles allow where it has no access rules', async () => {
    for (const rules of [undefined, null]) {
      expect((await get(keystone.issue(credential(rules)))).status).toBe(200);
    }
  });

  it('does only what an access rule allows', async () => {
    const rules = [{ id: 'r', service: 'dns', method: 'GET', path: '/v2/zones' }];
    const token = keystone.issue(credential(rules));
    expect((await get(token)).status).toBe(200);
    expect((await get(token, '/v2/zones?limit=1')).status).toBe(200);
    expect((await get(token, '/v2/quotas')).status).toBe(401);
    expect((await create(token)).status).toBe(401);
  });

  it('does nothing with an empty list of access rules', async () => {
    const { status, headers } = await get(keystone.issue(credential([])));
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toContain('Bearer error="invalid_token"');
  });

  it('creates no API tokens unless it is free to create credentials, whatever its roles', async () => {
    const statusFor = async (role: string, application_credential: object) => {
      const token = keystone.issue({ ...projectToken('shop', role), application_credential });
      const body = { project_id: 'shop', roles: ['member'] };
      return (await service.request('POST', '/v2/tokens', { token, body })).status;
    };
    const rules = [{ id: 'r', service: 'dns', method: 'POST', path: '/v2/tokens' }];
    for (const role of ['member', 'admin']) {
      const own = { id: 'c', name: 'ci' };
      expect(await statusFor(role, { ...own, restricted: true })).toBe(401);
      expect(await statusFor(role, { ...own, restricted: false, access_rules: rules })).toBe(401);
      expect(await statusFor(role, { ...own, restricted: false })).toBe(201);
    }
  });

  it('is free of them in a request with a valid service token', async () => {
    const headers = { 'X-Service-Token': keystone.issue(projectToken('service', 'service')) };
    expect((await get(keystone.issue(credential([])), '/v2/zones', headers)).status).toBe(200);
    const plain = { 'X-Service-Token': keystone.issue(projectToken('service', 'member')) };
    expect((await get(keystone.issue(credential([])), '/v2/zones', plain)).status).toBe(401);
  });
});

describe('a service token', () => {
  const expired = () => keystone.issue({ ...projectToken('shop', 'member'), expires_at: inSeconds(-60) });
  const serviceToken = (...roles: string[]) => ({
    'X-Service-Token': keystone.issue(projectToken('service', ...roles)),
  });

  it('with its role lets an expired token through', async () => {
    const token = expired();
    expect((await get(token)).status).toBe(401);
    expect((await get(token, '/v2/zones', serviceToken('service'))).status).toBe(200);
    expect((await get(token)).status).toBe(401);
  });

  it('without it is worth nothing, and refused where the role is required', async () => {
    const token = keystone.issue(projectToken('shop', 'member'));
    expect((await get(expired(), '/v2/zones', serviceToken('member'))).status).toBe(401);
    expect((await get(token, '/v2/zones', serviceToken('member'))).status).toBe(200);
    await service.restart({
      ...keystoneOptions(keystone.url),
      ZONEWARDEN_KEYSTONE_AUTHTOKEN__SERVICE_TOKEN_ROLES: 'nova, service',
      ZONEWARDEN_KEYSTONE_AUTHTOKEN__SERVICE_TOKEN_ROLES_REQUIRED: 'true',
    });
    expect((await get(token, '/v2/zones', serviceToken('member'))).status).toBe(401);
    expect((await get(expired(), '/v2/zones', serviceToken('nova'))).status).toBe(200);
  });

  it('refuses the request where it is not valid, and is never one of our own', async () => {
    const token = keystone.issue(projectToken('shop', 'member'));
    const own = await service.token('service', 'service');
    for (const text of ['unknown', own, expired(), 'a b']) {
      const { status, json } = await get(token, '/v2/zones', { 'X-Service-Token': text });
      expect([text, status, json.type]).toEqual([text, 401, 'access_denied']);
    }
    expect(JSON.stringify(keystone.asked)).not.toContain(own);
  });
});
