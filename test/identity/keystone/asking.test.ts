/** What is asked of Keystone, how often, and what callers are told while it does not answer. */

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../support/eventually.ts';
import {
  FAULTS,
  FakeKeystone,
  inSeconds,
  keystoneOptions,
  projectToken,
} from '../../support/keystone/fake.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';

const UNKNOWN = 'Bearer error="invalid_token", error_description="The token is unknown."';
const SECTION = 'ZONEWARDEN_KEYSTONE_AUTHTOKEN__';
/** Faults of one token alone. */
const UNUSABLE = ['a token without a user', 'a body without end'];
/** How long to wait for something to happen, on a machine of any speed. */

let keystone: FakeKeystone;
let service: TestService;
const issue = (): string => keystone.issue(projectToken('shop', 'member'));
const get = (token: string, headers: Record<string, string> = {}): Promise<Answer> =>
  service.request('GET', '/v2/zones', { token, headers });
const statusOf = async (token: string): Promise<number> => (await get(token)).status;

/** A service of its own for a Keystone of its own, for the rest of a describe. */
function startWith(options: (url: string) => Record<string, string> = () => ({})): void {
  beforeAll(async () => {
    keystone = await FakeKeystone.start();
    service = await startTestService({ ...keystoneOptions(keystone.url), ...options(keystone.url) });
  });
  afterEach(() => {
    keystone.fault = undefined;
    keystone.asked.length = 0;
  });
  afterAll(async () => {
    await service.remove();
    await keystone.stop();
  });
}

function expectAway({ status, json, headers }: Answer): void {
  expect([status, json?.type]).toEqual([503, 'service_unavailable']);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
}

describe('a question to Keystone', () => {
  startWith();

  it('asks for the access rules and no catalogue, with the token of the service', async () => {
    const token = issue();
    expect(await statusOf(token)).toBe(200);
    const [asked] = keystone.validations;
    expect(asked?.path).toBe('/v3/auth/tokens?nocatalog');
    expect(asked?.headers).toMatchObject({
      'x-subject-token': token,
      'openstack-identity-access-rules': '1',
      'x-auth-token': expect.stringMatching(/^own-/),
    });
    expect(keystone.logins).toEqual([
      {
        auth: {
          identity: {
            methods: ['password'],
            password: { user: { name: 'zonewarden', domain: { name: 'Default' }, password: 'secret' } },
          },
          scope: { project: { name: 'service', domain: { name: 'Default' } } },
        },
      },
    ]);
  });

  it('is asked once for one token, however many requests have it', async () => {
    const token = issue();
    keystone.isHolding = true;
    const answers = Array.from({ length: 200 }, () => get(token));
    await until(() => expect(keystone.validations).toHaveLength(1));
    keystone.release();
    expect(new Set((await Promise.all(answers)).map(({ status }) => status))).toEqual(new Set([200]));
    expect(await statusOf(token)).toBe(200);
    expect(keystone.validations).toHaveLength(1);
  });

  it('is not repeated at once for a token that Keystone does not know', async () => {
    for (let round = 0; round < 3; round++) expect(await statusOf('unknown-token')).toBe(401);
    expect(keystone.validations).toHaveLength(1);
  });

  it('is never asked about a text of our own form, nor about one that cannot be a token', async () => {
    for (const text of [
      service.admin,
      service.admin.toUpperCase(),
      'zw_',
      'ZW_x',
      'a b',
      'ä',
      'x'.repeat(5000),
    ]) {
      await get(text);
      await get(text, { 'x-auth-token': text, 'x-service-token': text });
    }
    expect(keystone.asked).toEqual([]);
    expect(await statusOf(service.admin)).toBe(200);
  });

  it('is asked again with a new token of the service, where Keystone does not take the old one', async () => {
    expect(await statusOf(issue())).toBe(200);
    const logins = keystone.logins.length;
    keystone.forgetOwnTokens();
    expect(await statusOf(issue())).toBe(200);
    expect(keystone.logins.length).toBe(logins + 1);
  });
});

describe('an answer about a token', () => {
  startWith(() => ({ [`${SECTION}TOKEN_CACHE_TIME`]: '1' }));

  it('is kept no longer than token_cache_time: then a revoked token is refused', async () => {
    const token = issue();
    expect(await statusOf(token)).toBe(200);
    keystone.tokens.delete(token);
    await until(async () => expect(await statusOf(token)).toBe(401));
  });

  it('does not outlive the token', async () => {
    const token = keystone.issue({ ...projectToken('shop', 'member'), expires_at: inSeconds(8) });
    expect(await statusOf(token)).toBe(200);
    await until(async () => expect(await statusOf(token)).toBe(401));
  });
});

describe('without kept answers', () => {
  startWith(() => ({ [`${SECTION}TOKEN_CACHE_TIME`]: '-1' }));

  it('a revoked token is refused at once', async () => {
    const token = issue();
    expect([await statusOf(token), await statusOf(token)]).toEqual([200, 200]);
    expect(keystone.validations).toHaveLength(2);
    keystone.tokens.delete(token);
    expect(await statusOf(token)).toBe(401);
  });
});

describe('the token of the service', () => {
  startWith();

  it('is renewed before it ends', async () => {
    keystone.ownLife = 2;
    expect(await statusOf(issue())).toBe(200);
    await until(async () => {
      expect(await statusOf(issue())).toBe(200);
      expect(keystone.logins.length).toBeGreaterThan(1);
    });
  });
});

describe('while Keystone goes wrong', () => {
  startWith(() => ({
    [`${SECTION}HTTP_CONNECT_TIMEOUT`]: '0.5',
    [`${SECTION}HTTP_REQUEST_MAX_RETRIES`]: '1',
  }));

  it.each(Object.entries(FAULTS).filter(([name]) => !UNUSABLE.includes(name)))(
    '(%s) new tokens get 503, known ones and our own go on',
    async (_, fault) => {
      const known = issue();
      await until(async () => expect(await statusOf(known)).toBe(200));
      keystone.fault = fault;
      expectAway(await get(issue()));
      expect([await statusOf(known), await statusOf(service.admin)]).toEqual([200, 200]);
      keystone.fault = undefined;
      const later = issue();
      await until(async () => expect(await statusOf(later)).toBe(200));
    },
  );

  it('and refuses the password of the service, new tokens get 503, and the log says why', async () => {
    keystone.forgetOwnTokens();
    keystone.isPasswordRight = false;
    expectAway(await get(issue()));
    expect(JSON.stringify(service.logged)).toContain('401 to the service');
    keystone.isPasswordRight = true;
    const later = issue();
    await until(async () => expect(await statusOf(later)).toBe(200));
  });

  it('or is away, it is not asked by every request; and it is asked again when it is back', async () => {
    keystone.fault = FAULTS['status 500'];
    for (let round = 0; round < 30; round++) expectAway(await get(issue()));
    expect(keystone.asked.length).toBeLessThan(30);
    keystone.fault = undefined;
    await keystone.away();
    expectAway(await get(issue()));
    await keystone.back();
    const later = issue();
    await until(async () => expect(await statusOf(later)).toBe(200));
  });
});

describe('a token of which Keystone says what cannot be used', () => {
  startWith(() => ({ [`${SECTION}HTTP_REQUEST_MAX_RETRIES`]: '0' }));

  const rule = { id: 'r', service: 'dns', method: 'GET', path: '/v2/zones' };
  const withRules = (count: number): string =>
    keystone.issue({
      ...projectToken('shop', 'member'),
      application_credential: { id: 'c', access_rules: Array.from({ length: count }, () => rule) },
    });

  it('is refused alone, however many there are, and for a while without asking', async () => {
    expect(await statusOf(withRules(1000))).toBe(200);
    const unusable = Array.from({ length: 8 }, (_, n) => withRules(n < 6 ? 1001 : 20_000));
    for (const token of unusable) {
      const { status, headers } = await get(token);
      expect([status, headers.get('www-authenticate')]).toEqual([401, expect.stringContaining(UNKNOWN)]);
    }
    keystone.asked.length = 0;
    expect(await statusOf(unusable.at(-1)!)).toBe(401);
    expect(keystone.asked).toEqual([]);
    expect(await statusOf(issue())).toBe(200);
  });

  it.each([...UNUSABLE, 'a page instead of JSON', 'a 404 of something else'])(
    '(%s) keeps nobody from asking',
    async (name) => {
      keystone.fault = FAULTS[name as keyof typeof FAULTS];
      const expected = UNUSABLE.includes(name) ? 401 : 503;
      for (let round = 0; round < 8; round++) expect(await statusOf(issue())).toBe(expected);
      keystone.fault = undefined;
      expect(await statusOf(issue())).toBe(200);
    },
  );
});

describe('a connection that breaks once', () => {
  startWith();

  it('is made again', async () => {
    expect(await statusOf(issue())).toBe(200);
    keystone.fault = (response) => {
      keystone.fault = undefined;
      response.socket?.destroy();
    };
    expect(await statusOf(issue())).toBe(200);
  });
});

describe('more unknown tokens than Keystone is asked about', () => {
  startWith(() => ({ [`${SECTION}HTTP_CONNECT_TIMEOUT`]: '60' }));

  it('at once get 503 with Retry-After', async () => {
    keystone.isHolding = true;
    const first = Array.from({ length: 32 }, () => get(issue()));
    await until(() => expect(keystone.validations).toHaveLength(32));
    expectAway(await get(issue()));
    keystone.release();
    expect(new Set((await Promise.all(first)).map(({ status }) => status))).toEqual(new Set([200]));
    expect(await statusOf(issue())).toBe(200);
  });

  it.each(['VALIDATIONS_PER_SECOND', 'VALIDATIONS_PER_SECOND_AND_ADDRESS'])(
    'in a second get 503, and never 429: %s',
    async (option) => {
      await service.restart({ ...keystoneOptions(keystone.url), [`${SECTION}${option}`]: '3' });
      const known = issue();
      await until(async () => expect(await statusOf(known)).toBe(200));
      await until(async () => {
        keystone.asked.length = 0;
        const answers = await Promise.all(Array.from({ length: 30 }, () => get(issue())));
        const statuses = answers.map(({ status }) => status);
        expect(statuses).toContain(503);
        expect(statuses).not.toContain(429);
        for (const answer of answers.filter(({ status }) => status !== 200)) expectAway(answer);
        expect(keystone.validations.length).toBe(statuses.filter((status) => status === 200).length);
        expect(keystone.validations.length).toBeLessThan(30);
        expect(await statusOf(known)).toBe(200);
      });
    },
  );
});

describe('tokens that are not valid', () => {
  startWith(() => ({ ZONEWARDEN_SERVICE_API__FAILED_TOKENS_PER_SECOND: '2' }));

  it('get 401 if they may be of Keystone, however many; 429 if they are of our form', async () => {
    const statuses = await Promise.all(Array.from({ length: 20 }, (_, n) => statusOf(`wrong-${n}`)));
    expect(new Set(statuses)).toEqual(new Set([401]));
    await until(async () => {
      const ours = await Promise.all(Array.from({ length: 20 }, (_, n) => statusOf(`zw_wrong-${n}`)));
      expect(new Set(ours)).toEqual(new Set([401, 429]));
    });
  });

  it('are told where to get one', async () => {
    const uri = `Keystone uri="${keystone.url}/v3"`;
    const expired = keystone.issue({ ...projectToken('shop', 'member'), expires_at: inSeconds(-1) });
    for (const [answer, challenge] of [
      [await service.request('GET', '/v2/zones'), `${uri}, Bearer`],
      [await get('wrong'), `${uri}, ${UNKNOWN}`],
      [await get(expired), `${uri}, ${UNKNOWN}`],
      [
        await service.request('GET', '/v2/blacklists', { token: issue() }),
        `${uri}, Bearer error="insufficient_scope", error_description="The rule find_blacklists needs the role admin."`,
      ],
    ] as const) {
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, challenge]);
    }
  });
});

describe('auth_strategy = keystone', () => {
  startWith(() => ({ ZONEWARDEN_SERVICE_API__AUTH_STRATEGY: 'keystone' }));

  it('takes no token of our own, and shows it to nobody', async () => {
    expect(await statusOf(service.admin)).toBe(401);
    expect(keystone.asked).toEqual([]);
    expect(await statusOf(issue())).toBe(200);
  });
});

describe('auth_strategy = token', () => {
  startWith(() => ({ ZONEWARDEN_SERVICE_API__AUTH_STRATEGY: 'token' }));

  it('asks Keystone nothing, and does not name it', async () => {
    const { status, headers } = await get(issue());
    expect([status, headers.get('www-authenticate')]).toEqual([401, UNKNOWN]);
    expect(keystone.asked).toEqual([]);
  });
});

describe('an application credential of the service', () => {
  startWith(() => ({
    [`${SECTION}AUTH_TYPE`]: 'v3applicationcredential',
    [`${SECTION}APPLICATION_CREDENTIAL_ID`]: 'c0ffee',
    [`${SECTION}APPLICATION_CREDENTIAL_SECRET`]: 'hush',
  }));

  it('gets its token', async () => {
    expect(await statusOf(issue())).toBe(200);
    expect(keystone.logins).toEqual([
      {
        auth: {
          identity: {
            methods: ['application_credential'],
            application_credential: { id: 'c0ffee', secret: 'hush' },
          },
        },
      },
    ]);
  });
});

describe('the endpoint of the catalogue', () => {
  const NAMED = [
    { [`${SECTION}INTERFACE`]: 'internal', [`${SECTION}REGION_NAME`]: 'RegionOne' },
    { [`${SECTION}INTERFACE`]: 'internal' },
    { [`${SECTION}REGION_NAME`]: 'RegionOne' },
  ];
  startWith(() => ({}));

  const hostsOfQuestions = () =>
    new Set(keystone.validations.map(({ headers }) => headers.host?.split(':')[0]));

  it.each(NAMED)('is asked where %j name one', async (options) => {
    await service.restart({ ...keystoneOptions(keystone.url), ...options });
    expect(await statusOf(issue())).toBe(200);
    expect(hostsOfQuestions()).toEqual(new Set(['localhost']));
  });

  it('is not asked where nothing names one: auth_url is', async () => {
    await service.restart(keystoneOptions(keystone.url));
    expect(await statusOf(issue())).toBe(200);
    expect(hostsOfQuestions()).toEqual(new Set(['127.0.0.1']));
  });

  it('is missed with 503 where there is none', async () => {
    await service.restart({ ...keystoneOptions(keystone.url), [`${SECTION}REGION_NAME`]: 'RegionTwo' });
    expectAway(await get(issue()));
    expect(JSON.stringify(service.logged)).toContain('RegionTwo');
  });
});

describe('quotas_verify_project_id', () => {
  startWith(() => ({
    ZONEWARDEN_SERVICE_API__QUOTAS_VERIFY_PROJECT_ID: 'true',
    ZONEWARDEN_SERVICE_API__AUTH_STRATEGY: 'token',
    [`${SECTION}HTTP_REQUEST_MAX_RETRIES`]: '0',
  }));
  const set = (project: string) =>
    service.request('PATCH', `/v2/quotas/${project}`, { token: service.admin, body: { zones: 7 } });

  it('sets quotas of projects that Keystone knows alone', async () => {
    keystone.projects.add('shop');
    expect((await set('shop')).json.zones).toBe(7);
    const { status, json } = await set('nowhere');
    expect([status, json.type]).toEqual([400, 'invalid_project']);
    keystone.fault = FAULTS['status 500'];
    expectAway(await set('shop'));
  });
});
