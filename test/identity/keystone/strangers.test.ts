/** What is left of Keystone for others while strangers ask for all of it. */
import { Agent, request } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { FakeKeystone, keystoneOptions, projectToken } from '../../support/keystone/fake.ts';
import { startTestService, type TestService } from '../../support/service.ts';

const SECTION = 'ZONEWARDEN_KEYSTONE_AUTHTOKEN__';

let keystone: FakeKeystone;
let service: TestService;
let isOver = false;
const agents: Agent[] = [];
beforeAll(async () => {
  keystone = await FakeKeystone.start();
});
beforeEach(async () => {
  isOver = false;
  service = await startTestService({
    ...keystoneOptions(keystone.url),
    [`${SECTION}VALIDATIONS_PER_SECOND`]: '20',
    ZONEWARDEN_SERVICE_API__FAILED_TOKENS_PER_SECOND: '1000000',
  });
});
afterEach(async () => {
  isOver = true;
  for (const agent of agents.splice(0)) agent.destroy();
  keystone.isPasswordRight = true;
  await service.remove();
});
afterAll(() => keystone.stop());

type Ask = (token: string | undefined, body?: object) => Promise<number | undefined>;

/** Asks from an address: for zones with a token, or for a token with a password. */
function askFrom(localAddress: string): Ask {
  const agent = new Agent({ keepAlive: true, localAddress });
  agents.push(agent);
  return (token, body) =>
    new Promise((resolve) => {
      const asking = request(`${service.url}${body === undefined ? '/v2/zones' : '/v2/login'}`, {
        agent,
        method: body === undefined ? 'GET' : 'POST',
        headers: { ...(token && { 'x-auth-token': token }), 'content-type': 'application/json' },
      });
      asking.on('response', (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      asking.on('error', () => resolve(undefined));
      asking.end(body && JSON.stringify(body));
    });
}

/** As many together as Keystone is asked in more than the time that anybody waits for a turn. */
const FLOODERS = [2, 3, 4].map((at) => `127.0.0.${at}`);
/** Fewer than may wait: one that is refused at once asks again at once, and leaves this process no time. */
const AT_ONCE = 15;
let drawn = 0;
/** Asks from an address, with wrong credentials, as often as it is answered, many times at once. */
function flood(localAddress: string, ask: (asking: Ask, number: number) => Promise<unknown>): void {
  const asking = askFrom(localAddress);
  for (let at = 0; at < AT_ONCE; at += 1) {
    void (async () => {
      while (!isOver) await ask(asking, ++drawn);
    })();
  }
}

const WRONG = { user: 'mallory', password: 'guess' };
const issue = () => keystone.issue(projectToken('shop', 'member'));

/** What more than half of some requests are told: now and then, a loaded machine lets the time of one run out. */
async function usualStatus(
  count: number,
  ask: () => Promise<number | undefined>,
): Promise<number | undefined> {
  const seen: (number | undefined)[] = [];
  for (let round = 0; round < count; round += 1) seen.push(await ask());
  return seen.find((status) => seen.filter((other) => other === status).length > count / 2);
}

it('wrong tokens of several addresses take no turn of another address', async () => {
  for (const address of FLOODERS) flood(address, (ask, number) => ask(`wrong-${number}`));
  const asking = askFrom('127.0.0.9');
  expect(await usualStatus(12, () => asking(issue()))).toBe(200);
});

it('wrong passwords of several addresses keep nobody from the check of a token, or from a login', async () => {
  const known = askFrom('127.0.0.8');
  expect(await known(issue())).toBe(200);
  keystone.isPasswordRight = false;
  for (const address of FLOODERS) flood(address, (ask) => ask(undefined, WRONG));
  const asking = askFrom('127.0.0.9');
  // Not even from an address of which they come.
  for (const ask of [asking, askFrom('127.0.0.2')]) {
    expect(await usualStatus(12, () => ask(issue()))).toBe(200);
  }
  for (const ask of [asking, askFrom('127.0.0.10')]) {
    expect(await usualStatus(5, () => ask(undefined, WRONG))).toBe(401);
  }
});
