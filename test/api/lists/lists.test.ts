/** What is true of every list, whatever it lists. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everyRoute } from '../../support/routes.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';

const LISTS = everyRoute().flatMap(({ path, list }) => (list === undefined ? [] : [{ path, ...list }]));
/** The filters that take a point in time. */
const TIMES = ['since', 'until'];
const ID = '00000000-0000-4000-8000-000000000000';

let service: TestService;
let zone: string;
let preview: string;
beforeAll(async () => {
  service = await startTestService();
  const body = { name: 'lists.example.', email: 'hostmaster@example.org' };
  zone = (await service.request('POST', '/v2/zones', { token: service.admin, body })).json.id;
  const asked = { token: service.admin, body: { pattern: 'lists' } };
  preview = (await service.request('POST', '/v2/blacklists/previews', asked)).json.id;
});
afterAll(() => service.remove());

describe.each(LISTS)('the list at $path', ({ path, sortKeys, filters, isCounted, isStreamed }) => {
  const at = (query: string): string =>
    `${path.replace('{zone_id}', zone).replace('{preview_id}', preview)}${query}`;
  const ask = (query: string, headers = {}): Promise<Answer> =>
    service.request('GET', at(query), { token: service.admin, headers });

  it('is sorted by each of its keys, both ways, and by no other', async () => {
    for (const key of sortKeys) {
      for (const dir of ['asc', 'desc']) {
        expect([key, (await ask(`?sort_key=${key}&sort_dir=${dir}`)).status]).toEqual([key, 200]);
      }
    }
    const refused = await ask('?sort_key=colour');
    expect([refused.status, refused.json.type]).toEqual([400, 'invalid_sort_key']);
    expect(refused.json.message).toContain(sortKeys.join(', '));
    expect((await ask('?sort_dir=up')).json.type).toBe('invalid_sort_dir');
  });

  it('is filtered by each of its filters, with * for any text, and by no other', async () => {
    for (const filter of filters.filter((one) => !TIMES.includes(one))) {
      for (const text of ['nothing-is-like-this', '*', 'a*b']) {
        expect([filter, (await ask(`?${filter}=${text}`)).status]).toEqual([filter, 200]);
      }
    }
    const refused = await ask('?colour=red');
    expect([refused.status, refused.json.type]).toEqual([400, 'bad_request']);
    expect(refused.json.message).toContain(filters.join(', '));
  });

  it('is filtered by times where it can be, and by nothing that is none', async () => {
    for (const filter of filters.filter((one) => TIMES.includes(one))) {
      for (const time of ['2030-01-31', '2030-01-31T12:00:00Z', '2030-01-31T12:00:00.123456']) {
        expect([filter, (await ask(`?${filter}=${time}`)).status]).toEqual([filter, 200]);
      }
      for (const text of ['*', 'yesterday', '2030-02-30', '']) {
        expect([filter, (await ask(`?${filter}=${text}`)).json.type]).toEqual([filter, 'bad_request']);
      }
    }
  });

  it('comes in pages, each with its links', async () => {
    expect((await ask('?limit=0')).json.type).toBe('invalid_limit');
    expect((await ask('?marker=%20')).json.type).toBe('invalid_marker');
    expect((await ask(`?marker=${path === '/v2/tokens' ? '0123456789abcdef' : ID}`)).json.type).toBe(
      'marker_not_found',
    );
    const { json } = await ask('?limit=1');
    expect(json.links.self).toBe(`${service.url}${at('?limit=1')}`);
    const entries: { id: string }[] = json[Object.keys(json)[0]!];
    expect(entries.length).toBeLessThan(2);
    if (json.links.next !== undefined) {
      expect(json.links.next).toBe(`${service.url}${at(`?limit=1&marker=${entries[0]!.id}`)}`);
    }
  });

  it('tells how many entries there are where it does, unless that is not wanted', async () => {
    const { json } = await ask('');
    expect(Object.keys(json.metadata ?? {})).toEqual(isCounted ? ['total_count'] : []);
    const hidden = (await ask('', { 'openstack-dns-hide-counts': 'True' })).json;
    expect(hidden.metadata).toEqual(isCounted ? {} : undefined);
    if (isStreamed) expect(json.links).toEqual({ self: `${service.url}${at('')}` });
  });
});
