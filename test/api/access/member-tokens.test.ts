/** Tokens that members create for themselves, and what ends them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';
import { inStoreOf } from '../../support/store.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.remove());

const PATH = '/v2/tokens';
const ask = (token: string, method: string, path: string, body?: object): Promise<Answer> =>
  service.request(method, path, { token, ...(body && { body }) });
const create = (token: string, body: object = {}) => ask(token, 'POST', PATH, body);
const statusOf = async (token: string) => (await ask(token, 'GET', '/v2/zones')).status;

async function made(
  token: string,
  body: object = {},
): Promise<{ readonly id: string; readonly token: string }> {
  const { status, json } = await create(token, body);
  expect(status, JSON.stringify(json)).toBe(201);
  return json;
}

const refusal = async (token: string, body: object) => {
  const { status, json } = await create(token, body);
  return [status, json.type];
};

describe('a member', () => {
  it('creates a token that acts as itself, and ends with the one that created it', async () => {
    const until = '2099-01-02T03:04:05.000000';
    const parent = await service.tokenUntil(until, 'shop', 'member');
    const { json: caller } = await ask(parent, 'GET', '/v2/caller');
    const { json } = await create(parent, { description: 'CI' });
    expect(json).toMatchObject({
      project_id: 'shop',
      user_id: caller.user_id,
      roles: ['member'],
      description: 'CI',
      expires_at: until,
      created_by: parent.split('_')[1],
    });
    expect(json).not.toHaveProperty('scope');
    expect(await statusOf(json.token)).toBe(200);
    const later = await made(parent, { expires_at: '2100-01-01' });
    expect(later).toMatchObject({ expires_at: until });
    expect(await made(parent, { expires_at: '2098-01-01' })).toMatchObject({
      expires_at: '2098-01-01T00:00:00.000000',
    });
  });

  it('cannot give more roles, another user or another project', async () => {
    const member = await service.token('roles', 'member');
    expect(await made(member, { roles: ['reader'] })).toMatchObject({ roles: ['reader'] });
    expect(await refusal(member, { roles: ['admin'] })).toEqual([403, 'scope_too_wide']);
    expect(await refusal(member, { user_id: 'ann' })).toEqual([401, 'access_denied']);
    expect(await refusal(member, { project_id: 'shop' })).toEqual([401, 'access_denied']);
    expect(await refusal(member, { max_unused_seconds: 299 })).toEqual([400, 'invalid_object']);
    const reader = (await create(member, { roles: ['reader'] })).json.token;
    expect(await refusal(reader, {})).toEqual([401, 'access_denied']);
  });

  it('makes chains of at most 8 tokens', async () => {
    const chain = [await service.token('chain', 'member')];
    while (chain.length < 8) chain.push((await made(chain.at(-1)!)).token);
    expect(await refusal(chain.at(-1)!, {})).toEqual([403, 'scope_too_wide']);
    expect(await statusOf(chain.at(-1)!)).toBe(200);
    // The end of one ends all below it, and none above it.
    const { status } = await ask(chain[2]!, 'DELETE', `${PATH}/${chain[3]!.split('_')[1]}`);
    expect(status).toBe(204);
    expect(await Promise.all(chain.map(statusOf))).toEqual([200, 200, 200, 401, 401, 401, 401, 401]);
    expect((await ask(chain[0]!, 'GET', PATH)).json.tokens).toHaveLength(3);
  });

  it('sees and revokes the tokens of its project alone', async () => {
    const [own, other] = await Promise.all(
      ['own', 'other'].map((project) => service.token(project, 'member')),
    );
    const { id } = await made(own!, { description: 'mine' });
    expect((await ask(own!, 'GET', PATH)).json.tokens).toHaveLength(2);
    expect((await ask(own!, 'GET', `${PATH}/${id}`)).json).toMatchObject({ id, description: 'mine' });
    for (const method of ['GET', 'DELETE']) {
      const { status, json } = await ask(other!, method, `${PATH}/${id}`);
      expect([status, json.type]).toEqual([404, 'token_not_found']);
    }
    expect((await ask(own!, 'DELETE', `${PATH}/${id}`)).status).toBe(204);
    expect((await ask(own!, 'GET', `${PATH}/${id}`)).status).toBe(404);
  });
});

it('at most 100 tokens of a project live, however many are created at once', async () => {
  const member = await service.token('many', 'member');
  const answers = await Promise.all(Array.from({ length: 110 }, () => create(member)));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(100);
  expect(statuses.filter((status) => status === 413)).toHaveLength(10);
  expect(answers.find(({ status }) => status === 413)!.json.type).toBe('over_quota');
  const { id } = answers.find(({ status }) => status === 201)!.json;
  await ask(member, 'DELETE', `${PATH}/${id}`);
  await made(member);
  // Those of administrators do not count.
  const { status } = await create(service.admin, { project_id: 'many', roles: ['member'] });
  expect(status).toBe(201);
  // One that has ended makes room, and so does one that descends from it.
  await inStoreOf(
    service.dataDir,
    "update api_tokens set expires_at = '2020-01-01T00:00:00.000000' where project_id = 'many' and counted = 1",
  );
  await made(member);
  const rows = await inStoreOf(
    service.dataDir,
    "select id from api_tokens where project_id = 'many' and counted = 1",
  );
  expect(rows).toHaveLength(1);
});

it('a token ends when it is not used, and with it those that it created', async () => {
  const member = await service.token('unused', 'member');
  const parent = await made(member, { max_unused_seconds: 300 });
  expect(parent).toMatchObject({ max_unused_seconds: 300 });
  const child = await made(parent.token);
  expect(await statusOf(child.token)).toBe(200);
  const used = (at: string) =>
    inStoreOf(
      service.dataDir,
      `update api_tokens set created_at = '${at}', last_used_at = '${at}' where id = '${parent.id}'`,
    );
  await used('2020-01-01T00:00:00.000000');
  expect([await statusOf(parent.token), await statusOf(child.token)]).toEqual([401, 401]);
  expect(await statusOf(member)).toBe(200);
});

it('shows when and from where it was last used', async () => {
  const member = await service.token('used', 'member');
  const { id, token } = await made(member);
  expect((await ask(member, 'GET', `${PATH}/${id}`)).json).not.toHaveProperty('last_used_at');
  await statusOf(token);
  const found = await eventually(async () => {
    const { json } = await ask(member, 'GET', `${PATH}/${id}`);
    return json.last_used_at === undefined ? undefined : json;
  });
  expect(found).toMatchObject({ last_used_from: '127.0.0.1', last_used_at: expect.stringMatching(/^20/) });
});
