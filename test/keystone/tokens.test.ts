/** With Debian's Keystone: the tokens that it issues, and what becomes of them. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/eventually.ts';
import { PASSWORD } from '../support/keystone/administration.ts';
import { FAULTS, keystoneOptions } from '../support/keystone/fake.ts';
import { Front } from '../support/keystone/front.ts';
import { RealKeystone } from '../support/keystone/real.ts';
import { openstackWith, requireOpenstack } from '../support/openstack/command.ts';
import { type Answer, startTestService, type TestService } from '../support/service.ts';

/** How long tokens live, in seconds. */
const LIFE = 60;

let keystone: RealKeystone;
let front: Front;
let service: TestService;
let shop: string;
let drawn = 0;
/** Of the first test, to be seen expired by the last one. */
let early: string;

const inShop = () => ({ project: { id: shop } });
const SYSTEM = { system: { all: true } };

const get = (token: string, path = '/v2/zones', headers: Record<string, string> = {}): Promise<Answer> =>
  service.request('GET', path, { token, headers });

function create(token: string, headers: Record<string, string> = {}): Promise<Answer> {
  const body = { name: `real-${++drawn}.example.org.`, email: 'a@example.org' };
  return service.request('POST', '/v2/zones', { token, headers, body });
}

/** A user with a role in the shop. */
async function addUser(name: string, role = 'member'): Promise<string> {
  const user = await keystone.addUser(name);
  await keystone.grant(user, role, `projects/${shop}`);
  return user;
}

/** Tokens that were issued in the second of a revocation are dead, too: asks for one until it works. */
function workingToken(login: () => Promise<string>): Promise<string> {
  return until(async () => {
    const token = await login();
    expect((await get(token)).status).toBe(200);
    return token;
  });
}

/** A token of a service that may forward requests. */
const serviceLogin = (): Promise<string> =>
  keystone.login('zonewarden', { project: { name: 'service', domain: { id: 'default' } } });

async function addCredential(user: string, token: string, accessRules?: object[]): Promise<string> {
  const rules = accessRules === undefined ? {} : { access_rules: accessRules };
  const name = `ci-${++drawn}`;
  const body = { application_credential: { name, secret: PASSWORD, roles: [{ name: 'member' }], ...rules } };
  const path = `/users/${user}/application_credentials`;
  const { status, json } = await keystone.ask('POST', path, body, { 'x-auth-token': token });
  expect(status).toBe(201);
  return json.application_credential.id;
}

beforeAll(async () => {
  await requireOpenstack();
  keystone = await RealKeystone.start(LIFE);
  front = await Front.before(keystone.url);
  shop = await keystone.addProject('shop');
  const home = await keystone.addProject('service');
  const own = await keystone.addUser('zonewarden');
  await keystone.grant(own, 'service', `projects/${home}`);
  await keystone.grant(own, 'reader', 'system');
  service = await startTestService({
    ...keystoneOptions(front.url),
    ZONEWARDEN_KEYSTONE_AUTHTOKEN__WWW_AUTHENTICATE_URI: `${keystone.url}/v3`,
    ZONEWARDEN_KEYSTONE_AUTHTOKEN__TOKEN_CACHE_TIME: '1',
    ZONEWARDEN_SERVICE_API__ACCESS_DENIED_STATUS: '403',
    // A reader of the system may also read projects; later the role service on a project has to do.
    ZONEWARDEN_KEYSTONE_AUTHTOKEN__PROJECT_NAME: '',
    ZONEWARDEN_SERVICE_API__QUOTAS_VERIFY_PROJECT_ID: 'true',
  });
  await keystone.addService('dns', service.url);
  await addUser('early');
  early = await workingToken(() => keystone.login('early', inShop()));
});
afterAll(async () => {
  await service?.remove();
  await front?.close();
  await keystone?.remove();
});

describe('a token got with a password', () => {
  it('acts for its project, with its roles', async () => {
    await addUser('alice');
    await addUser('rita', 'reader');
    const created = await create(await workingToken(() => keystone.login('alice', inShop())));
    expect([created.status, created.json.project_id]).toEqual([202, shop]);
    const rita = await workingToken(() => keystone.login('rita', inShop()));
    expect((await get(rita, `/v2/zones/${created.json.id}`)).status).toBe(200);
    expect((await create(rita)).status).toBe(403);
  });

  it('for no project is refused with a hint', async () => {
    const user = await keystone.addUser('dora');
    await keystone.grant(user, 'admin', 'domains/default');
    for (const scope of [{ domain: { id: 'default' } }, 'unscoped']) {
      const token = await keystone.login('dora', typeof scope === 'string' ? { unscoped: {} } : scope);
      const { status, json } = await get(token);
      expect([status, json.type]).toEqual([403, 'access_denied']);
      expect(json.hint).toMatch(/scoped to a project/);
    }
  });

  it('for the system administers all', async () => {
    const root = await keystone.login('admin', SYSTEM);
    expect((await get(root, '/v2/blacklists')).status).toBe(200);
    expect((await get(root, '/v2/zones', { 'X-Auth-All-Projects': 'true' })).status).toBe(200);
    expect((await create(root)).status).toBe(400);
    expect((await create(root, { 'X-Auth-Sudo-Project-ID': shop })).json.project_id).toBe(shop);
    const set = (project: string) =>
      service.request('PATCH', `/v2/quotas/${project}`, { token: root, body: { zones: 30 } });
    expect((await set(shop)).status).toBe(200);
    expect((await set('f'.repeat(32))).status).toBe(400);
    const sys = await keystone.addUser('sysreader');
    await keystone.grant(sys, 'reader', 'system');
    expect((await get(await keystone.login('sysreader', SYSTEM), '/v2/blacklists')).status).toBe(403);
  });
});

describe('a token of an application credential', () => {
  it('acts with its roles, or only as its access rules allow', async () => {
    const user = await addUser('carl');
    const token = await workingToken(() => keystone.login('carl', inShop()));
    const free = await addCredential(user, token);
    expect((await create(await keystone.loginWithCredential(free))).status).toBe(202);
    const rules = [{ service: 'dns', method: 'GET', path: '/v2/zones/{zone_id}' }];
    const bound = await keystone.loginWithCredential(await addCredential(user, token, rules));
    const { json } = await create(token);
    expect((await get(bound, `/v2/zones/${json.id}`)).status).toBe(200);
    expect((await get(bound)).status).toBe(401);
    expect((await create(bound)).status).toBe(401);
    const asService = (serviceToken: string) => create(bound, { 'X-Service-Token': serviceToken });
    expect((await asService(await serviceLogin())).status).toBe(202);
    // Of no service, and of nobody.
    expect((await asService(token)).status).toBe(401);
    expect((await get(token, '/v2/zones', { 'X-Service-Token': 'nonsense' })).status).toBe(401);
  });

  it('is refused once the credential is deleted', async () => {
    const user = await addUser('cleo');
    const token = await workingToken(() => keystone.login('cleo', inShop()));
    const id = await addCredential(user, token);
    const issued = await workingToken(() => keystone.loginWithCredential(id));
    const path = `/users/${user}/application_credentials/${id}`;
    await keystone.ask('DELETE', path, undefined, { 'x-auth-token': token });
    await until(async () => expect((await get(issued)).status).toBe(401));
    expect((await get(token)).status).toBe(200);
  });
});

describe('a token that Keystone takes back', () => {
  it.each([
    [
      'is revoked',
      async (_: string, token: string) => {
        const headers = { 'x-auth-token': token, 'x-subject-token': token };
        expect((await keystone.ask('DELETE', '/auth/tokens', undefined, headers)).status).toBe(204);
      },
    ],
    ['loses its role', (user: string) => keystone.withdraw(user, 'member', `projects/${shop}`)],
    [
      'belongs to a user who is disabled',
      (user: string) => keystone.administer('PATCH', `/users/${user}`, { user: { enabled: false } }),
    ],
    [
      'belongs to a user with another password',
      (user: string) => keystone.administer('PATCH', `/users/${user}`, { user: { password: 'other' } }),
    ],
  ])('since it %s, is refused as soon as what is kept of it ends', async (_, takeBack) => {
    const name = `user-${++drawn}`;
    const user = await addUser(name);
    const token = await workingToken(() => keystone.login(name, inShop()));
    await takeBack(user, token);
    await until(async () => expect((await get(token)).status).toBe(401));
  });

  it('since its project is disabled, is refused, too', async () => {
    const user = await keystone.addUser('paul');
    const project = await keystone.addProject('closing');
    await keystone.grant(user, 'member', `projects/${project}`);
    const token = await workingToken(() => keystone.login('paul', { project: { id: project } }));
    await keystone.administer('PATCH', `/projects/${project}`, { project: { enabled: false } });
    await until(async () => expect((await get(token)).status).toBe(401));
  });
});

describe('a new token', () => {
  it('of 200 requests at once is checked once', async () => {
    await addUser('many');
    await workingToken(() => keystone.login('many', inShop()));
    await service.restart({
      ...keystoneOptions(front.url),
      ZONEWARDEN_KEYSTONE_AUTHTOKEN__HTTP_CONNECT_TIMEOUT: '60',
    });
    const token = await keystone.login('many', inShop());
    front.validations = 0;
    const answers = await Promise.all(Array.from({ length: 200 }, () => get(token)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(front.validations).toBe(1);
  });
});

describe('while Keystone', () => {
  const login = () => keystone.login('early', inShop());
  let known: string;

  beforeAll(async () => {
    await service.restart({
      ...keystoneOptions(front.url),
      ZONEWARDEN_KEYSTONE_AUTHTOKEN__HTTP_CONNECT_TIMEOUT: '2',
      ZONEWARDEN_KEYSTONE_AUTHTOKEN__HTTP_REQUEST_MAX_RETRIES: '1',
    });
  });

  it.each([
    ['does not answer', FAULTS.silence],
    ['answers 500', FAULTS['status 500']],
  ])('%s, new tokens get 503, and known ones go on', async (_, fault) => {
    known = await workingToken(login);
    const fresh = await login();
    front.fault = fault;
    const { status, headers } = await get(fresh);
    expect([status, Number(headers.get('retry-after')) > 0]).toEqual([503, true]);
    expect((await get(known)).status).toBe(200);
    front.fault = undefined;
    await until(async () => expect((await get(fresh)).status).toBe(200));
  });

  it('is slow, new tokens wait for it, and known ones do not', async () => {
    known = await workingToken(login);
    const fresh = await login();
    front.isHolding = true;
    const waiting = get(fresh);
    await until(() => expect(front.held).toBeGreaterThan(0));
    expect((await get(known)).status).toBe(200);
    front.release();
    expect((await waiting).status).toBe(200);
  });

  it('is stopped, the same; and it is asked again once it has started', async () => {
    known = await workingToken(login);
    const fresh = await login();
    await keystone.stopServer();
    expect((await get(fresh)).status).toBe(503);
    expect((await get(known)).status).toBe(200);
    await keystone.startServer();
    await workingToken(login);
  });
});

describe('the openstack command', () => {
  it('finds the service in the catalogue, with a password', async () => {
    await service.restart(keystoneOptions(front.url));
    await keystone.administer('PATCH', `/endpoints/${await dnsEndpoint()}`, {
      endpoint: { url: service.url },
    });
    await addUser('olga');
    const openstack = openstackWith([
      ...['--os-auth-url', `${keystone.url}/v3`, '--os-identity-api-version', '3', '--os-username', 'olga'],
      ...['--os-password', PASSWORD, '--os-user-domain-id', 'default'],
      ...['--os-project-id', shop, '--os-region-name', 'RegionOne'],
    ]);
    const done = (command: string) =>
      until(async () => {
        const outcome = await openstack(`${command} -f json`);
        expect(outcome).toMatchObject({ status: 0 });
        return outcome.json;
      });
    const made = await done('zone create --email a@example.org olga.example.org.');
    expect(made).toMatchObject({ name: 'olga.example.org.', project_id: shop });
    const listed = await done('zone list');
    expect(listed.map(({ name }: { name: string }) => name)).toContain('olga.example.org.');
  });

  async function dnsEndpoint(): Promise<string> {
    const { services } = await keystone.administer('GET', '/services?type=dns');
    const { endpoints } = await keystone.administer('GET', `/endpoints?service_id=${services[0].id}`);
    return endpoints[0].id;
  }
});

describe('a token that has expired', () => {
  it('is refused, but let through with a service token', async () => {
    await until(async () => expect((await get(early)).status).toBe(401));
    const headers = { 'X-Service-Token': await serviceLogin() };
    expect((await get(early, '/v2/zones', headers)).status).toBe(200);
    expect((await get(early)).status).toBe(401);
  });
});
