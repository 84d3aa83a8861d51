/** Who may change a zone, as its owner sees it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';
import { inStoreOf } from '../../support/store.ts';
import { type Tenant, type TestZone, tenantOf } from '../../support/tenant.ts';

interface Made {
  readonly id: string;
  readonly token: string;
  readonly secret: string;
}

let service: TestService;
let run = 0;
let owner: Tenant;
let guest: Tenant;
let admin: Tenant;
let zone: TestZone;
let path: string;

beforeAll(async () => {
  service = await startTestService({
    ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1',
    ZONEWARDEN_DEFAULT__LOG_LEVEL: 'warn',
  });
  admin = await tenantOf(service, 'admin', 'admin');
});
afterAll(() => service.remove());

beforeEach(async () => {
  run += 1;
  owner = await tenantOf(service, `owner-${run}`);
  guest = await tenantOf(service, `guest-${run}`);
  zone = await owner.makeZone();
  path = `/v2/zones/${zone.id}/access`;
});

async function made(answer: Promise<Answer>): Promise<Made> {
  const { status, json } = await answer;
  expect(status, JSON.stringify(json)).toBe(201);
  return json;
}

const token = (who: Tenant, body: object = {}) => made(who.ask('POST', '/v2/tokens', body));

/** A token that an administrator makes for another project. */
const tokenFor = (projectId: string, roles: readonly string[], body: object = {}) =>
  token(admin, { project_id: projectId, roles, ...body });

const share = (projectId: string, scope?: object) =>
  made(owner.ask('POST', `/v2/zones/${zone.id}/shares`, { target_project_id: projectId, scope }));

const key = (who: Tenant, name: string, permissions: object = { update: {} }, on: TestZone = zone) =>
  made(who.ask('POST', '/v2/tsigkeys', { name, scope: 'ZONE', resource_id: on.id, permissions }));

async function shown(who: Tenant = owner, headers: Record<string, string> = {}) {
  const { status, json } = await who.ask('GET', path, undefined, headers);
  expect(status, JSON.stringify(json)).toBe(200);
  return json;
}

async function idsIn(list: 'tokens' | 'keys' | 'shares'): Promise<readonly string[]> {
  return (await shown())[list].map(({ id }: Made) => id);
}

/** The ids of the tokens beside the one that the owner, or the guest, was made with. */
async function tokensOf(projectId: string): Promise<readonly string[]> {
  const { tokens } = await shown();
  return tokens
    .filter((one: Record<string, unknown>) => one.project_id === projectId)
    .map(({ id }: Made) => id);
}

describe('the list of who may change a zone', () => {
  it('has the owner, shares, tokens and keys, without any secret', async () => {
    const scope = { names: ['_acme-challenge.**'], types: ['TXT'] };
    const shared = await share(guest.projectId, { types: ['TXT'] });
    const other = await share(`empty-${run}`);
    const ci = await token(owner, { description: 'CI', expires_at: '2099-01-01', scope });
    const ofOwner = await key(owner, 'acme', { transfer: true, update: scope });
    const ofAdmin = await key(admin, `ops-${run}.example`);
    const answer = await owner.ask('GET', path);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      projects: [{ project_id: owner.projectId, owner: true }],
      shares: [
        { id: shared.id, target_project_id: guest.projectId, scope: { types: ['TXT'] } },
        { id: other.id, target_project_id: `empty-${run}` },
      ],
      tokens: [
        { id: expect.any(String), project_id: owner.projectId, roles: ['member'], expires_at: null },
        {
          id: ci.id,
          project_id: owner.projectId,
          roles: ['member'],
          expires_at: '2099-01-01T00:00:00.000000',
          description: 'CI',
          scope,
        },
        { id: expect.any(String), project_id: guest.projectId },
      ],
      keys: [
        {
          id: ofOwner.id,
          name: `acme.${zone.name.slice(0, -1)}`,
          project_id: owner.projectId,
          permissions: { transfer: true, update: scope },
        },
        { id: ofAdmin.id, name: `ops-${run}.example`, permissions: { transfer: false, update: {} } },
      ],
      cut: [],
    });
    const hashes = (await inStoreOf(service.dataDir, 'select hash from api_tokens')).map(({ hash }) => hash);
    const texts = [ci.token.split('_').slice(2).join('_'), ofOwner.secret, ofAdmin.secret, ...hashes];
    for (const text of texts) expect(answer.text).not.toContain(text);
  });

  it('is for members of the owner and for administrators', async () => {
    await share(guest.projectId);
    const stranger = await tenantOf(service, 'stranger');
    const reader = await tenantOf(service, owner.projectId, 'reader');
    const refusal = async (who: Tenant) => {
      const { status, json } = await who.ask('GET', path);
      return [status, json.type];
    };
    expect(await refusal(guest)).toEqual([401, 'access_denied']);
    expect(await refusal(reader)).toEqual([401, 'access_denied']);
    expect(await refusal(stranger)).toEqual([404, 'zone_not_found']);
    expect(await refusal(admin)).toEqual([404, 'zone_not_found']);
    const ofOwner = await shown();
    expect(await shown(admin, { 'x-auth-all-projects': 'true' })).toEqual(ofOwner);
    expect(await shown(admin, { 'x-auth-sudo-project-id': owner.projectId })).toEqual(ofOwner);
    for (const scope of [{ zones: [zone.id] }, { actions: ['read'] }]) {
      const scoped = await token(owner, { scope });
      const { status, json } = await service.request('GET', path, { token: scoped.token });
      expect([status, json.type]).toEqual([401, 'access_denied']);
    }
  });

  it('shows no descriptions, networks and other zones of another project', async () => {
    await share(guest.projectId);
    const scope = {
      zones: [zone.id, 'secret.example.'],
      names: ['www'],
      types: ['A'],
      actions: ['update'],
      networks: ['192.0.2.7'],
      rate: { writes: 3, per_seconds: 60 },
      record_lifetime: 60,
    };
    const { id } = await token(guest, { scope, description: 'A secret', expires_at: '2099-01-01' });
    const { tokens } = await shown();
    expect(tokens.find((one: Made) => one.id === id)).toEqual({
      id,
      project_id: guest.projectId,
      scope: { names: ['www'], types: ['A'], actions: ['update'] },
    });
  });
});

describe('tokens in it', () => {
  it('are those whose roles and scope let them change the zone', async () => {
    const [first] = await idsIn('tokens');
    const able = [
      await token(owner, { scope: { zones: [zone.id] } }),
      await token(owner, { scope: { zones: [`*.${zone.name.split('.').slice(1).join('.')}`] } }),
      await token(owner, { scope: { actions: ['delete'], types: ['TXT'] } }),
      await token(owner, { scope: { actions: ['update_zone'] } }),
      await tokenFor(owner.projectId, ['admin']),
    ];
    const { id: other } = await owner.makeZone();
    for (const scope of [
      { zones: [other] },
      { zones: ['elsewhere.example.'] },
      { actions: ['read', 'plan'] },
      { actions: ['create_zone', 'create_token'] },
      { actions: ['update_zone'], types: ['TXT'] },
    ])
      await token(owner, { scope });
    await token(owner, { roles: ['reader'] });
    await tokenFor(`unrelated-${run}`, ['member']);
    expect([...(await idsIn('tokens'))].sort()).toEqual([first, ...able.map(({ id }) => id)].sort());
  });

  it('are those of shares whose scope leaves them something to write', async () => {
    await share(guest.projectId, { actions: ['create'] });
    const [first] = await tokensOf(guest.projectId);
    const able = await token(guest, { scope: { actions: ['create', 'delete'] } });
    await token(guest, { scope: { actions: ['delete'] } });
    await token(guest, { scope: { actions: ['update_zone'] } });
    await token(guest, { roles: ['reader'] });
    expect([...(await tokensOf(guest.projectId))].sort()).toEqual([first, able.id].sort());
  });

  it('are live ones', async () => {
    const [first] = await idsIn('tokens');
    await service.tokenUntil('2020-01-01T00:00:00.000000', owner.projectId, 'member');
    const revoked = await token(owner);
    const parent = await token(owner, { max_unused_seconds: 300 });
    const child = await made(service.request('POST', '/v2/tokens', { token: parent.token, body: {} }));
    const before = [first, revoked.id, parent.id, child.id].sort();
    expect([...(await idsIn('tokens'))].sort()).toEqual(before);
    expect((await owner.ask('DELETE', `/v2/tokens/${revoked.id}`)).status).toBe(204);
    await inStoreOf(
      service.dataDir,
      `update api_tokens set created_at = '2020-01-01T00:00:00.000000', last_used_at = '' where id = '${parent.id}'`,
    );
    // The child is live, but has ended with the token that created it.
    expect(await idsIn('tokens')).toEqual([first]);
  });
});

describe('keys in it', () => {
  it('are those that may update this zone', async () => {
    const other = await owner.makeZone();
    const able = await key(owner, 'all');
    const deletes = await key(owner, 'deletes', { update: { actions: ['delete'] } });
    await key(owner, 'transfers', { transfer: true });
    await key(owner, 'reads', { update: { actions: ['read'] } });
    await key(owner, 'zones', { update: { actions: ['update_zone'] } });
    await key(owner, 'others', { update: {} }, other);
    expect(await idsIn('keys')).toEqual([able.id, deletes.id]);
  });
});

describe('long lists', () => {
  it('are cut, which the answer says', async () => {
    for (let place = 0; place < 101; place += 1) await share(`many-${run}-${place}`);
    expect(await shown()).toMatchObject({ cut: ['shares', 'tokens'] });
    expect(await idsIn('shares')).toHaveLength(100);
    for (let place = 0; place < 101; place += 1) await key(admin, `many-${run}-${place}.example`);
    expect(await shown()).toMatchObject({ cut: ['shares', 'tokens', 'keys'] });
    expect(await idsIn('keys')).toHaveLength(100);
  });

  it('have those tokens of the owner that last longest, and those of others beside them', async () => {
    await share(guest.projectId);
    const [first] = await tokensOf(owner.projectId);
    const shortest = await tokenFor(owner.projectId, ['member'], { expires_at: '2098-01-01' });
    for (let place = 0; place < 198; place += 1)
      await tokenFor(owner.projectId, ['member'], { expires_at: '2099-01-01' });
    expect(await shown()).toMatchObject({ cut: [] });
    expect(await tokensOf(owner.projectId)).toHaveLength(200);
    await tokenFor(owner.projectId, ['member'], { expires_at: '2099-01-01' });
    expect(await shown()).toMatchObject({ cut: ['tokens'] });
    const ids = await tokensOf(owner.projectId);
    expect([ids.length, ids[0], ids.includes(shortest.id)]).toEqual([200, first, false]);
    expect(await tokensOf(guest.projectId)).toHaveLength(1);
  });

  it('do not count tokens that have expired', async () => {
    const [first] = await idsIn('tokens');
    await inStoreOf(
      service.dataDir,
      `insert into api_tokens (id, hash, project_id, user_id, roles, created_at, expires_at)
        with recursive numbers (number) as (select 1 union all select number + 1 from numbers where number < 500)
        select 'old-${run}-' || number, '', '${owner.projectId}', 'ci', '["member"]',
          '2020-01-01T00:00:00.000000', '2020-01-02T00:00:00.000000' from numbers`,
    );
    expect(await shown()).toMatchObject({ cut: [] });
    expect(await idsIn('tokens')).toEqual([first]);
  });
});
