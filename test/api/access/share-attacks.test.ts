/** What a project must not reach, or learn, in a zone that is shared with it by a share with a scope. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../support/eventually.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { type Tenant, type TestZone, tenantOf } from '../../support/tenant.ts';

const LIMIT = 12;
const OPENED = [
  'update_zone',
  'zone_export',
  'find_zone_changes',
  'replace_zone_contents',
  'restore_zone',
  'share_zone',
  'update_guardrails',
  'create_zone_transfer_request',
  'get_zone_publication',
];
const POLICY = Object.fromEntries(
  OPENED.map((rule) => [rule, `rule:admin_or_project_member or (role:member and 'True':%(zone_shared)s)`]),
);

const folder = mkdtempSync(join(tmpdir(), 'zonewarden-policy-'));
let service: TestService;
let owner: Tenant;
let guest: Tenant;
let zone: TestZone;
let path: string;
let projects = 0;

beforeAll(async () => {
  const file = join(folder, 'policy.yaml');
  writeFileSync(file, JSON.stringify(POLICY));
  service = await startTestService({
    ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1',
    ZONEWARDEN_DEFAULT__QUOTA_ZONE_RECORDSETS: String(LIMIT),
    ZONEWARDEN_OSLO_POLICY__POLICY_FILE: file,
  });
});
afterAll(async () => {
  await service.remove();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  projects += 1;
  owner = await tenantOf(service, `owner-${projects}`);
  guest = await tenantOf(service, `guest-${projects}`);
  zone = await owner.makeZone();
  path = `/v2/zones/${zone.id}`;
  for (const name of ['www', 'mail', 'db']) await made(owner, address(name));
});

const full = (name: string) => `${name}.${zone.name}`;
const address = (name: string) => ({ name: full(name), type: 'A', records: ['192.0.2.1'] });
const txt = (name: string) => ({ name: full(name), type: 'TXT', records: ['"x"'] });

async function made(who: Tenant, body: object): Promise<string> {
  const { status, json } = await who.ask('POST', `${path}/recordsets`, body);
  expect(status, JSON.stringify(json)).toBe(202);
  return json.id;
}

async function shared(scope: object | null, projectId = guest.projectId): Promise<string> {
  const body = { target_project_id: projectId, scope };
  const { status, json } = await owner.ask('POST', `${path}/shares`, body);
  expect(status, JSON.stringify(json)).toBe(201);
  return json.id;
}

const creations = (count: number) =>
  Array.from({ length: count }, (_, number) => ({ action: 'create', ...txt(`n${number}`) }));

describe('what a scope hides', () => {
  it('does not exist for the access check', async () => {
    await shared({ types: ['TXT'] });
    const check = async (name: string, action: string) => {
      const question = { zone: zone.id, name: full(name), type: 'A', action };
      return (await guest.ask('POST', '/v2/access/check', question)).json;
    };
    for (const action of ['read', 'create', 'update', 'delete']) {
      expect(await check('www', action)).toMatchObject({ refused_by: 'share', key: 'types' });
      expect(await check('www', action)).toEqual(await check('missing', action));
    }
  });

  it('is not counted by the refusal of a quota', async () => {
    await shared({ types: ['TXT'] });
    const message = 'Quota exceeded for zone_recordsets. Your scope hides the usage.';
    const changes = creations(LIMIT);
    const dry = (await guest.ask('POST', `${path}/changes`, { changes, dry_run: true })).json;
    expect(dry.refusal).toMatchObject({ type: 'over_quota', message });
    const set = await guest.ask('POST', `${path}/changes`, { changes });
    expect([set.status, set.json.message]).toEqual([413, message]);
    const room = creations(LIMIT - 3);
    expect((await guest.ask('POST', `${path}/changes`, { changes: room })).status).toBe(202);
    const one = await guest.ask('POST', `${path}/recordsets`, txt('one'));
    expect([one.status, one.json.message]).toEqual([413, message]);
    const question = { zone: zone.id, name: full('one'), type: 'TXT', action: 'create' };
    expect((await guest.ask('POST', '/v2/access/check', question)).json).toMatchObject({
      refused_by: 'quota',
      message,
    });
    const own = await owner.ask('POST', `${path}/recordsets`, txt('one'));
    expect(own.json.message).toContain(`the usage is ${LIMIT}`);
  });

  it('is not counted for a token with a scope either', async () => {
    const { json } = await owner.ask('POST', '/v2/tokens', { scope: { types: ['TXT'] } });
    const body = { changes: creations(LIMIT) };
    const { token } = json;
    const refused = await service.request('POST', `${path}/changes`, { token, body });
    expect(refused.json.message).toBe('Quota exceeded for zone_recordsets. Your scope hides the usage.');
  });

  it('is not counted by events', async () => {
    await shared({ types: ['TXT'] });
    const changes = creations(LIMIT - 3);
    expect((await guest.ask('POST', `${path}/changes`, { changes })).status).toBe(202);
    const eventsOf = async (who: Tenant) =>
      (await who.ask('GET', `/v2/events?target_id=${zone.id}`)).json.events as {
        type: string;
        after?: object;
      }[];
    await until(async () =>
      expect((await eventsOf(owner)).map(({ type }) => type)).toContain('quota.reached'),
    );
    const seen = await eventsOf(guest);
    expect(seen.map(({ type }) => type)).toEqual(['recordsets.changed']);
    expect(seen[0]!.after).toEqual({ serial: expect.any(Number) });
    const [own] = (await eventsOf(owner)).filter(({ type }) => type === 'recordsets.changed');
    expect(own!.after).toMatchObject({ recordsets: LIMIT });
  });
});

it.each([
  ['names', { names: ['x'] }, 'names'],
  ['types', { types: ['TXT'] }, 'types'],
  ['actions', { actions: ['create'] }, 'actions'],
])('a policy that opens whole zones to shares opens none to a scope with %s', async (_, scope, key) => {
  await shared(scope);
  const refusalOf = async (method: string, route: string, body?: object) => {
    const { status, json } = await guest.ask(method, `${path}${route}`, body);
    return [status, /"(\w+)" refuses/.exec(json.message)?.[1] ?? json.message];
  };
  expect(await refusalOf('PATCH', '', { ttl: 77 })).toEqual([401, key]);
  if (key !== 'actions') {
    expect(await refusalOf('GET', '/changes')).toEqual([401, key]);
    expect(await refusalOf('GET', '/contents')).toEqual([401, key]);
    expect(await refusalOf('PUT', '/contents', { recordsets: [] })).toEqual([401, key]);
    expect(await refusalOf('POST', '/restore', { serial: zone.serial })).toEqual([401, key]);
  }
  const notAtAll = [401, 'A share with a scope does not allow this.'];
  expect(await refusalOf('POST', '/shares', { target_project_id: 'another' })).toEqual(notAtAll);
  expect(await refusalOf('PATCH', '/guardrails', { mass_deletion: 'off' })).toEqual(notAtAll);
  expect(await refusalOf('POST', '/tasks/transfer_requests', {})).toEqual(notAtAll);
  expect((await guest.ask('GET', `${path}/publication`)).status).toBe(200);
});

it('a recordset that comes back outside the scope belongs to the owner of the zone', async () => {
  const whole = await shared(null);
  const ids = { out: await made(guest, address('out')), in: await made(guest, txt('in')) };
  const { serial } = await owner.look(zone);
  for (const id of Object.values(ids))
    expect((await guest.ask('DELETE', `${path}/recordsets/${id}`)).status).toBe(202);
  expect((await owner.ask('DELETE', `${path}/shares/${whole}`)).status).toBe(204);
  await shared({ types: ['TXT'] });
  expect((await owner.ask('POST', `${path}/restore`, { serial })).status).toBe(202);
  expect(await guest.list('/v2/recordsets')).toEqual([full('in')]);
  expect((await owner.ask('GET', `${path}/recordsets/${ids.out}`)).json.project_id).toBe(owner.projectId);
});

it('reads back every pattern and type as it was given', async () => {
  const names = ['@', '**', '\\*', '\\*.A', '**.\\032x', 'x.*.**', '\\@', 'BÜCHER', '\\\\'];
  const many = Array.from({ length: 64 - names.length }, (_, number) => `n${number}`.padEnd(60, 'n'));
  await shared({ names: [...names, ...many], types: ['TXT', 'TYPE65280', 'A'] });
  const { json } = await guest.ask('GET', `${path}/shares`);
  expect(json.shared_zones[0].scope.names).toHaveLength(64);
  expect(await guest.list(`${path}/recordsets`)).toHaveLength(3);
});
