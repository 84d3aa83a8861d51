/** Zones: what they hold, whose they are, and what changing them does. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/;

let service: TestService;
let mine: string;
let theirs: string;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' });
  mine = await service.token('mine', 'member');
  theirs = await service.token('theirs', 'member');
});
afterAll(() => service.remove());

const create = (name: string, token = mine, rest: object = {}): Promise<Answer> =>
  service.request('POST', '/v2/zones', { token, body: { name, email: 'a@example.org', ...rest } });
const zoneOf = async (name: string, token = mine, rest: object = {}) => {
  const answer = await create(name, token, rest);
  expect([name, answer.status]).toEqual([name, 202]);
  return answer.json;
};
const show = (id: string, token = mine): Promise<Answer> =>
  service.request('GET', `/v2/zones/${id}`, { token });
const patch = (id: string, body: object, token = mine): Promise<Answer> =>
  service.request('PATCH', `/v2/zones/${id}`, { token, body });
const remove = (id: string, token = mine): Promise<Answer> =>
  service.request('DELETE', `/v2/zones/${id}`, { token });

describe('a zone', () => {
  it('is created with 202, Location and every field, pending at first and active when it is asked for', async () => {
    const answer = await create('whole.org.');
    expect(answer.status).toBe(202);
    const self = `${service.url}/v2/zones/${answer.json.id}`;
    expect(answer.headers.get('location')).toBe(self);
    expect(answer.json).toEqual({
      id: expect.any(String),
      name: 'whole.org.',
      email: 'a@example.org',
      ttl: 3600,
      serial: expect.any(Number),
      status: 'PENDING',
      action: 'CREATE',
      description: null,
      type: 'PRIMARY',
      masters: [],
      attributes: {},
      version: 1,
      project_id: 'mine',
      pool_id: expect.any(String),
      created_at: expect.stringMatching(TIMESTAMP),
      updated_at: null,
      transferred_at: null,
      shared: false,
      links: { self },
    });
    expect((await show(answer.json.id)).json).toEqual({ ...answer.json, status: 'ACTIVE', action: 'NONE' });
  });

  it('keeps what it was created with', async () => {
    const given = {
      ttl: 60,
      description: 'Beschreibung',
      attributes: { tier: 'gold' },
      type: 'PRIMARY',
      masters: [],
    };
    const { id } = await zoneOf('given.org.', mine, given);
    expect((await show(id)).json).toMatchObject(given);
  });

  it('changes with 202: what is sent, the version, the serial and updated_at', async () => {
    const before = await zoneOf('changed.org.', mine, { description: 'old', ttl: 60 });
    const answer = await patch(before.id, { ttl: 120, description: null });
    expect(answer.status).toBe(202);
    expect(answer.json).toMatchObject({ status: 'PENDING', action: 'UPDATE', ttl: 120, description: null });
    const after = (await show(before.id)).json;
    expect(after).toEqual({
      ...before,
      status: 'ACTIVE',
      action: 'NONE',
      ttl: 120,
      description: null,
      version: 2,
      serial: expect.any(Number),
      updated_at: expect.stringMatching(TIMESTAMP),
    });
    expect(after.serial).toBeGreaterThan(before.serial);
    expect(after.updated_at > before.created_at).toBe(true);
    expect((await patch(before.id, { email: 'b@example.org' })).json).toMatchObject({
      email: 'b@example.org',
      ttl: 120,
    });
  });

  it('has a serial that grows with every change of its data, however fast they come, and a version that counts them', async () => {
    const { id, serial } = await zoneOf('serial.org.');
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, place) => patch(id, { ttl: place + 1 })),
    );
    const versions = answers.map(({ json }) => json.version).sort((a, b) => a - b);
    expect(versions).toEqual(Array.from({ length: 30 }, (_, place) => place + 2));
    const inOrder = [...answers].sort((a, b) => a.json.version - b.json.version);
    const serials = [serial, ...inOrder.map(({ json }) => json.serial)];
    const times = inOrder.map(({ json }) => json.updated_at);
    for (let place = 1; place < serials.length; place++)
      expect(serials[place]).toBeGreaterThan(serials[place - 1]);
    expect(times).toEqual([...times].sort());
    expect(new Set(times).size).toBe(30);
  });

  it('keeps its serial, version and updated_at when a change is refused', async () => {
    const { id } = await zoneOf('refused.org.');
    const before = (await show(id)).json;
    for (const body of [
      { ttl: -1 },
      { email: 'x' },
      { name: 'other.org.' },
      { description: 5 },
      { email: null },
    ]) {
      expect((await patch(id, body)).status).toBe(400);
    }
    expect((await show(id)).json).toEqual(before);
  });

  it.each([
    '.a@example.org',
    'a.@example.org',
    'a..b@example.org',
    'a@-x.org',
    'a@x-.org',
    'a@.x.org',
    'a@x..org',
    'a\u202eb@example.org',
    'a@exa\u2066mple.org',
    '\ufeffa@example.org',
    'a\u00adb@example.org',
  ])('does not take the mail address %j', async (email) => {
    const { json } = await create('refused-mail.org.', mine, { email });
    expect(json).toMatchObject({ code: 400, type: 'invalid_object' });
    expect(json.errors.errors).toEqual([{ path: ['email'], message: expect.any(String) }]);
  });

  it.each(['-a-@example.org', 'a.b.c@example.org', 'a@x-y.org', 'a@\u0645\u06cc\u200c\u062e\u0648.org'])(
    'takes the mail address %j',
    async (email) => {
      const { id } = await zoneOf('taken-mail.org.');
      expect((await patch(id, { email })).json).toMatchObject({ email });
      await remove(id);
    },
  );

  it('is deleted with 202 and its last state, and is 404 from then on', async () => {
    const { id } = await zoneOf('deleted.org.');
    const answer = await remove(id);
    expect(answer.status).toBe(202);
    expect(answer.json).toMatchObject({ id, name: 'deleted.org.', status: 'PENDING', action: 'DELETE' });
    for (const gone of [await show(id), await patch(id, {}), await remove(id)]) {
      expect(gone.json).toMatchObject({ code: 404, type: 'zone_not_found' });
    }
    const again = await zoneOf('deleted.org.', theirs);
    expect(again.id).not.toBe(id);
  });

  it('is not deleted while zones stand below it', async () => {
    const parent = await zoneOf('family.org.');
    const child = await zoneOf('deep.child.family.org.');
    expect((await remove(parent.id)).json).toMatchObject({ code: 400, type: 'zone_has_sub_zone' });
    expect((await show(parent.id)).status).toBe(200);
    await remove(child.id);
    expect((await remove(parent.id)).status).toBe(202);
  });
});

describe('the owner of a zone', () => {
  it('alone creates zones below it, at any depth', async () => {
    await zoneOf('parent.org.');
    for (const name of ['child.parent.org.', 'a.b.c.d.parent.org.']) {
      expect((await create(name, theirs)).json).toMatchObject({ code: 403, type: 'illegal_child' });
      await zoneOf(name);
    }
  });

  it('alone creates zones above it, at any height', async () => {
    await zoneOf('www.below.example.net.');
    for (const name of ['below.example.net.', 'example.net.']) {
      expect((await create(name, theirs)).json).toMatchObject({ code: 403, type: 'illegal_parent' });
      await zoneOf(name);
    }
  });

  it('is not told by a duplicate: 409 for anyone who may create the name at all', async () => {
    await zoneOf('twice.org.');
    for (const token of [mine, theirs, service.admin]) {
      expect((await create('twice.org.', token)).json).toMatchObject({ code: 409, type: 'duplicate_zone' });
    }
  });

  it('of a zone above is found before a duplicate', async () => {
    await zoneOf('first.org.');
    await zoneOf('sub.first.org.');
    expect((await create('sub.first.org.', theirs)).json).toMatchObject({ code: 403, type: 'illegal_child' });
  });

  it('alone sees, changes and deletes it', async () => {
    const { id } = await zoneOf('private.org.');
    for (const answer of [
      await show(id, theirs),
      await patch(id, { ttl: 5 }, theirs),
      await remove(id, theirs),
    ]) {
      expect(answer.json).toMatchObject({ code: 404, type: 'zone_not_found' });
    }
    const { json } = await service.request('GET', '/v2/zones?name=private.org.', { token: theirs });
    expect([json.zones, json.metadata]).toEqual([[], { total_count: 0 }]);
    expect((await show(id)).json).toMatchObject({ ttl: 3600, version: 1 });
  });

  it('is not confused by names that only resemble each other', async () => {
    await zoneOf('x.aXb.com.');
    await zoneOf('sub.under_score.net.');
    await zoneOf('dash.org.');
    for (const name of [
      'a_b.com.',
      'under-score.net.',
      'underxscore.net.',
      'xdash.org.',
      'x-dash.org.',
      'dash.org.uk.',
      'ash.org.',
      'a.dash-org.com.',
    ]) {
      await zoneOf(name, theirs);
    }
    await zoneOf('aa.order.org.');
    await zoneOf('a.order.org.', theirs);
    await zoneOf('0.a-b.sort.org.');
    await zoneOf('a.sort.org.', theirs);
    expect((await create('a-b.sort.org.', theirs)).json.type).toBe('illegal_parent');
  });

  it('is one of two who ask for a parent and its child at the same moment', async () => {
    for (let round = 0; round < 20; round++) {
      const answers = await Promise.all([
        create(`race-${round}.org.`),
        create(`www.race-${round}.org.`, theirs),
        create(`a.b.race-${round}.org.`, service.admin),
      ]);
      const owners = new Set(
        answers.filter(({ status }) => status === 202).map(({ json }) => json.project_id),
      );
      const refused = answers.filter(({ status }) => status !== 202).map(({ json }) => json.type);
      if (owners.has('mine')) expect([...owners]).toEqual(['mine']);
      for (const type of refused) expect(['illegal_child', 'illegal_parent']).toContain(type);
      expect(refused.length).toBeGreaterThan(0);
    }
  });
});

describe('of several reasons to refuse a zone', () => {
  it('the first is told: access, body, name, blacklist, quota, owner, duplicate', async () => {
    await zoneOf('order-parent.org.', theirs);
    const poor = await service.token('poor', 'member');
    const reader = await service.token('poor', 'reader');
    await service.request('PATCH', '/v2/quotas/poor', { token: service.admin, body: { zones: 0 } });
    const body = { pattern: '^blocked\\.order-parent\\.org\\.$' };
    await service.request('POST', '/v2/blacklists', { token: service.admin, body });
    const blocked = 'blocked.order-parent.org.';
    expect((await create(blocked, reader, { ttl: -1 })).json.type).toBe('access_denied');
    expect((await create(blocked, poor, { ttl: -1 })).json.type).toBe('invalid_object');
    expect((await create('-blocked.order-parent.org.', poor)).json.type).toBe('invalid_object');
    expect((await create(blocked, poor)).json.message).toBe('Blacklisted domain name');
    expect((await create('free.order-parent.org.', poor)).json.type).toBe('over_quota');
    await service.request('PATCH', '/v2/quotas/poor', { token: service.admin, body: { zones: 5 } });
    expect((await create('free.order-parent.org.', poor)).json.type).toBe('illegal_child');
    expect((await create('order-parent.org.', poor)).json.type).toBe('duplicate_zone');
  });
});
