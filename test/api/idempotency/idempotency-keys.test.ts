import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { earlier, systemClock } from '../../../src/model/clock.ts';
import { storedKey } from '../../../src/model/idempotency/idempotency-key.ts';
import type { Store } from '../../../src/model/store.ts';
import { openStore } from '../../../src/storage/open.ts';
import { memberContext } from '../../support/contexts.ts';
import { eventually } from '../../support/eventually.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';
import { storeSettings } from '../../support/store.ts';
import { type Tenant, tenantOf } from '../../support/tenant.ts';
import { rawRequest, sendRaw } from '../../support/wire.ts';
import { holdWriteLock } from '../../support/write-lock.ts';

const DAY_MS = 24 * 3_600_000;
const EXPORTS = '/v2/zones/tasks/exports';

let service: TestService;
let shop: Tenant;
/** Of another user of the same project. */
let shopToken: string;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '1000' });
  shop = await tenantOf(service, 'shop');
  shopToken = await service.token('shop', 'member');
});
afterAll(() => service.remove());

let made = 0;
const newKey = (): string => `key ${++made}`;
const newName = (): string => `name-${++made}.example.org.`;
const withKey = (key: string) => ({ 'idempotency-key': key });
const zone = (name = newName()) => ({ name, email: 'hostmaster@example.org' });

/** How many exports of a zone there are: each request makes another one. */
async function exportsOf(zoneId: string): Promise<number> {
  const { json } = await shop.ask('GET', `${EXPORTS}?zone_id=${zoneId}`);
  return json.exports.length;
}

function refusal({ status, json }: Answer) {
  return { status, type: json.type };
}

async function inStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(storeSettings(service.dataDir));
  return work(store).finally(() => store.close());
}

interface Case {
  readonly route: string;
  /** The request, which can be sent once only, or makes another thing each time. */
  prepare(): Promise<{
    readonly path: string;
    readonly body?: unknown;
    readonly headers?: Record<string, string>;
    readonly token?: string;
  }>;
  /** A list that has one more entry for each create. */
  readonly list: string;
}

const CASES: readonly Case[] = [
  {
    route: 'POST /v2/zones',
    prepare: async () => ({ path: '/v2/zones', body: zone() }),
    list: '/v2/zones',
  },
  {
    route: 'POST /v2/zones/<id>/recordsets',
    async prepare() {
      const { id, name } = await shop.makeZone();
      return { path: `/v2/zones/${id}/recordsets`, body: { name, type: 'TXT', records: ['"a"'] } };
    },
    list: '/v2/recordsets',
  },
  {
    route: 'POST /v2/blacklists',
    prepare: async () => ({
      path: '/v2/blacklists',
      body: { pattern: `^${newName()}$` },
      token: service.admin,
    }),
    list: '/v2/blacklists',
  },
  {
    route: 'POST /v2/zones/tasks/imports',
    prepare: async () => ({
      path: '/v2/zones/tasks/imports',
      body: `$ORIGIN ${newName()}\n@ 300 IN SOA ns admin 1 3600 600 86400 300\nwww 300 IN A 192.0.2.1\n`,
      headers: { 'content-type': 'text/dns' },
    }),
    list: '/v2/zones/tasks/imports',
  },
  {
    route: 'POST /v2/zones/<id>/tasks/export',
    prepare: async () => ({ path: `/v2/zones/${(await shop.makeZone()).id}/tasks/export` }),
    list: EXPORTS,
  },
  {
    route: 'POST /v2/zones/<id>/tasks/transfer_requests',
    prepare: async () => ({ path: `/v2/zones/${(await shop.makeZone()).id}/tasks/transfer_requests` }),
    list: '/v2/zones/tasks/transfer_requests',
  },
  {
    route: 'POST /v2/zones/tasks/transfer_accepts',
    async prepare() {
      const seller = await tenantOf(service, 'seller');
      const { id } = await seller.makeZone();
      const offer = await seller.ask('POST', `/v2/zones/${id}/tasks/transfer_requests`);
      const body = { zone_transfer_request_id: offer.json.id, key: offer.json.key };
      return { path: '/v2/zones/tasks/transfer_accepts', body };
    },
    list: '/v2/zones',
  },
];

describe.each(CASES)('$route', ({ prepare, list }) => {
  it('gives the first answer again, to the byte, and creates nothing', async () => {
    const { path, body, headers, token } = await prepare();
    const ask = (method: string, to: string, request = {}) =>
      service.request(method, to, { token: token ?? shopToken, ...request });
    const total = async () =>
      Object.values((await ask('GET', `${list}?limit=max`)).json as object).find(Array.isArray)!.length;
    const before = await total();
    const key = newKey();
    const send = () => ask('POST', path, { body, headers: { ...headers, ...withKey(key) } });
    const first = await send();
    expect([201, 202]).toContain(first.status);
    expect(first.headers.has('idempotency-replayed')).toBe(false);
    for (let retry = 0; retry < 2; retry++) {
      const again = await send();
      expect(again.status).toBe(first.status);
      expect(again.text).toBe(first.text);
      for (const name of ['location', 'content-type', 'content-length']) {
        expect(again.headers.get(name)).toBe(first.headers.get(name));
      }
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      const id = 'x-openstack-request-id';
      expect(again.headers.get(id)).not.toBe(first.headers.get(id));
    }
    expect(await total()).toBe(before + 1);
    const other = await ask('POST', path, { body, headers: { ...headers, ...withKey(newKey()) } });
    expect(other.headers.has('idempotency-replayed')).toBe(false);
    expect(other.text).not.toBe(first.text);
  });
});

describe('a key that was used', () => {
  it('is refused with another body, and nothing is created', async () => {
    const key = newKey();
    const body = JSON.stringify(zone());
    expect((await shop.ask('POST', '/v2/zones', body, withKey(key))).status).toBe(202);
    const { total_count: before } = (await shop.ask('GET', '/v2/zones')).json.metadata;
    // The bytes count, not what they mean; nor need they mean anything.
    for (const other of [zone(), `${body} `, '{']) {
      const again = await shop.ask('POST', '/v2/zones', other, withKey(key));
      expect(refusal(again)).toEqual({ status: 422, type: 'idempotency_key_reused' });
    }
    expect((await shop.ask('GET', '/v2/zones')).json.metadata.total_count).toBe(before);
  });

  it('is another one for another user, project or path', async () => {
    const { id } = await shop.makeZone();
    const { id: second } = await shop.makeZone();
    const key = newKey();
    const send = (zoneId: string, token: string, headers = {}) =>
      service.request('POST', `/v2/zones/${zoneId}/tasks/export`, {
        token,
        headers: { ...withKey(key), ...headers },
      });
    const answers = [
      await send(id, shopToken),
      await send(id, await service.token('shop', 'member')),
      await send(second, shopToken),
      await send(id, service.admin, { 'x-auth-sudo-project-id': 'shop' }),
    ];
    for (const { status, headers } of answers) {
      expect(status).toBe(202);
      expect(headers.has('idempotency-replayed')).toBe(false);
    }
    expect(await exportsOf(id)).toBe(3);
    // The administrator's own project has no such zone, and no answer about it either.
    expect(refusal(await send(id, service.admin))).toEqual({ status: 404, type: 'zone_not_found' });
  });

  it('is the same one however the path is spelt', async () => {
    const { id } = await shop.makeZone();
    const key = newKey();
    const spellings = [`${id}/tasks/export`, `${id}/tasks/export/`, `${id.toUpperCase()}/tasks/export?x=y`];
    const texts = [];
    for (const path of spellings) {
      texts.push((await shop.ask('POST', `/v2/zones/${path}`, undefined, withKey(key))).text);
    }
    expect(new Set(texts).size).toBe(1);
    expect(await exportsOf(id)).toBe(1);
  });

  it('gives its answer although the zone is gone, its name blacklisted and the quota used up', async () => {
    const tenant = await tenantOf(service, 'later');
    const key = newKey();
    const body = zone();
    const first = await tenant.ask('POST', '/v2/zones', body, withKey(key));
    expect((await tenant.ask('DELETE', `/v2/zones/${first.json.id}`)).status).toBe(202);
    const pattern = { pattern: `^${body.name.replaceAll('.', '\\.')}$` };
    await service.request('POST', '/v2/blacklists', { token: service.admin, body: pattern });
    await service.request('PATCH', '/v2/quotas/later', { token: service.admin, body: { zones: 0 } });
    const again = await tenant.ask('POST', '/v2/zones', body, withKey(key));
    expect([again.status, again.text]).toEqual([202, first.text]);
    expect((await tenant.ask('GET', '/v2/zones')).json.zones).toEqual([]);
  });

  it('gives nothing to who has no access any more', async () => {
    const token = await service.token('shop', 'member');
    const request = { token, body: zone(), headers: withKey(newKey()) };
    expect((await service.request('POST', '/v2/zones', request)).status).toBe(202);
    await service.revoke(token);
    expect((await service.request('POST', '/v2/zones', request)).status).toBe(401);
  });

  it('is known after a restart', async () => {
    const key = newKey();
    const body = zone();
    const first = await shop.ask('POST', '/v2/zones', body, withKey(key));
    await service.restart();
    expect((await shop.ask('POST', '/v2/zones', body, withKey(key))).text).toBe(first.text);
  });

  it('keeps what the first answer said of a blacklist that was passed by', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'zonewarden-policy-'));
    const file = join(folder, 'policy.yaml');
    writeFileSync(file, 'use_blacklisted_zone: "role:admin"\n');
    await service.restart({ ZONEWARDEN_OSLO_POLICY__POLICY_FILE: file });
    const { name, email } = zone();
    const pattern = { pattern: name.replaceAll('.', '\\.') };
    const blacklist = await service.request('POST', '/v2/blacklists', {
      token: service.admin,
      body: pattern,
    });
    const request = { token: service.admin, body: { name, email }, headers: withKey(newKey()) };
    for (let time = 0; time < 2; time++) {
      const { status, headers } = await service.request('POST', '/v2/zones', request);
      expect([status, headers.get('x-zonewarden-blacklist-bypassed')]).toEqual([202, blacklist.json.id]);
    }
    await service.restart();
    rmSync(folder, { recursive: true });
  });
});

describe('a refusal', () => {
  it('is not kept: the same request may succeed later', async () => {
    const tenant = await tenantOf(service, 'poor');
    const limit = (zones: number) =>
      service.request('PATCH', '/v2/quotas/poor', { token: service.admin, body: { zones } });
    await limit(0);
    const key = newKey();
    const body = zone();
    expect((await tenant.ask('POST', '/v2/zones', body, withKey(key))).status).toBe(413);
    await limit(1);
    const created = await tenant.ask('POST', '/v2/zones', body, withKey(key));
    expect(created.status).toBe(202);
    expect((await tenant.ask('POST', '/v2/zones', body, withKey(key))).text).toBe(created.text);
  });

  it.each([
    ['before the body is read', '{', 400],
    ['for its body', { name: 'x' }, 400],
    ['for a duplicate', zone('taken.example.org.'), 409],
  ])('%s leaves the key free for another body', async (_, body, status) => {
    await shop.ask('POST', '/v2/zones', zone('taken.example.org.'));
    const key = newKey();
    expect((await shop.ask('POST', '/v2/zones', body, withKey(key))).status).toBe(status);
    expect((await shop.ask('POST', '/v2/zones', zone(), withKey(key))).status).toBe(202);
  });

  it('of a duplicate pattern leaves the key free', async () => {
    const body = { pattern: `^${newName()}` };
    const create = (pattern: object, key: string) =>
      service.request('POST', '/v2/blacklists', {
        token: service.admin,
        body: pattern,
        headers: withKey(key),
      });
    expect((await create(body, newKey())).status).toBe(201);
    const key = newKey();
    expect((await create(body, key)).status).toBe(409);
    expect((await create({ pattern: `^${newName()}` }, key)).status).toBe(201);
  });

  it('of a wrong transfer key is counted, and leaves the idempotency key free', async () => {
    const seller = await tenantOf(service, 'seller');
    const { id } = await seller.makeZone();
    const offer = (await seller.ask('POST', `/v2/zones/${id}/tasks/transfer_requests`)).json;
    const key = newKey();
    const accept = (guess: string) => {
      const body = { zone_transfer_request_id: offer.id, key: guess };
      return shop.ask('POST', '/v2/zones/tasks/transfer_accepts', body, withKey(key));
    };
    expect((await accept('wrong')).json.message).toContain('After 9 more');
    expect((await accept('wrong')).json.message).toContain('After 8 more');
    expect((await accept(offer.key)).status).toBe(201);
    expect(refusal(await accept('wrong'))).toEqual({ status: 422, type: 'idempotency_key_reused' });
  });
});

describe('while a request with a key is running', () => {
  it('a second one is answered 409 at once, with Retry-After; later it is given the answer of the first', async () => {
    const lock = await holdWriteLock(service.dataDir, ['idempotency_keys']);
    const key = newKey();
    const body = zone();
    const send = () => shop.ask('POST', '/v2/zones', body, withKey(key));
    const both = [send(), send()];
    const refused = await Promise.race(both);
    expect(refusal(refused)).toEqual({ status: 409, type: 'idempotency_key_running' });
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    await lock.release();
    const created = (await Promise.all(both)).find(({ status }) => status !== 409)!;
    expect(created.status).toBe(202);
    expect((await send()).text).toBe(created.text);
  });

  it('a client that hangs up is given its answer when it asks again', async () => {
    const lock = await holdWriteLock(service.dataDir, ['idempotency_keys']);
    const key = newKey();
    const { name, email } = zone();
    const hangUp = new AbortController();
    const send = (signal?: AbortSignal) =>
      fetch(`${service.url}/v2/zones`, {
        method: 'POST',
        headers: { 'x-auth-token': shopToken, 'content-type': 'application/json', ...withKey(key) },
        body: JSON.stringify({ name, email }),
        signal: signal ?? null,
      });
    const both = [send(hangUp.signal), send(hangUp.signal)];
    const ends = Promise.allSettled(both);
    // One of them is answered 409, so that the other one has begun.
    expect((await Promise.race(both)).status).toBe(409);
    hangUp.abort();
    await ends;
    await lock.release();
    const answer = await eventually(async () => {
      const again = await send();
      return again.status === 409 ? undefined : again;
    });
    expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([202, 'true']);
    expect((await shop.ask('GET', `/v2/zones?name=${name}`)).json.zones).toHaveLength(1);
  });

  it('requests with other keys, or none, run beside it', async () => {
    const { id } = await shop.makeZone();
    const path = `/v2/zones/${id}/tasks/export`;
    const all = [withKey(newKey()), withKey(newKey()), {}, {}];
    const answers = await Promise.all(all.map((headers) => shop.ask('POST', path, undefined, headers)));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
    expect(await exportsOf(id)).toBe(4);
  });

  it('however many come with one key, one thing is created', async () => {
    const { id } = await shop.makeZone();
    const key = newKey();
    const send = () => shop.ask('POST', `/v2/zones/${id}/tasks/export`, undefined, withKey(key));
    const answers = await Promise.all(Array.from({ length: 40 }, send));
    const created = answers.filter(({ status }) => status === 202);
    expect(new Set(created.map(({ text }) => text)).size).toBe(1);
    for (const answer of answers) expect([202, 409]).toContain(answer.status);
    expect(await exportsOf(id)).toBe(1);
  });
});

describe('an answer', () => {
  /** Makes a kept answer so many milliseconds older. */
  async function age(key: string, path: string, token: string, milliseconds: number): Promise<void> {
    const userId = token.split('_')[1]!;
    const stored = storedKey(memberContext('shop', userId), { method: 'POST', path, key });
    await inStore(async (store) => {
      const found = (await store.idempotencyKeys.find(stored, ''))!;
      const createdAt = earlier(systemClock().now(), milliseconds);
      await store.transaction(async ({ idempotencyKeys }) => {
        const claim = { key: stored, projectId: 'shop', bodyHash: found.bodyHash, createdAt };
        const claimed = await idempotencyKeys.claim(claim, '9');
        idempotencyKeys.keep(claimed!, found.answer);
      });
    });
  }

  it('is kept for 24 hours, and no longer', async () => {
    const { id } = await shop.makeZone();
    const path = `/v2/zones/${id}/tasks/export`;
    const key = newKey();
    const send = (body?: string) =>
      service.request('POST', path, { token: shopToken, headers: withKey(key), body });
    const first = await send();
    await age(key, path, shopToken, DAY_MS - 60_000);
    expect((await send()).text).toBe(first.text);
    await age(key, path, shopToken, DAY_MS);
    const second = await send('another body');
    expect([second.status, second.headers.has('idempotency-replayed')]).toEqual([202, false]);
    expect(second.json.id).not.toBe(first.json.id);
    // The new one has taken its place.
    expect((await send('another body')).text).toBe(second.text);
    expect((await send()).status).toBe(422);
    expect(await exportsOf(id)).toBe(2);
  });

  const keptKeys = () =>
    inStore((store) =>
      store.snapshot(async (reads) => (await reads.answers(undefined)).map(({ key }) => key)),
    );

  /** Keeps answers that are old already. Returns their keys. */
  async function keepOld(count: number): Promise<string[]> {
    const keys = Array.from({ length: count }, () =>
      storedKey(memberContext('', ''), { method: '', path: '', key: newKey() }),
    );
    const createdAt = earlier(systemClock().now(), DAY_MS);
    await inStore((store) =>
      store.transaction(async ({ idempotencyKeys }) => {
        for (const key of keys) {
          const claimed = await idempotencyKeys.claim(
            { key, projectId: 'old', bodyHash: key, createdAt },
            '',
          );
          idempotencyKeys.keep(claimed!, { status: 202, headers: {}, body: '{}', resourceId: '' });
        }
      }),
    );
    return keys;
  }

  it('is kept for a key alone', async () => {
    const before = await keptKeys();
    expect((await shop.ask('POST', '/v2/zones', zone())).status).toBe(202);
    expect(await keptKeys()).toEqual(before);
  });

  it('is removed after that time, at start', async () => {
    const old = await keepOld(20);
    const before = await keptKeys();
    expect(before).toEqual(expect.arrayContaining(old));
    await service.restart();
    expect(await keptKeys()).toEqual(before.filter((key) => !old.includes(key)));
  });

  it('is removed after that time, by those who send keys', async () => {
    const { id } = await shop.makeZone();
    const old = await keepOld(20);
    for (let sent = 0; sent < 64; sent++) {
      await shop.ask('POST', `/v2/zones/${id}/tasks/export`, undefined, withKey(newKey()));
    }
    const kept = await keptKeys();
    for (const key of old) expect(kept).not.toContain(key);
    expect(kept.length).toBeGreaterThanOrEqual(64);
  });
});

describe('a key', () => {
  const printable = Array.from({ length: 0x7f - 0x21 }, (_, code) => String.fromCharCode(code + 0x21)).join(
    '',
  );

  it.each([
    ['one character', 'k'],
    ['255 characters', 'k'.repeat(255)],
    ['every printable character', printable],
    ['spaces', 'a b  c'],
    ['quotes, which belong to it', '"a"'],
  ])('may have %s', async (_, key) => {
    const { id } = await shop.makeZone();
    const send = () => shop.ask('POST', `/v2/zones/${id}/tasks/export`, undefined, withKey(key));
    expect((await send()).status).toBe(202);
    expect((await send()).headers.get('idempotency-replayed')).toBe('true');
    expect(await exportsOf(id)).toBe(1);
  });

  /** A zone is asked for with header lines as they are given. */
  const sendLines = (lines: string, body = JSON.stringify(zone())) => {
    const { host } = new URL(service.url);
    const headers = {
      host,
      'x-auth-token': shopToken,
      'content-type': 'application/json',
      'content-length': String(body.length),
    };
    const request = rawRequest('POST', '/v2/zones', headers, body);
    return sendRaw(service.url, request.replace('\r\n\r\n', `\r\n${lines}\r\n\r\n`));
  };

  it.each([
    ['nothing', 'Idempotency-Key:'],
    ['white space alone', 'Idempotency-Key:   '],
    ['256 characters', `Idempotency-Key: ${'k'.repeat(256)}`],
    ['a tab', 'Idempotency-Key: a\tb'],
    ['what is not ASCII', 'Idempotency-Key: k\u00e9y'],
    ['two of them', 'Idempotency-Key: a\r\nIdempotency-Key: b'],
  ])('may not be %s', async (_, lines) => {
    const { status, body } = await sendLines(lines);
    const { type, message } = JSON.parse(body);
    expect({ status, type }).toEqual({ status: 400, type: 'bad_request' });
    expect(message).toMatch(/^Idempotency-Key: /);
  });

  it('may be sent twice, and with white space around it', async () => {
    const body = JSON.stringify(zone());
    const key = newKey();
    const first = await sendLines(`Idempotency-Key: ${key}`, body);
    const second = await sendLines(`idempotency-key:\t ${key}  \r\nIdempotency-Key: ${key}`, body);
    expect(first.status).toBe(202);
    expect([second.status, second.body]).toEqual([202, first.body]);
  });

  it('is looked at after access, headers, path and size, and before the body', async () => {
    const bad = withKey('');
    const id = '00000000-0000-4000-8000-000000000000';
    const send = async (path: string, body: unknown, headers: Record<string, string>, token = shopToken) =>
      (await service.request('POST', path, { token, body, headers: { ...bad, ...headers } })).json.type;
    expect(await send('/v2/zones', '{', {}, 'zw_no')).toBe('access_denied');
    expect(await send('/v2/zones', '{', { accept: 'text/html' })).toBe('unsupported_accept');
    expect(await send('/v2/zones', '{', { 'content-type': 'text/plain' })).toBe('unsupported_content_type');
    expect(await send('/v2/zones', ' '.repeat(2 ** 21), {})).toBe('request_too_large');
    expect(await send('/v2/zones/x/recordsets', '{', {})).toBe('invalid_uuid');
    expect(await send('/v2/zones', '{', {})).toBe('bad_request');
    expect(await send(`/v2/zones/${id}/recordsets`, '{', {})).toBe('bad_request');
  });

  it('means nothing to other methods', async () => {
    const { id } = await shop.makeZone();
    const headers = withKey('k');
    for (const ttl of [60, 120]) {
      const changed = await shop.ask('PATCH', `/v2/zones/${id}`, { ttl }, headers);
      expect([changed.status, changed.json.ttl]).toEqual([202, ttl]);
    }
    expect((await shop.ask('GET', `/v2/zones/${id}`, undefined, withKey(''))).json.ttl).toBe(120);
    expect((await shop.ask('DELETE', `/v2/zones/${id}`, undefined, withKey(''))).status).toBe(202);
  });
});
