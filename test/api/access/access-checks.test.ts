/** What callers are told of what they may do. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let member: string;
let zoneId: string;
const ZONE = 'checked.example.';
beforeAll(async () => {
  service = await startTestService({
    ZONEWARDEN_BLACKLISTS__APPLY_TO: 'zones,recordsets',
    ZONEWARDEN_DEFAULT__LOG_LEVEL: 'warn',
  });
  member = await service.token('checks', 'member');
  const { json } = await ask(member, 'POST', '/v2/zones', { name: ZONE, email: 'a@example.org' });
  zoneId = json.id;
});
afterAll(() => service.remove());

const ask = (token: string, method: string, path: string, body?: unknown): Promise<Answer> =>
  service.request(method, path, { token, ...(body === undefined ? {} : { body }) });

async function check(token: string, question: object): Promise<unknown> {
  const { status, json } = await ask(token, 'POST', '/v2/access/check', question);
  return status === 200 ? json : [status, json.type];
}

const refused = (by: string, more: object = {}) => ({
  allowed: false,
  refused_by: by,
  message: expect.any(String),
  ...more,
});

it('allows what a request would do, with the zone by its id or its name', async () => {
  const about = { name: `www.${ZONE}`, type: 'A' };
  for (const zone of [zoneId, ZONE, 'CHECKED.example.'])
    for (const action of [
      'create',
      'update',
      'delete',
      'plan',
      'read',
      'update_zone',
      'delete_zone',
      'create_token',
    ])
      expect([action, await check(member, { zone, action, ...about })]).toEqual([action, { allowed: true }]);
  expect(await check(member, { zone: 'new.example.', action: 'create_zone' })).toEqual({ allowed: true });
});

it('names the roles, the policy or the key of the scope that refuses, as the request itself does', async () => {
  const reader = await service.token('checks', 'reader');
  expect(await check(reader, { zone: zoneId, action: 'create' })).toEqual(
    refused('roles', { message: 'The rule create_recordset needs the role member.' }),
  );
  const { json } = await ask(member, 'POST', '/v2/tokens', {
    scope: { names: ['_acme-challenge.**'], types: ['TXT'], actions: ['create'] },
  });
  const told = (question: object) => check(json.token, { zone: zoneId, ...question });
  expect(await told({ action: 'create', name: `_acme-challenge.${ZONE}`, type: 'TXT' })).toEqual({
    allowed: true,
  });
  expect(await told({ action: 'create', name: `www.${ZONE}`, type: 'TXT' })).toEqual(
    refused('scope', { key: 'names' }),
  );
  expect(await told({ action: 'create', type: 'A' })).toEqual(refused('scope', { key: 'types' }));
  expect(await told({ action: 'delete' })).toEqual(refused('scope', { key: 'actions' }));
  expect(await told({ action: 'plan' })).toEqual({ allowed: true });
});

it('names protection, the blacklist and the quota', async () => {
  const path = `/v2/zones/${zoneId}/recordsets`;
  const body = { name: `kept.${ZONE}`, type: 'A', records: ['192.0.2.1'], protected: true };
  expect((await ask(member, 'POST', path, body)).status).toBe(202);
  expect(await check(member, { zone: zoneId, action: 'delete', name: body.name, type: 'A' })).toEqual(
    refused('protection'),
  );
  // The zone itself is not protected.
  expect(await check(member, { zone: zoneId, action: 'delete_zone' })).toEqual(refused('protection'));
  expect((await ask(member, 'DELETE', `/v2/zones/${zoneId}`)).json.type).toBe('protected');
  const blacklist = await ask(service.admin, 'POST', '/v2/blacklists', { pattern: '^forbidden\\.' });
  expect(blacklist.status).toBe(201);
  expect(
    await check(member, { zone: zoneId, action: 'create', name: `forbidden.${ZONE}`, type: 'A' }),
  ).toEqual(refused('blacklist'));
  expect(await check(member, { zone: 'forbidden.example.', action: 'create_zone' })).toEqual(
    refused('blacklist'),
  );
  const limit = async (quota: object) => ask(service.admin, 'PATCH', '/v2/quotas/checks', quota);
  const more = { zone: zoneId, action: 'create', name: `more.${ZONE}`, type: 'A' };
  for (const quota of ['zone_records', 'recordset_records']) {
    await limit({ [quota]: 0 });
    expect(await check(member, more)).toEqual(refused('quota'));
    await limit({ [quota]: 100 });
  }
  expect(await check(member, more)).toEqual({ allowed: true });
  await limit({ zone_recordsets: 1, zones: 1 });
  expect(await check(member, more)).toEqual(refused('quota'));
  expect(await check(member, { zone: 'other.example.', action: 'create_zone' })).toEqual(refused('quota'));
  await limit({ zone_recordsets: 100, zones: 10 });
});

it('tells nothing of zones that the caller does not see, and refuses bad questions', async () => {
  const stranger = await service.token('strangers', 'member');
  for (const zone of [zoneId, ZONE, '7d4dbb1f-9f40-4c2a-8f52-9d9e6cf3a001', 'nothing.example.'])
    expect(await check(stranger, { zone, action: 'create' })).toEqual([404, 'zone_not_found']);
  for (const question of [
    {},
    { zone: zoneId },
    { zone: 'no dot', action: 'create' },
    { zone: zoneId, action: 'fly' },
    { zone: zoneId, action: 'create', name: 'www.other.example.' },
    { zone: zoneId, action: 'create', type: 'NOPE' },
    { zone: zoneId, action: 'create', colour: 'red' },
  ])
    expect(await check(member, question)).toEqual([400, 'invalid_object']);
});
