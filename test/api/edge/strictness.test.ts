/** Once a pattern or a TLD is stored or gone, no zone is created against it: not one, whatever is under way. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runs } from '../../support/runs.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let member: string;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' });
  member = await service.token('tenant', 'member');
});
afterAll(() => service.remove());

interface Attempt {
  /** Whether the answer to the pattern had come when this request was sent. */
  readonly sentAfter: boolean;
  readonly answer: Answer;
}

/** Creates names of one round on several connections until a pattern that matches them has been answered. */
async function race(round: string, store: () => Promise<Answer>): Promise<Attempt[]> {
  const attempts: Attempt[] = [];
  let stored = false;
  let left = 100;
  let started = (): void => {};
  const busy = new Promise<void>((resolve) => {
    started = resolve;
  });
  const client = async (number: number): Promise<void> => {
    for (let count = 0; left > 0; count++) {
      const sentAfter = stored;
      if (sentAfter) left--;
      const body = { name: `n${number}-${count}.round-${round}.org.`, email: 'a@example.org' };
      attempts.push({
        sentAfter,
        answer: await service.request('POST', '/v2/zones', { token: member, body }),
      });
      if (attempts.length >= 40) started();
    }
  };
  const clients = Array.from({ length: 16 }, (_, number) => client(number));
  await busy;
  expect((await store()).status).toBeLessThan(300);
  stored = true;
  await Promise.all(clients);
  return attempts;
}

async function expectStrict(
  round: string,
  store: () => Promise<Answer>,
  message = 'Blacklisted domain name',
): Promise<Attempt[]> {
  const attempts = await race(round, store);
  const late = attempts.filter(({ sentAfter }) => sentAfter);
  expect(late).toHaveLength(100);
  for (const { answer } of late) expect(answer.json.message).toBe(message);
  for (const { answer } of attempts) expect([202, 400]).toContain(answer.status);
  expect(attempts[0]!.answer.status).toBe(202);
  return attempts;
}

const post = (pattern: string): Promise<Answer> =>
  service.request('POST', '/v2/blacklists', { token: service.admin, body: { pattern } });

it('holds from the answer to POST /v2/blacklists on, while creates run in parallel', async () => {
  for (let round = 0; round < runs(3, 2); round++) {
    await expectStrict(`p${round}`, () => post(`\\.round-p${round}\\.org\\.$`));
  }
});

it('holds from the answer to PATCH on, too', async () => {
  for (let round = 0; round < runs(2, 1); round++) {
    const { id } = (await post(`^nothing-yet-${round}\\.$`)).json;
    const body = { pattern: `\\.round-c${round}\\.org\\.$` };
    await expectStrict(`c${round}`, () =>
      service.request('PATCH', `/v2/blacklists/${id}`, { token: service.admin, body }),
    );
  }
});

it.each<[string, object, object]>([
  ['a mode', { mode: 'warn' }, { mode: 'enforce' }],
  ['an expiry', { expires_at: '2001-01-01T00:00:00' }, { expires_at: null }],
  ['exceptions', { exceptions: [{ project_id: 'tenant' }] }, { exceptions: [] }],
])('holds from the answer to a change of %s on, too', async (_what, before, after) => {
  for (let round = 0; round < runs(1); round++) {
    const key = `${Object.keys(before)[0]!.replace('_', '-')}-${round}`;
    const entry = { pattern: `\\.round-${key}\\.org\\.$`, ...before };
    const { json } = await service.request('POST', '/v2/blacklists', { token: service.admin, body: entry });
    await expectStrict(key, () =>
      service.request('PATCH', `/v2/blacklists/${json.id}`, { token: service.admin, body: after }),
    );
  }
});

it('leaves exactly the zones whose creation was answered with 202', async () => {
  const attempts = await expectStrict('last', () => post('\\.round-last\\.org\\.$'));
  const created = attempts
    .filter(({ answer }) => answer.status === 202)
    .map(({ answer }) => answer.json.name);
  const path = '/v2/zones?limit=max&sort_key=name&name=*.round-last.org.';
  const { json } = await service.request('GET', path, { token: member });
  expect(json.metadata.total_count).toBe(created.length);
  expect(json.zones.map(({ name }: { name: string }) => name)).toEqual(created.sort().slice(0, 1000));
});

it('holds from the answer to a change of the TLDs on, too', async () => {
  const change = (method: string, path: string, body?: object): Promise<Answer> =>
    service.request(method, `/v2/tlds${path}`, {
      token: service.admin,
      ...(body === undefined ? {} : { body }),
    });
  for (let round = 0; round < runs(2, 1); round++) {
    const { id: com } = (await change('POST', '', { name: 'com' })).json;
    const { id } = (await change('POST', '', { name: 'org' })).json;
    await expectStrict(`gone-${round}`, () => change('DELETE', `/${id}`), 'Invalid TLD');
    await change('PATCH', `/${com}`, { name: 'org' });
    await expectStrict(`renamed-${round}`, () => change('PATCH', `/${com}`, { name: 'net' }), 'Invalid TLD');
    await change('DELETE', `/${com}`);
    await expectStrict(`first-${round}`, () => change('POST', '', { name: 'com' }), 'Invalid TLD');
    const { json } = await change('GET', '');
    for (const { id } of json.tlds) await change('DELETE', `/${id}`);
  }
});

it('lets creates of other names through while patterns come and go', async () => {
  const made: string[] = [];
  const patterns = Promise.all(
    Array.from({ length: 30 }, async (_, place) => {
      const { json } = await post(`^passing-${place}\\.net\\.$`);
      made.push(json.id);
      return service.request('DELETE', `/v2/blacklists/${json.id}`, { token: service.admin });
    }),
  );
  const creates = Array.from({ length: 60 }, (_, place) => {
    const body = { name: `innocent-${place}.net.`, email: 'a@example.org' };
    return service.request('POST', '/v2/zones', { token: member, body });
  });
  for (const { status } of await Promise.all(creates)) expect(status).toBe(202);
  for (const { status } of await patterns) expect(status).toBe(204);
});
