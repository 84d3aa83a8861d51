/** Lists: pages, order, filters, links and counts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: an entry as it came over the wire
type Entry = any;

let service: TestService;
let reader: string;
const zones: Entry[] = [];
const blacklists: Entry[] = [];

const TEXTS = ['a%b', 'a_b', 'a\\b', 'axb', 'A%B', 'a*b', 'ab', null, 'ä', '\u{1f600}', '\uffff'];

beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' });
  const token = await service.token('tenant', 'member');
  reader = await service.token('tenant', 'reader');
  for (let count = 0; count < 25; count++) {
    const description = TEXTS[count % TEXTS.length];
    const name = `${String.fromCharCode(97 + ((count * 7) % 25))}_${count}.org.`;
    const zone = { name, email: `h${count % 3}@example.org`, ttl: 60 + (count % 4), description };
    zones.push((await service.request('POST', '/v2/zones', { token, body: zone })).json);
    const pattern = `${(description ?? 'none').replace('*', '\\*')}\\.${count}$`.replace('a\\b', 'a\\\\b');
    const body = { pattern, description };
    blacklists.push((await service.request('POST', '/v2/blacklists', { token: service.admin, body })).json);
  }
  for (const place of [3, 4, 11, 20]) {
    await service.request('PATCH', `/v2/zones/${zones[place].id}`, { token, body: {} });
    const path = `/v2/blacklists/${blacklists[place].id}`;
    await service.request('PATCH', path, { token: service.admin, body: {} });
  }
  for (const [list, path] of [
    [zones, '/v2/zones'],
    [blacklists, '/v2/blacklists'],
  ] as const) {
    const tokenOf = path === '/v2/zones' ? reader : service.admin;
    for (const [place, { id }] of list.entries()) {
      list[place] = (await service.request('GET', `${path}/${id}`, { token: tokenOf })).json;
    }
  }
});
afterAll(() => service.remove());

const COLLECTIONS = {
  zones: {
    path: '/v2/zones',
    keys: ['created_at', 'id', 'updated_at', 'name', 'tenant_id', 'serial', 'ttl', 'status'],
  },
  blacklists: { path: '/v2/blacklists', keys: ['created_at', 'updated_at', 'id', 'pattern'] },
} as const;
type Collection = keyof typeof COLLECTIONS;
const BOTH = Object.keys(COLLECTIONS) as Collection[];

const all = (collection: Collection): Entry[] => (collection === 'zones' ? zones : blacklists);
const get = (collection: Collection, query = '', headers: Record<string, string> = {}): Promise<Answer> =>
  service.request('GET', `${COLLECTIONS[collection].path}${query}`, {
    token: collection === 'zones' ? reader : service.admin,
    headers,
  });

/** Every page, from one `links.next` to the following. */
async function follow(collection: Collection, query: string): Promise<Entry[][]> {
  const pages: Entry[][] = [];
  for (let rest: string | undefined = query; rest !== undefined; ) {
    const { json } = await get(collection, rest);
    pages.push(json[collection]);
    expect(pages.length).toBeLessThan(100);
    rest = json.links.next === undefined ? undefined : new URL(json.links.next).search;
  }
  return pages;
}

const ids = (entries: Entry[]): string[] => entries.map(({ id }) => id);

function compareText(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Null first, numbers by size, text by code point, and the id where both are equal. */
function expected(collection: Collection, key: string, direction: string): string[] {
  const field = key === 'tenant_id' ? 'project_id' : key;
  const compare = (one: Entry, other: Entry): number => {
    const [a, b] = [one[field], other[field]];
    if (a === b) return compareText(one.id, other.id);
    if (a === null || b === null) return a === null ? -1 : 1;
    return typeof a === 'number' ? a - b : compareText(a, b);
  };
  const sorted = ids([...all(collection)].sort(compare));
  return direction === 'asc' ? sorted : sorted.reverse();
}

const ORDERS = BOTH.flatMap((collection) =>
  COLLECTIONS[collection].keys.flatMap((key) =>
    ['asc', 'desc'].map((direction) => ({ collection, key, direction })),
  ),
);

describe('the order', () => {
  it.each(BOTH)('of %s is that of creation unless the request says otherwise', async (collection) => {
    expect((await get(collection, '?limit=max')).json[collection]).toEqual(all(collection));
  });

  it.each(ORDERS)('of $collection by $key, $direction, holds over pages, each entry once', async (order) => {
    const { collection, key, direction } = order;
    for (const limit of [1, 4, 25]) {
      const pages = await follow(collection, `?sort_key=${key}&sort_dir=${direction}&limit=${limit}`);
      expect(ids(pages.flat())).toEqual(expected(collection, key, direction));
      expect(pages.map(({ length }) => length)).toEqual([
        ...Array<number>(Math.floor(25 / limit)).fill(limit),
        ...(25 % limit ? [25 % limit] : []),
      ]);
    }
  });

  it('of patterns compares the whole text, however long', async () => {
    const start = 'z'.repeat(300);
    const made: string[] = [];
    for (const end of ['c', 'a', '\u{1f600}', 'b', '\uffff']) {
      const answer = await service.request('POST', '/v2/blacklists', {
        token: service.admin,
        body: { pattern: `${start}${end}` },
      });
      made.push(answer.json.id);
    }
    const pages = await follow('blacklists', `?sort_key=pattern&limit=2&pattern=${start.slice(0, 250)}*`);
    expect(pages.flat().map(({ pattern }) => pattern.slice(300))).toEqual([
      'a',
      'b',
      'c',
      '\uffff',
      '\u{1f600}',
    ]);
    for (const id of made) await service.request('DELETE', `/v2/blacklists/${id}`, { token: service.admin });
  });

  it.each(BOTH)('of %s is refused by an unknown key or direction', async (collection) => {
    for (const key of ['colour', '', 'description', 'CREATED_AT', 'pattern_start', 'rowid']) {
      expect((await get(collection, `?sort_key=${key}`)).json).toMatchObject({
        code: 400,
        type: 'invalid_sort_key',
      });
    }
    for (const direction of ['up', '', 'ASC', 'asc,desc']) {
      const answer = await get(collection, `?sort_dir=${direction}`);
      expect(answer.json).toMatchObject({ code: 400, type: 'invalid_sort_dir' });
    }
  });
});

describe('a page', () => {
  it('of zones holds 20 entries unless the request says otherwise', async () => {
    const { json } = await get('zones');
    expect(ids(json.zones)).toEqual(ids(zones.slice(0, 20)));
    expect(json.links).toEqual({
      self: `${service.url}/v2/zones`,
      next: `${service.url}/v2/zones?limit=20&marker=${zones[19].id}`,
    });
  });

  it('of blacklists is asked for by limit or marker; without them there are all', async () => {
    const whole = await get('blacklists', '?sort_dir=desc');
    expect(ids(whole.json.blacklists)).toEqual(ids(blacklists).reverse());
    expect(whole.json.links).toEqual({ self: `${service.url}/v2/blacklists?sort_dir=desc` });
    const marked = await get('blacklists', `?marker=${blacklists[2].id}`);
    expect(ids(marked.json.blacklists)).toEqual(ids(blacklists.slice(3, 23)));
    expect(marked.json.links.next).toBe(`${service.url}/v2/blacklists?marker=${blacklists[22].id}&limit=20`);
  });

  it.each(BOTH)('of %s keeps order and filters in its next link', async (collection) => {
    const { path } = COLLECTIONS[collection];
    const query = '?description=*&sort_key=created_at&limit=3&sort_dir=desc';
    const { json } = await get(collection, query);
    expect(json.links.self).toBe(`${service.url}${path}${query}`);
    const next = new URL(json.links.next);
    expect(Object.fromEntries(next.searchParams)).toEqual({
      description: '*',
      sort_key: 'created_at',
      limit: '3',
      sort_dir: 'desc',
      marker: json[collection][2].id,
    });
  });

  it.each(BOTH)('of %s has a next link exactly when there is a next page', async (collection) => {
    const count = all(collection).length;
    for (const limit of ['24', '1'])
      expect((await get(collection, `?limit=${limit}`)).json.links.next).toBeDefined();
    for (const limit of [String(count), '26', '1000', '1001', 'max', '9'.repeat(400)]) {
      const { json } = await get(collection, `?limit=${limit}`);
      expect([limit, json[collection].length, json.links.next]).toEqual([limit, count, undefined]);
    }
    const last = all(collection)[count - 1].id;
    const { json } = await get(collection, `?marker=${last}`);
    expect([json[collection], json.links.next]).toEqual([[], undefined]);
  });

  it.each(BOTH)('of %s is refused with a limit that is no whole number from 1 up', async (collection) => {
    for (const limit of ['0', '-1', '1.5', 'x', '', '+5', '1e3', '0x10', 'MAX', '00', '%D9%A3', '5%00']) {
      expect((await get(collection, `?limit=${limit}`)).json).toMatchObject({
        code: 400,
        type: 'invalid_limit',
      });
    }
  });

  it.each(BOTH)('of %s is refused with a marker that is none, or is not there', async (collection) => {
    for (const marker of ['x', '', '5', `${all(collection)[0].id}x`]) {
      const answer = await get(collection, `?marker=${marker}`);
      expect(answer.json).toMatchObject({ code: 400, type: 'invalid_marker' });
    }
    const unknown = await get(collection, '?marker=7d4dbb1f-9f40-4c2a-8f52-9d9e6cf3a001');
    expect(unknown.json).toMatchObject({ code: 400, type: 'marker_not_found' });
    const upper = await get(collection, `?limit=1&marker=${all(collection)[0].id.toUpperCase()}`);
    expect(ids(upper.json[collection])).toEqual([all(collection)[1].id]);
  });

  it("is not continued from another project's zone", async () => {
    const token = await service.token('stranger', 'reader');
    const answer = await service.request('GET', `/v2/zones?marker=${zones[0].id}`, { token });
    expect(answer.json).toMatchObject({ code: 400, type: 'marker_not_found' });
  });

  it('continues where it was when entries before it are gone', async () => {
    const made: Entry[] = [];
    for (const end of [1, 2, 3, 4, 5]) {
      const body = { pattern: `gone-before-${end}` };
      made.push((await service.request('POST', '/v2/blacklists', { token: service.admin, body })).json);
    }
    const remove = ({ id }: Entry) =>
      service.request('DELETE', `/v2/blacklists/${id}`, { token: service.admin });
    const first = await get('blacklists', '?pattern=gone-before-*&limit=2');
    await remove(made[0]);
    const second = await get('blacklists', new URL(first.json.links.next).search);
    expect(ids(second.json.blacklists)).toEqual(ids(made.slice(2, 4)));
    await Promise.all(made.slice(1).map(remove));
  });
});

describe('a filter', () => {
  const described = async (collection: Collection, text: string) =>
    (await get(collection, `?limit=max&description=${encodeURIComponent(text)}`)).json[collection].map(
      ({ description }: Entry) => description,
    );
  const matching = (collection: Collection, like: RegExp) =>
    all(collection)
      .map(({ description }) => description)
      .filter((description) => description !== null && like.test(description));

  const FILTERS: readonly [string, RegExp][] = [
    ['a%b', /^a%b$/],
    ['a_b', /^a_b$/],
    ['a\\b', /^a\\b$/],
    ['A%B', /^A%B$/],
    ['a%*', /^a%/],
    ['a_*', /^a_/],
    ['*\\*', /\\/],
    ['*', /^/],
    ['**', /^/],
    ['a*b', /^a.*b$/],
    ['A*', /^A/],
    ['*b', /b$/],
    ['\u{1f600}', /^\u{1f600}$/u],
    ['a', /^a$/],
    ["' or 1=1 --", /^$/],
    ['!ab', /^!ab$/],
    ['>a', /^>a$/],
    ['BETWEEN a,b', /^BETWEEN a,b$/],
  ];
  it.each(FILTERS)('takes * for any text and everything else for itself: %s', async (text, like) => {
    for (const collection of BOTH) {
      expect(await described(collection, text)).toEqual(matching(collection, like));
      const whole = await service.request('GET', `/v2/blacklists?description=${encodeURIComponent(text)}`, {
        token: service.admin,
      });
      expect(whole.json.blacklists).toHaveLength(matching('blacklists', like).length);
    }
  });

  it('on a pattern finds exactly that text', async () => {
    for (const { pattern, id } of blacklists.slice(0, 11)) {
      const { json } = await get('blacklists', `?pattern=${encodeURIComponent(pattern)}`);
      expect(ids(json.blacklists)).toContain(id);
      if (!pattern.includes('*')) expect(ids(json.blacklists)).toEqual([id]);
    }
  });

  it('on a name brings it to canonical form first', async () => {
    const token = await service.token('unicode', 'member');
    const body = { name: 'Bücher.Example.', email: 'a@example.org' };
    const { id } = (await service.request('POST', '/v2/zones', { token, body })).json;
    for (const name of [
      'xn--bcher-kva.example.',
      'BÜCHER.example.',
      'XN--BCHER-KVA.EXAMPLE.',
      'Bücher.*',
      '*.EXAMPLE.',
    ]) {
      const answer = await service.request('GET', `/v2/zones?name=${encodeURIComponent(name)}`, { token });
      expect([name, ids(answer.json.zones)]).toEqual([name, [id]]);
    }
  });

  it.each([
    ['ttl=61', (zone: Entry) => zone.ttl === 61],
    ['ttl=6*', () => true],
    ['email=h1@example.org', (zone: Entry) => zone.email === 'h1@example.org'],
    ['email=h1@*&ttl=62', (zone: Entry) => zone.email === 'h1@example.org' && zone.ttl === 62],
    ['status=ACTIVE', () => true],
    ['status=PENDING', () => false],
    ['type=PRIMARY', () => true],
    ['type=SECONDARY', () => false],
    ['name=*_1*', (zone: Entry) => zone.name.includes('_1')],
  ] as const)('on zones may name any of their fields, and is counted: %s', async (query, test) => {
    const { json } = await get('zones', `?limit=3&${query}`);
    const found = zones.filter(test);
    expect(ids(json.zones)).toEqual(ids(found.slice(0, 3)));
    expect(json.metadata).toEqual({ total_count: found.length });
  });

  it.each(BOTH)('that %s do not know is refused, and so is one given twice', async (collection) => {
    for (const query of [
      'colour=red',
      'Pattern=x',
      'project_id=x',
      '=x',
      'id=x',
      '__proto__=x',
      'constructor=x',
    ]) {
      expect((await get(collection, `?${query}`)).json).toMatchObject({ code: 400, type: 'bad_request' });
    }
    for (const query of ['description=a&description=b', 'limit=5&limit=5']) {
      expect((await get(collection, `?${query}`)).json).toMatchObject({ code: 400, type: 'bad_request' });
    }
    expect((await get(collection, '?description=%00')).json).toMatchObject({
      code: 400,
      type: 'bad_request',
    });
  });
});

describe('total_count', () => {
  it('is how many zones match, on every page', async () => {
    for (const query of ['', '?limit=2', `?limit=2&marker=${zones[5].id}`]) {
      expect((await get('zones', query)).json.metadata).toEqual({ total_count: 25 });
    }
  });

  it.each(['true', 'True', 'TRUE'])(
    'is left out at the request of OpenStack-DNS-Hide-Counts: %s',
    async (value) => {
      const { json } = await get('zones', '', { 'OpenStack-DNS-Hide-Counts': value });
      expect(json.metadata).toEqual({});
      expect(json.zones).toHaveLength(20);
    },
  );

  it('stays with any other value of that header', async () => {
    const { json } = await get('zones', '', { 'OpenStack-DNS-Hide-Counts': 'false' });
    expect(json.metadata).toEqual({ total_count: 25 });
  });
});

describe('links', () => {
  it('ignore a trailing slash', async () => {
    for (const path of ['/v2/blacklists/', `/v2/blacklists/${blacklists[0].id}/`]) {
      const slashed = await service.request('GET', path, { token: service.admin });
      expect(slashed.status).toBe(200);
      expect(slashed.json.links.self).toBe(`${service.url}${path.slice(0, -1)}`);
    }
    const page = await get('zones', '/?limit=1');
    expect(page.json.links.self).toBe(`${service.url}/v2/zones?limit=1`);
  });

  it('begin with public_url where an operator gives one', async () => {
    const proxied = await startTestService({
      ZONEWARDEN_SERVICE_API__PUBLIC_URL: 'https://dns.example.org/api',
    });
    const answer = await proxied.request('POST', '/v2/blacklists', {
      token: proxied.admin,
      body: { pattern: 'x' },
    });
    expect(answer.json.links.self).toBe(`https://dns.example.org/api/v2/blacklists/${answer.json.id}`);
    expect(answer.headers.get('location')).toBe(answer.json.links.self);
    const list = await proxied.request('GET', '/v2/blacklists?limit=5', { token: proxied.admin });
    expect(list.json.links.self).toBe('https://dns.example.org/api/v2/blacklists?limit=5');
    const versions = await proxied.request('GET', '/');
    expect(versions.json.versions[0].links).toEqual([
      { href: 'https://dns.example.org/api/v2', rel: 'self' },
    ]);
    await proxied.remove();
  });
});

describe('a filter with wildcards', () => {
  it.each([
    ['/v2/zones?description=', 'reader'],
    ['/v2/recordsets?data=', 'reader'],
    ['/v2/blacklists?pattern=', 'admin'],
  ])('of %s is bounded in length and in wildcards, and one without is not', async (path, who) => {
    const token = who === 'admin' ? service.admin : reader;
    const verdict = async (text: string) => {
      const { status, json } = await service.request('GET', `${path}${encodeURIComponent(text)}`, { token });
      return [status, json.type];
    };
    expect(await verdict(`*${'a'.repeat(254)}`)).toEqual([200, undefined]);
    expect(await verdict(`*${'a'.repeat(255)}`)).toEqual([400, 'bad_request']);
    expect(await verdict('a*'.repeat(8))).toEqual([200, undefined]);
    expect(await verdict('a*'.repeat(9))).toEqual([400, 'bad_request']);
    // A run of them means the same as one.
    expect(await verdict('*'.repeat(200))).toEqual([200, undefined]);
    expect(await verdict('a'.repeat(4096))).toEqual([200, undefined]);
  });
});
