import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsOf, refusalOf, type ShownEvent, sealed } from '../../support/events.ts';
import { eventually } from '../../support/eventually.ts';
import { runHere } from '../../support/run-here.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { inStoreOf, storeOptions } from '../../support/store.ts';

let service: TestService;
let shop: string;
let rival: string;
beforeAll(async () => {
  service = await startTestService();
  shop = await service.token('shop', 'member');
  rival = await service.token('rival', 'member');
});
afterAll(() => service.remove());

const newest = async (query = '', token?: string): Promise<ShownEvent> =>
  (await eventsOf(service, query, token))[0]!;
const ask = (token: string, method: string, path: string, body?: unknown, headers = {}) =>
  service.request(method, path, { token, body, headers });
/** The refusal of a name, which is written after its answer. */
const refusalOfName = (name: string): Promise<ShownEvent> =>
  eventually(async () => (await eventsOf(service, `&type=refused.*&target_name=${name}`))[0]);
const makeZone = async (name: string, token = shop) =>
  (await ask(token, 'POST', '/v2/zones', { name, email: 'a@example.org' })).json;

describe('the life of a zone', () => {
  it('is one event for each change, with what it was before and after', async () => {
    const { id } = await makeZone('life.example.');
    await ask(shop, 'PATCH', `/v2/zones/${id}`, { ttl: 77, description: 'mine' });
    await ask(shop, 'DELETE', `/v2/zones/${id}`);
    const events = await eventsOf(service, `&target_id=${id}`);
    expect(events.map(({ type }) => type)).toEqual(['zone.deleted', 'zone.changed', 'zone.created']);
    const [deleted, changed, created] = events as [ShownEvent, ShownEvent, ShownEvent];
    expect(created.target).toEqual({ kind: 'zone', id, name: 'life.example.', project_id: 'shop' });
    expect(created.after).toMatchObject({ name: 'life.example.', ttl: 3600, email: 'a@example.org' });
    expect(created.before).toBeUndefined();
    expect(changed.before).toMatchObject({ ttl: 3600, description: null });
    expect(Object.keys(changed.after!).sort()).toEqual(['description', 'serial', 'ttl']);
    expect(deleted.before).toMatchObject({ ttl: 77, description: 'mine' });
    expect(deleted.outcome).toBe('done');
  });

  it('names who changed it, by the request that answered', async () => {
    const made = await service.request('POST', '/v2/zones', {
      token: shop,
      body: { name: 'who.example.', email: 'a@example.org' },
    });
    const { actor } = await newest(`&target_id=${made.json.id}`);
    expect(actor).toMatchObject({ kind: 'request', project_id: 'shop', address: '127.0.0.1' });
    expect(actor.request_id).toBe(made.headers.get('x-openstack-request-id'));
    expect(actor.user_id).not.toBe('');
  });

  it('goes on with its recordsets, its shares and its offers', async () => {
    const { id } = await makeZone('more.example.');
    const path = `/v2/zones/${id}`;
    const body = { name: 'www.more.example.', type: 'A', records: ['192.0.2.1'] };
    const { json } = await ask(shop, 'POST', `${path}/recordsets`, body);
    await ask(shop, 'PUT', `${path}/recordsets/${json.id}`, { records: ['192.0.2.2'], ttl: 60 });
    const [changed, created] = await eventsOf(service, `&target_id=${id}&type=recordset.*`);
    expect(created!.after).toMatchObject({ name: 'www.more.example.', records: ['192.0.2.1'] });
    expect(changed!.before).toEqual({ ttl: null, records: ['192.0.2.1'] });
    expect(changed!.after).toEqual({ ttl: 60, records: ['192.0.2.2'] });
    await ask(shop, 'POST', `${path}/shares`, { target_project_id: 'friend' });
    expect((await newest('&type=share.created')).after).toMatchObject({ target_project_id: 'friend' });
    await ask(shop, 'POST', `${path}/tasks/transfer_requests`, {});
    expect((await newest('&target=transfer*')).type).toBe('transfer_request.created');
  });
});

it('a blacklist is told of as the API shows it', async () => {
  const exceptions = [{ project_id: 'shop', name: null, description: 'ours', expires_at: null }];
  const body = { pattern: '^excepted\\.', exceptions };
  const { json: made } = await ask(service.admin, 'POST', '/v2/blacklists', body);
  expect((await newest(`&target_id=${made.id}`)).after).toMatchObject(body);
  await ask(service.admin, 'PATCH', `/v2/blacklists/${made.id}`, { exceptions: [] });
  const changed = await newest(`&target_id=${made.id}&type=blacklist.changed`);
  expect([changed.before, changed.after]).toEqual([{ exceptions }, { exceptions: [] }]);
  await makeZone('excepted.example.');
  expect((await refusalOfName('excepted.example.')).restricted).toEqual({ blacklist_id: made.id });
});

describe('what is refused', () => {
  it('is an event, beside the answer', async () => {
    await ask(service.admin, 'POST', '/v2/blacklists', { pattern: '^evil\\.' });
    await makeZone('evil.example.');
    const event = await refusalOf(service, 'blacklist');
    expect(event).toMatchObject({ outcome: 'refused', error: 'invalid_zone_name' });
  });

  it('is the same on the command line as in the API', async () => {
    await ask(service.admin, 'POST', '/v2/blacklists', { pattern: '^worse\\.' });
    await makeZone('worse.example.');
    const { links: _, ...event } = await refusalOfName('worse.example.');
    const told = (...options: string[]) =>
      runHere(['events', '--type', 'refused.blacklist', ...options], storeOptions(service.dataDir));
    expect(JSON.parse((await told('--json')).out.trimEnd().split('\n').at(-1)!)).toEqual(event);
    expect((await told()).out).toMatch(/worse\.example\.\tinvalid_zone_name\n$/);
  });

  it('is an event for quotas, ownership and policy, too', async () => {
    await makeZone('owned.example.');
    await makeZone('below.owned.example.', rival);
    expect((await refusalOf(service, 'ownership')).target.name).toBe('below.owned.example.');
    await ask(service.admin, 'PATCH', '/v2/quotas/rival', { zones: 0 });
    await makeZone('another.example.', rival);
    expect((await refusalOf(service, 'quota')).error).toBe('over_quota');
    await ask(rival, 'GET', '/v2/blacklists');
    expect((await refusalOf(service, 'policy')).restricted).toEqual({
      rule: 'find_blacklists',
      missing_role: 'admin',
    });
  });

  it('is counted where it comes too fast to be listed', async () => {
    const flood = await service.token('flood', 'member');
    const floods = 300;
    for (let sent = 0; sent < floods; sent += 20) {
      await Promise.all(Array.from({ length: 20 }, () => ask(flood, 'GET', '/v2/tlds')));
    }
    const counted = () =>
      inStoreOf(service.dataDir, `select sum(total) as total from refusals where type = 'refused.policy'`);
    await eventually(async () => Number((await counted())[0]?.total) >= floods || undefined);
    const listed = (await eventsOf(service, '&type=refused.policy')).filter(
      ({ actor }) => actor.project_id === 'flood',
    );
    expect(listed.length).toBeGreaterThan(0);
    expect(listed.length).toBeLessThan(floods / 2);
  });
});

describe('a project', () => {
  it('sees its own events, and nothing of others', async () => {
    const { id } = await makeZone('own.example.');
    await makeZone('theirs.example.', await service.token('theirs', 'member'));
    const seen = await eventsOf(service, '', shop);
    expect(seen.some(({ target }) => target.id === id)).toBe(true);
    expect(seen.every((one) => [one.target.project_id, one.actor.project_id].includes('shop'))).toBe(true);
    expect((await ask(rival, 'GET', `/v2/events/${seen[0]!.id}`)).status).toBe(404);
    expect((await ask(shop, 'GET', `/v2/events/${seen[0]!.id}`)).json).toEqual(seen[0]);
    expect(await eventsOf(service, '&project_id=theirs', shop)).toEqual([]);
  });

  it('sees what others do with its zones, but not who and from where', async () => {
    const { id } = await makeZone('watched.example.');
    await service.request('PATCH', `/v2/zones/${id}`, {
      token: service.admin,
      body: { ttl: 99 },
      headers: { 'x-auth-all-projects': 'true' },
    });
    const own = await newest(`&target_id=${id}`, shop);
    expect(own).toMatchObject({ type: 'zone.changed', actor: { kind: 'request' } });
    expect(Object.keys(own.actor)).toEqual(['kind', 'project_id']);
    const { user_id: user, request_id: request } = (await newest(`&target_id=${id}`)).actor;
    for (const guess of [`user_id=${user}`, `request_id=${request}`, `request_id=${request!.slice(0, 8)}*`]) {
      const guessed = await eventsOf(service, `&target_id=${id}&type=zone.changed&${guess}`, shop);
      expect([guess, guessed]).toEqual([guess, []]);
    }
    const { request_id: ownRequest } = (await newest(`&target_id=${id}&type=zone.created`, shop)).actor;
    expect((await newest(`&request_id=${ownRequest}`, shop)).target.id).toBe(id);
  });

  it('sees no pattern, and no id of one', async () => {
    const { json } = await ask(service.admin, 'POST', '/v2/blacklists', { pattern: '^hidden-pattern\\.' });
    await makeZone('hidden-pattern.example.');
    await eventually(async () =>
      (await eventsOf(service, '&type=refused.blacklist', shop)).find(
        ({ target }) => target.name === 'hidden-pattern.example.',
      ),
    );
    const insider = await service.token('admin', 'reader');
    for (const token of [shop, insider]) {
      const told = JSON.stringify(await eventsOf(service, '', token));
      expect(told).not.toContain(json.id);
      expect(told).not.toContain('^hidden');
    }
    expect(JSON.stringify(await eventsOf(service))).toContain(json.id);
  });
});

describe('a project whose name meets an entry that does not refuse it', () => {
  /** Creates a zone in a project of its own, whose name meets one entry. */
  async function meet(mode: string, project: string): Promise<string> {
    const pattern = `^${project}\\.`;
    await ask(service.admin, 'POST', '/v2/blacklists', { pattern, mode });
    const token = await service.token(project, 'member');
    expect((await makeZone(`${project}.example.`, token)).status).toBe('PENDING');
    return token;
  }

  it.each([
    ['audit', 'zone.created_noted'],
    ['warn', 'zone.created_noted'],
  ])('by the mode %s sees it as created, and filters it so', async (mode, type) => {
    const token = await meet(mode, `told-${mode}`);
    const [own] = await eventsOf(service, '&type=zone.created', token);
    expect(own).toMatchObject({ type: 'zone.created', target: { name: `told-${mode}.example.` } });
    expect(own).not.toHaveProperty('restricted');
    expect(own!.details).toEqual(mode === 'warn' ? { warned: true } : undefined);
    expect((await ask(token, 'GET', `/v2/events/${own!.id}`)).json).toEqual(own);
    for (const hidden of [type, '*noted', 'zone.created_*'])
      expect(await eventsOf(service, `&type=${hidden}`, token)).toEqual([]);
    expect(await eventsOf(service, '&type=*.created', token)).toEqual([own]);
    const full = await newest(`&type=${type}&target_name=told-${mode}*`);
    expect(full).toMatchObject({ type, id: own!.id, restricted: { blacklists: [{ mode }], found: 1 } });
  });

  it('and that may pass it sees it as created', async () => {
    await ask(service.admin, 'POST', '/v2/blacklists', { pattern: '^passed\\.' });
    const file = join(service.dataDir, 'policy.yaml');
    writeFileSync(file, 'use_blacklisted_zone: role:admin\n');
    await service.restart({ ZONEWARDEN_OSLO_POLICY__POLICY_FILE: file });
    const { status } = await service.request('POST', '/v2/zones', {
      token: service.admin,
      body: { name: 'passed.example.', email: 'a@example.org' },
      headers: { 'x-auth-sudo-project-id': 'told-passed' },
    });
    expect(status).toBe(202);
    const token = await service.token('told-passed', 'member');
    expect((await eventsOf(service, '&type=zone.created', token)).length).toBe(1);
    expect(await eventsOf(service, '&type=*blacklisted', token)).toEqual([]);
    const full = await newest('&type=zone.created_blacklisted');
    expect(full.target.name).toBe('passed.example.');
    await service.restart();
  });
});

describe('the list', () => {
  it('is in the order of the positions, the newest first, and leaves none out', async () => {
    const events = await eventsOf(service);
    const positions = events.map(({ position }) => position);
    const all = Array.from({ length: positions.length }, (_, place) => positions[0]! - place);
    expect(positions).toEqual(all);
    const times = await eventsOf(service, `&since=${events[3]!.time}&until=${events[0]!.time}`);
    const between = events.filter(({ time }) => time >= events[3]!.time && time < events[0]!.time);
    expect(times.map(({ id }) => id)).toEqual(between.map(({ id }) => id));
  });

  it('is the same page by page', async () => {
    const whole = (await eventsOf(service, '', shop)).map(({ id }) => id);
    const paged: string[] = [];
    for (let path = '/v2/events?limit=7'; path !== undefined; ) {
      const { json } = await ask(shop, 'GET', path);
      paged.push(...json.events.map(({ id }: ShownEvent) => id));
      path = json.links.next?.slice(service.url.length);
    }
    expect(paged).toEqual(whole);
  });

  it.each([
    ['zone.*', /^zone\./],
    ['*.created', /\.created$/],
    ['refused*', /^refused/],
    ['*', /./],
    ['z*e.*d', /^z.*e\..*d$/],
    ['nothing.*', /^nothing\./],
    ['zone.create', /^zone\.create$/],
  ])(
    'has by the type %s those of all types that it stands for, in order, page by page',
    async (type, meant) => {
      const all = (await eventsOf(service)).filter((one) => meant.test(one.type));
      expect(await eventsOf(service, `&type=${type}`)).toEqual(all);
      const first = await ask(service.admin, 'GET', `/v2/events?limit=3&type=${type}`);
      const seen = first.json.events.map(({ id }: ShownEvent) => id);
      const next = first.json.links.next?.slice(service.url.length);
      if (next !== undefined)
        seen.push(...(await ask(service.admin, 'GET', next)).json.events.map(({ id }: ShownEvent) => id));
      expect(seen).toEqual(all.slice(0, 6).map(({ id }) => id));
    },
  );

  it('shows an administrator one project, if asked for it', async () => {
    await sealed(service.dataDir);
    for (const [query, headers] of [
      ['?project_id=shop&limit=1000', {}],
      ['?limit=1000', { 'x-auth-sudo-project-id': 'shop' }],
    ] as const) {
      const { json } = await ask(service.admin, 'GET', `/v2/events${query}`, undefined, headers);
      const ofShop = (one: ShownEvent) => [one.target.project_id, one.actor.project_id].includes('shop');
      expect(json.events.length).toBeGreaterThan(0);
      expect(json.events.every(ofShop)).toBe(true);
    }
  });
});

describe('the statistics', () => {
  it('have the zones by status, the refusals by entry and hour, and what waits', async () => {
    const { json, status } = await ask(service.admin, 'GET', '/v2/statistics');
    expect(status).toBe(200);
    const [{ total }] = (await inStoreOf(service.dataDir, 'select count(*) as total from zones')) as [
      { total: unknown },
    ];
    expect(json.zones).toEqual({ ACTIVE: Number(total), PENDING: 0, ERROR: 0 });
    const blacklisted = json.refusals.find(({ type }: { type: string }) => type === 'refused.blacklist');
    expect(blacklisted).toMatchObject({ hour: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:00/), count: 1 });
    expect(blacklisted.blacklist_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(json.publication).toEqual({ waiting: 0, oldest: null });
    expect((await ask(shop, 'GET', '/v2/statistics')).status).toBe(401);
  });

  it('name the pattern of an entry that refused, while it is there, for those who may get it', async () => {
    const { json: made } = await ask(service.admin, 'POST', '/v2/blacklists', { pattern: '^statistics\\.' });
    await makeZone('statistics.example.');
    const counted = () =>
      eventually(async () => {
        const { json } = await ask(service.admin, 'GET', '/v2/statistics');
        return json.refusals.find(({ blacklist_id }: { blacklist_id: string }) => blacklist_id === made.id);
      });
    expect(await counted()).toMatchObject({ pattern: '^statistics\\.', count: 1 });
    const file = join(service.dataDir, 'policy.yaml');
    writeFileSync(file, 'get_blacklist: role:auditor\n');
    await service.restart({ ZONEWARDEN_OSLO_POLICY__POLICY_FILE: file });
    expect((await counted()).pattern).toBeNull();
    await service.restart();
    await ask(service.admin, 'DELETE', `/v2/blacklists/${made.id}`);
    expect((await counted()).pattern).toBeNull();
  });
});
