/** Attacks with wrong credentials of Keystone, which runs in this process. */
import { Agent, request } from 'node:http';
import { FakeKeystone, keystoneOptions, projectToken } from '../../../test/support/keystone/fake.ts';
import type { Answers, Attack } from '../attack.ts';
import type { Site } from '../site.ts';

const SECONDS = 6;

let keystone: Promise<FakeKeystone> | undefined;

async function environment(): Promise<Readonly<Record<string, string>>> {
  keystone ??= FakeKeystone.start();
  const options = keystoneOptions((await keystone).url);
  // The limits are those that a service has by default.
  return Object.fromEntries(Object.entries(options).filter(([name]) => !name.includes('VALIDATIONS_PER')));
}

interface Asking {
  readonly token?: string;
  readonly login?: object;
}

type Ask = (asking: Asking) => Promise<number | undefined>;

/** Asks from an address, with a token or for a login. */
function askFrom(site: Site, localAddress: string): Ask {
  const agent = new Agent({ keepAlive: true, localAddress });
  return ({ token, login }) =>
    new Promise((resolve) => {
      const asking = request(`${site.service.url}${login === undefined ? '/v2/zones' : '/v2/login'}`, {
        agent,
        method: login === undefined ? 'GET' : 'POST',
        headers: { ...(token && { 'x-auth-token': token }), 'content-type': 'application/json' },
      });
      asking.on('response', (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      asking.on('error', () => resolve(undefined));
      asking.end(login && JSON.stringify(login));
    });
}

/** Asks at a steady rate, whatever the answers take. */
async function steadily(perSecond: number, ask: (number: number) => Promise<unknown>): Promise<void> {
  const running: Promise<unknown>[] = [];
  const began = performance.now();
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const due = ((performance.now() - began) / 1000) * perSecond;
      while (running.length < Math.min(due, SECONDS * perSecond)) running.push(ask(running.length));
      if (running.length < SECONDS * perSecond) return;
      clearInterval(timer);
      resolve();
    }, 5);
  });
  await Promise.all(running);
}

let drawn = 0;

type Issue = (document: object) => string;

const ALICE = projectToken('shop', 'member') as Readonly<Record<string, object>>;
const DEEP = JSON.parse(`${'['.repeat(1000)}${']'.repeat(1000)}`);

/** What Keystone says of tokens of one tenant, which nobody can be known by. */
const UNUSABLE: readonly object[] = [
  { ...ALICE, user: undefined },
  { ...ALICE, user: null },
  { ...ALICE, user: [] },
  { ...ALICE, user: { ...ALICE.user, id: '' } },
  { ...ALICE, user: { ...ALICE.user, id: 7 } },
  { ...ALICE, user: { ...ALICE.user, name: 'x'.repeat(100_000) } },
  { ...ALICE, user: { ...ALICE.user, domain: DEEP } },
  { ...ALICE, project: { ...ALICE.project, id: '../shop' } },
  { ...ALICE, project: { ...ALICE.project, id: 'shop\u0000' } },
  { ...ALICE, project: 'shop' },
  { ...ALICE, roles: { name: 'admin' } },
  { ...ALICE, roles: ['admin'] },
  { ...ALICE, roles: Array.from({ length: 1001 }, () => ({ id: 'admin', name: 'admin' })) },
  { ...ALICE, roles: DEEP },
  { ...ALICE, expires_at: 'never' },
  { ...ALICE, audit_ids: 'x' },
  { ...ALICE, application_credential: { access_rules: [null] } },
  { ...ALICE, extra: 'x'.repeat(2_000_000) },
];

/** What a third client gets who sends ten new tokens a second, while others do so with wrong credentials. */
function attackWith(
  name: string,
  title: string,
  addresses: number,
  perSecond: number,
  asked: (issue: Issue) => Asking,
): Attack {
  return {
    name,
    title,
    environment,
    holds: (answers) =>
      answers.count('of the third: 200') > 0 &&
      answers.count('of the third: 200') === answers.countAll('of the third') &&
      answers.count('200') === 0,
    async prepare(site) {
      const fake = await keystone!;
      const issue = () => fake.issue(projectToken('shop', 'member'));
      fake.isPasswordRight = true;
      // The service has its own token before passwords are refused.
      await askFrom(site, '127.0.3.1')({ token: issue() });
      fake.isPasswordRight = false;
      const attackers = Array.from({ length: addresses }, (_, at) => askFrom(site, `127.0.1.${at + 1}`));
      return async (answers: Answers, round) => {
        const third = askFrom(site, `127.0.2.${round + 1}`);
        await Promise.all([
          ...attackers.map((ask) =>
            steadily(perSecond, async () => {
              const status = await ask(asked((document) => fake.issue(document)));
              answers.note(String(status));
            }),
          ),
          steadily(10, async () => {
            const status = await third({ token: issue() });
            answers.note(`of the third: ${status}`);
          }),
        ]);
      };
    },
  };
}

export const CREDENTIAL_ATTACKS: readonly Attack[] = [
  attackWith(
    'wrong-tokens-two',
    'two addresses with 100 wrong Keystone tokens a second each',
    2,
    100,
    () => ({
      token: `wrong-${++drawn}`,
    }),
  ),
  attackWith(
    'wrong-tokens-ten',
    'ten addresses with 100 wrong Keystone tokens a second each',
    10,
    100,
    () => ({
      token: `wrong-${++drawn}`,
    }),
  ),
  attackWith(
    'unusable-documents',
    'two addresses with 20 tokens a second each that Keystone knows, but describes so that nobody can be known by them',
    2,
    20,
    (issue) => ({ token: issue(UNUSABLE[++drawn % UNUSABLE.length]!) }),
  ),
  attackWith('wrong-logins', 'ten addresses with ten wrong passwords a second each', 10, 10, () => ({
    login: { user: 'mallory', password: `guess-${++drawn}` },
  })),
];
