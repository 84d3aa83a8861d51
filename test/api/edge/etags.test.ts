/** ETags of single resources, and conditional requests (RFC 9110, sections 8.8.3 and 13). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';
import { inStoreOf } from '../../support/store.ts';
import { etagIn, KINDS, type TaggedResource, taggedKinds } from '../../support/tagged-resources.ts';
import { type Tenant, tenantOf } from '../../support/tenant.ts';
import { rawRequest, sendRaw } from '../../support/wire.ts';

const STRONG = /^"[A-Za-z0-9_-]{22}"$/;
const OTHER = '"another-state-of-it"';
const MALFORMED = ['', 'no-quotes', '"unfinished', '*, "a"', 'w/"a"', '"a" "b"'];

let service: TestService;
let kinds: ReturnType<typeof taggedKinds<Answer>>;
let shop: Tenant;
let admin: Tenant;
beforeAll(async () => {
  service = await startTestService({
    ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1',
    ZONEWARDEN_SERVICE_API__ENABLED_EXTENSIONS_V1: 'quotas',
  });
  shop = await tenantOf(service, 'shop');
  admin = await tenantOf(service, 'admin', 'admin');
  kinds = taggedKinds(shop.ask, admin.ask);
});
afterAll(() => service.remove());

const typeOf = ({ status, json }: Answer) => [status, json?.type];
const ifMatch = (...tags: string[]) => ({ 'if-match': tags.join(', ') });
const ifNoneMatch = (...tags: string[]) => ({ 'if-none-match': tags.join(', ') });
const FAILED = [412, 'precondition_failed'];

describe.each(KINDS)('a single resource: %s', (name) => {
  const kind = () => kinds[name];
  const make = (): Promise<TaggedResource<Answer>> => kind().make();
  const tagOf = async (resource: TaggedResource) => etagIn(await resource.get());

  it('has a strong ETag, in every answer that shows it', async () => {
    const resource = await make();
    const { made, get, change } = resource;
    const read = await get();
    const answers = [read, await change(kind().body(3)), ...(made === undefined ? [] : [made])];
    for (const answer of answers)
      expect([answer.status < 300, etagIn(answer)]).toEqual([true, expect.stringMatching(STRONG)]);
    const head = await service.request('HEAD', resource.path, {
      token: service.admin,
      headers: { 'x-auth-all-projects': 'true' },
    });
    expect([head.status, head.text, etagIn(head)]).toEqual([200, '', await tagOf(resource)]);
  });

  it('keeps its ETag until it is changed', async () => {
    const resource = await make();
    const before = await resource.get();
    expect(etagIn(await resource.get())).toBe(etagIn(before));
    const changed = await resource.change(kind().body(3));
    const after = await resource.get();
    expect(etagIn(after)).not.toBe(etagIn(before));
    // The answer to a change of a zone and what is in it says PENDING, if it is done by then, too.
    expect(etagIn(changed) === etagIn(after)).toBe(changed.json.status === after.json.status);
  });

  it('is changed and deleted where If-Match has its ETag, alone, in a list or as *', async () => {
    const resource = await make();
    const tries = [
      async () => ifMatch(await tagOf(resource)),
      async () => ifMatch(OTHER, `W/${OTHER}`, await tagOf(resource)),
      async () => ifMatch('*'),
    ];
    for (const [place, condition] of tries.entries()) {
      const changed = await resource.change(kind().body(place + 5), await condition());
      expect([changed.status < 300, kind().numberIn(changed.json)]).toEqual([true, place + 5]);
    }
    const removed = await resource.remove(ifMatch(await tagOf(resource)));
    expect([removed.status < 300, removed.headers.get('etag')]).toEqual([true, null]);
  });

  it('is neither changed nor deleted where If-Match has another, an older or a weak one', async () => {
    const resource = await make();
    const old = await tagOf(resource);
    await resource.change(kind().body(7));
    const now = await resource.get();
    for (const tags of [[OTHER], [old], [`W/${etagIn(now)}`], [old, OTHER, `W/${etagIn(now)}`]]) {
      const change = await resource.change(kind().body(8), ifMatch(...tags));
      expect([...typeOf(change), change.json.message]).toEqual([
        ...FAILED,
        expect.stringContaining('Read it again'),
      ]);
      expect(typeOf(await resource.remove(ifMatch(...tags)))).toEqual(FAILED);
      expect(typeOf(await resource.get(ifMatch(...tags)))).toEqual(FAILED);
    }
    const then = await resource.get(ifMatch(etagIn(now)));
    expect([then.status, etagIn(then), then.json]).toEqual([200, etagIn(now), now.json]);
  });

  it.each(MALFORMED)('is not looked at where a condition is malformed: %j', async (text) => {
    const resource = await make();
    const before = await resource.get();
    for (const header of ['if-match', 'if-none-match']) {
      const condition = { [header]: text };
      const answers = [
        await resource.get(condition),
        await resource.change(kind().body(9), condition),
        // Before the body.
        await resource.change('{', condition),
        await resource.remove(condition),
      ];
      for (const answer of answers) expect(typeOf(answer)).toEqual([400, 'bad_request']);
    }
    expect((await resource.get()).text).toBe(before.text);
  });

  it('is 304 without a body to whoever has it already', async () => {
    const resource = await make();
    const etag = await tagOf(resource);
    for (const tags of [[etag], [`W/${etag}`], [OTHER, etag], ['*']]) {
      const answer = await resource.get(ifNoneMatch(...tags));
      expect([answer.status, answer.text, etagIn(answer)]).toEqual([304, '', etag]);
      expect(answer.headers.get('x-openstack-request-id')).toMatch(/^req-/);
      expect([answer.headers.get('content-type'), answer.headers.get('content-length')]).toEqual([
        null,
        null,
      ]);
    }
    const asked = { 'x-auth-all-projects': 'true', ...ifNoneMatch(etag) };
    const head = await service.request('HEAD', resource.path, { token: service.admin, headers: asked });
    const length = String(Buffer.byteLength((await resource.get()).text));
    expect([head.status, etagIn(head), head.headers.get('content-length')]).toEqual([304, etag, length]);
    expect((await resource.get(ifNoneMatch(OTHER))).status).toBe(200);
    await resource.change(kind().body(11));
    const { status, headers } = await resource.get(ifNoneMatch(etag));
    expect([status, headers.get('etag')]).toEqual([200, await tagOf(resource)]);
  });

  it('is not changed where If-None-Match has its ETag', async () => {
    const resource = await make();
    const etag = await tagOf(resource);
    for (const tag of ['*', etag, `W/${etag}`]) {
      expect(typeOf(await resource.change(kind().body(12), ifNoneMatch(tag)))).toEqual(FAILED);
    }
    expect(await tagOf(resource)).toBe(etag);
    expect((await resource.change(kind().body(12), ifNoneMatch(OTHER))).status).toBeLessThan(300);
  });

  it('has the same ETag by any Host, and after a restart', async () => {
    const { path, get } = await make();
    const etag = etagIn(await get());
    const headers = {
      host: 'dns.example.org:8080',
      'x-auth-token': service.admin,
      'x-auth-all-projects': 'true',
    };
    const other = await sendRaw(service.url, rawRequest('GET', path, headers));
    expect([other.status, other.headers.etag]).toEqual([200, etag]);
    await service.restart();
    expect(etagIn(await get())).toBe(etag);
  });

  it('is changed by a body that was read and sent back, unless it is another one by then', async () => {
    const resource = await make();
    const read = await resource.get();
    const edited = { ...read.json, ...kind().body(13) };
    expect((await resource.change(edited, ifMatch(etagIn(read)))).status).toBeLessThan(300);
    // What it repeats is not present any more.
    const again = { ...read.json, ...kind().body(14) };
    expect(typeOf(await resource.change(again, ifMatch(etagIn(read))))).toEqual(FAILED);
    expect(kind().numberIn((await resource.get()).json)).toBe(13);
  });

  it('tells of faults of the body first, then that there is nothing, then that it is another one', async () => {
    const resource = await make();
    const faulty = { zones: 'x', description: 1 };
    expect(typeOf(await resource.change(faulty, ifMatch(OTHER)))).toEqual([400, 'invalid_object']);
    const { unknown, method } = kind();
    if (unknown === undefined) return;
    for (const tag of [OTHER, '*']) {
      for (const [verb, body] of [
        [method, kind().body(1)],
        ['DELETE', undefined],
        ['GET', undefined],
      ] as const) {
        expect((await admin.ask(verb, unknown, body, ifMatch(tag))).status).toBe(404);
      }
    }
  });

  it('tells nothing of its state to whoever may not see it', async () => {
    const { path, get } = await make();
    const etag = etagIn(await get());
    const stranger = await tenantOf(service, 'stranger');
    for (const condition of [ifNoneMatch(etag), ifNoneMatch('*'), ifMatch(OTHER)]) {
      const answer = await stranger.ask('GET', path, undefined, condition);
      expect([401, 404]).toContain(answer.status);
      expect(answer.headers.get('etag')).toBeNull();
    }
    expect([401, 404]).toContain((await stranger.ask('DELETE', path, undefined, ifMatch(OTHER))).status);
  });
});

describe('a blacklist', () => {
  it('has the ETag of its creation and its change with warnings, and when checks exhaust it', async () => {
    const made = await admin.ask('POST', '/v2/blacklists', { pattern: 'warned.example' });
    const path = `/v2/blacklists/${made.json.id}`;
    expect([made.json.warnings.length > 0, etagIn(made)]).toEqual([
      true,
      etagIn(await admin.ask('GET', path)),
    ]);
    const changed = await admin.ask('PATCH', path, { pattern: 'warned.example.org' });
    expect(changed.json.warnings.length).toBeGreaterThan(0);
    await inStoreOf(
      service.dataDir,
      `update blacklists set exhausted_count = 3, exhausted_at = '2026-01-01T00:00:00.000000' where id = '${made.json.id}'`,
    );
    const read = await admin.ask('GET', path);
    expect([read.json.exhausted.count, etagIn(read)]).toEqual([3, etagIn(changed)]);
  });

  it('that has changed is said to have before that another one has its pattern', async () => {
    await admin.ask('POST', '/v2/blacklists', { pattern: 'taken' });
    const { json } = await admin.ask('POST', '/v2/blacklists', { pattern: 'free' });
    const change = (tag: string) =>
      admin.ask('PATCH', `/v2/blacklists/${json.id}`, { pattern: 'taken' }, ifMatch(tag));
    expect(typeOf(await change(OTHER))).toEqual(FAILED);
    expect(typeOf(await change('*'))).toEqual([409, 'duplicate_blacklist']);
  });
});

describe('a zone', () => {
  it('has another ETag once it is shared, and when the share ends', async () => {
    const zone = await shop.makeZone();
    const path = `/v2/zones/${zone.id}`;
    const tag = async () => etagIn(await shop.ask('GET', path));
    const before = await tag();
    const share = await shop.ask('POST', `${path}/shares`, { target_project_id: 'guest' });
    expect(await tag()).not.toBe(before);
    expect(typeOf(await shop.ask('PATCH', path, { ttl: 60 }, ifMatch(before)))).toEqual(FAILED);
    await shop.ask('DELETE', `${path}/shares/${share.json.id}`);
    expect(await tag()).toBe(before);
  });

  it('that has changed is said to have before its rules are asked', async () => {
    const parent = await shop.makeZone('parent.example.');
    await shop.makeZone('child.parent.example.');
    const remove = (tag: string) => shop.ask('DELETE', `/v2/zones/${parent.id}`, undefined, ifMatch(tag));
    expect(typeOf(await remove(OTHER))).toEqual(FAILED);
    expect(typeOf(await remove('*'))).toEqual([400, 'zone_has_sub_zone']);
    const turn = (tag: string) =>
      shop.ask('PATCH', `/v2/zones/${parent.id}`, { masters: ['192.0.2.1'] }, ifMatch(tag));
    expect(typeOf(await turn(OTHER))).toEqual(FAILED);
    expect(typeOf(await turn('*'))).toEqual([400, 'invalid_object']);
  });
});

describe('a recordset', () => {
  it('that has changed is said to have before its rules are asked', async () => {
    const zone = await shop.makeZone();
    const { json: a } = await shop.create(zone, { name: zone.name, type: 'A', records: ['192.0.2.1'] });
    const many = Array.from({ length: 30 }, (_, last) => `192.0.2.${last}`);
    const path = `/v2/zones/${zone.id}/recordsets/${a.id}`;
    for (const [records, refusal] of [
      [many, [413, 'over_quota']],
      [['no address'], [400, 'invalid_object']],
    ] as const) {
      expect(typeOf(await shop.ask('PUT', path, { records }, ifMatch(OTHER)))).toEqual(FAILED);
      expect(typeOf(await shop.ask('PUT', path, { records }, ifMatch('*')))).toEqual(refusal);
    }
  });

  it('that the service manages is said to be another one first, too', async () => {
    const zone = await shop.makeZone();
    const { recordsets } = (await shop.ask('GET', `/v2/zones/${zone.id}/recordsets?type=NS`)).json;
    const path = `/v2/zones/${zone.id}/recordsets/${recordsets[0].id}`;
    expect(etagIn(await shop.ask('GET', path))).toMatch(STRONG);
    const put = (tag: string) => shop.ask('PUT', path, { ttl: 60 }, ifMatch(tag));
    expect(typeOf(await put(OTHER))).toEqual(FAILED);
    expect(typeOf(await put('*'))).toEqual([400, 'bad_request']);
  });

  it('of a secondary zone has its ETag, and another one when the zone has', async () => {
    const body = { name: 'secondary.example.', type: 'SECONDARY', masters: ['192.0.2.1'] };
    const { json } = await shop.ask('POST', '/v2/zones', body);
    const { recordsets } = (await shop.ask('GET', `/v2/zones/${json.id}/recordsets`)).json;
    const path = `/v2/zones/${json.id}/recordsets/${recordsets[0].id}`;
    expect(etagIn(await shop.ask('GET', path))).toMatch(STRONG);
    expect(typeOf(await shop.ask('PUT', path, { ttl: 60 }, ifMatch(OTHER)))).toEqual(FAILED);
    const tag = etagIn(await shop.ask('GET', `/v2/zones/${json.id}`));
    const masters = await shop.ask('PATCH', `/v2/zones/${json.id}`, { masters: ['192.0.2.2'] }, ifMatch(tag));
    expect([masters.status, masters.json.masters]).toEqual([202, ['192.0.2.2']]);
    expect(etagIn(await shop.ask('GET', `/v2/zones/${json.id}`))).not.toBe(tag);
  });
});

describe('quotas', () => {
  it('have an ETag before they are set, which they have again once they are reset', async () => {
    const path = '/v2/quotas/never-set';
    const tag = async () => etagIn(await admin.ask('GET', path));
    const before = await tag();
    const set = await admin.ask('PATCH', path, { zones: 77 }, ifMatch(before));
    expect([set.status, etagIn(set)]).toEqual([200, await tag()]);
    expect(typeOf(await admin.ask('PATCH', path, { zones: 78 }, ifMatch(before)))).toEqual(FAILED);
    expect((await admin.ask('DELETE', path, undefined, ifMatch(await tag()))).status).toBe(204);
    expect(await tag()).toBe(before);
  });

  it('of the own project have the same ETag by either path', async () => {
    const own = await shop.ask('GET', '/v2/quotas');
    expect(etagIn(own)).toMatch(STRONG);
    expect(etagIn(await shop.ask('GET', '/v2/quotas/shop'))).toBe(etagIn(own));
    expect((await shop.ask('GET', '/v2/quotas', undefined, ifNoneMatch(etagIn(own)))).status).toBe(304);
  });

  it('have none in v1, where conditions mean nothing', async () => {
    const path = '/v1/quotas/by-v1';
    for (const condition of [ifMatch(OTHER), ifMatch('malformed'), ifNoneMatch('*')]) {
      for (const [method, body, status] of [
        ['GET', undefined, 201],
        ['PUT', { domains: 5 }, 200],
        ['DELETE', undefined, 200],
      ] as const) {
        const answer = await admin.ask(method, path, body, condition);
        expect([method, answer.status, answer.headers.get('etag')]).toEqual([method, status, null]);
      }
    }
  });
});

describe('what is no single resource of these', () => {
  it.each([
    '/v2/zones',
    '/v2/blacklists',
    '/v2/recordsets',
    '/v2/limits',
    '/v2/quotas/shop/usage',
    '/v2/pools/794ccc2c-d751-44fe-b57f-8894c9f5c842',
  ])('has no ETag, and conditions mean nothing to it: %s', async (path) => {
    for (const condition of [{}, ifNoneMatch('*'), ifMatch(OTHER), ifMatch('malformed')]) {
      const answer = await admin.ask('GET', path, undefined, condition);
      expect([answer.status, answer.headers.get('etag')]).toEqual([200, null]);
    }
  });

  it('is created whatever its conditions are', async () => {
    const body = { name: 'unconditional.example.', email: 'host@example.org' };
    for (const condition of [ifMatch(OTHER), ifMatch('malformed'), ifNoneMatch('*')]) {
      expect([202, 409]).toContain((await shop.ask('POST', '/v2/zones', body, condition)).status);
    }
  });
});

describe('a create that is repeated under its Idempotency-Key', () => {
  const withKey = (key: string) => ({ 'idempotency-key': key });

  it.each(['zone', 'blacklist'] as const)(
    'is answered with the ETag of the first answer: %s',
    async (name) => {
      const [path, body, who, change] =
        name === 'zone'
          ? (['/v2/zones', { name: 'once.example.', email: 'host@example.org' }, shop, { ttl: 60 }] as const)
          : (['/v2/blacklists', { pattern: 'once' }, admin, { description: 'x' }] as const);
      const first = await who.ask('POST', path, body, withKey(`of a ${name}`));
      await who.ask('PATCH', `${path}/${first.json.id}`, change);
      const again = await who.ask('POST', path, body, withKey(`of a ${name}`));
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect([again.text, etagIn(again)]).toEqual([first.text, etagIn(first)]);
    },
  );

  it('is answered with that of what it shows, if the answer is made again', async () => {
    const description = '🌍'.repeat(1024);
    const body = { name: 'large.example.', email: 'host@example.org', description };
    const ask = () => shop.ask('POST', '/v2/zones', body, withKey('large'));
    const first = await ask();
    const again = await ask();
    expect([again.headers.get('idempotency-replayed'), etagIn(again)]).toEqual(['true', etagIn(first)]);
    await shop.ask('PATCH', `/v2/zones/${first.json.id}`, { ttl: 60 });
    const later = await ask();
    expect([later.json.ttl, etagIn(later)]).toEqual([60, expect.stringMatching(STRONG)]);
    expect(etagIn(later)).not.toBe(etagIn(first));
  });
});
