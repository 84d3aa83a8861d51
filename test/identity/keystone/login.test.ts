import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FAULTS, FakeKeystone, keystoneOptions } from '../../support/keystone/fake.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';

let keystone: FakeKeystone;
let service: TestService;
beforeAll(async () => {
  keystone = await FakeKeystone.start();
});
beforeEach(async () => {
  service = await startTestService(keystoneOptions(keystone.url));
});
afterEach(async () => {
  keystone.fault = undefined;
  keystone.isPasswordRight = true;
  keystone.logins.length = 0;
  await service.remove();
});
afterAll(() => keystone.stop());

const CREDENTIALS = { user: 'alice', password: 'correct horse' };
const logIn = (body: object): Promise<Answer> => service.request('POST', '/v2/login', { body });

describe('POST /v2/login', () => {
  it('gets a token of Keystone with user, password, domain and project', async () => {
    const { status, json, headers } = await logIn({ ...CREDENTIALS, domain: 'People', project: 'shop' });
    expect(status).toBe(200);
    expect(json).toEqual({ token: expect.stringMatching(/^own-/), expires_at: expect.any(String) });
    expect(headers.get('cache-control')).toBe('no-store');
    const account = { name: 'alice', password: 'correct horse', domain: { name: 'People' } };
    expect(keystone.logins).toEqual([
      {
        auth: {
          identity: { methods: ['password'], password: { user: account } },
          scope: { project: { name: 'shop', domain: { name: 'People' } } },
        },
      },
    ]);
  });

  it('leaves the project to Keystone, and takes the domain that everybody has', async () => {
    expect((await logIn(CREDENTIALS)).status).toBe(200);
    const account = { name: 'alice', password: 'correct horse', domain: { name: 'Default' } };
    const identity = { methods: ['password'], password: { user: account } };
    expect(keystone.logins).toEqual([{ auth: { identity } }]);
  });

  it('says that the password is wrong, and writes it nowhere', async () => {
    keystone.isPasswordRight = false;
    const { status, json, headers } = await logIn(CREDENTIALS);
    expect(status).toBe(401);
    expect(json).toMatchObject({ type: 'access_denied', message: expect.stringContaining('password') });
    expect(headers.get('www-authenticate')).toContain('Keystone');
    expect(JSON.stringify(service.logged)).not.toContain(CREDENTIALS.password);
  });

  it('counts a wrong password as a failed credential: beyond the limit Keystone is not asked', async () => {
    await service.restart({
      ...keystoneOptions(keystone.url),
      ZONEWARDEN_SERVICE_API__FAILED_TOKENS_PER_SECOND: '2',
    });
    keystone.isPasswordRight = false;
    const answers = await Promise.all(Array.from({ length: 40 }, () => logIn(CREDENTIALS)));
    const limited = answers.filter(({ status }) => status === 429);
    expect(limited.length).toBeGreaterThan(0);
    expect(limited[0]!.headers.get('retry-after')).toBe('1');
  });

  it('says that Keystone is away', async () => {
    keystone.fault = FAULTS['status 500'];
    const { status, json } = await logIn(CREDENTIALS);
    expect([status, json.type]).toEqual([503, 'service_unavailable']);
  });

  it.each([
    [{}, 'user'],
    [{ user: 'alice', password: '' }, 'password'],
    [{ user: 'alice', password: 'x'.repeat(5000) }, 'password'],
    [{ ...CREDENTIALS, project: 7 }, 'project'],
    [{ ...CREDENTIALS, token: 'zw_' }, 'token'],
  ])('marks what is wrong with %j', async (body, field) => {
    const { status, json } = await logIn(body);
    expect(status).toBe(400);
    expect(json.errors.errors.map(({ path }: { path: string[] }) => path[0])).toContain(field);
    expect(keystone.logins).toEqual([]);
  });

  it('reads no large body', async () => {
    expect((await logIn({ ...CREDENTIALS, project: 'x'.repeat(20_000) })).status).toBe(413);
  });
});

describe('the ways to log in', () => {
  const methods = async () => (await service.request('GET', '/v2/login')).json.methods;

  it('are told to anybody', async () => {
    expect(await methods()).toEqual(['token', 'password']);
  });

  it('are tokens alone where there is no Keystone', async () => {
    await service.restart({});
    expect(await methods()).toEqual(['token']);
    const { status, json } = await logIn(CREDENTIALS);
    expect([status, json.type]).toEqual([404, 'no_password_login']);
    expect(json.message).toContain('API token');
  });
});
