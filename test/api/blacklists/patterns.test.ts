/** What an administrator learns of patterns, and what names that cannot be checked come to. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/;
const DOCUMENTED = ['id', 'pattern', 'description', 'created_at', 'updated_at', 'links'];

let service: TestService;
let member: string;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' });
  member = await service.token('mine', 'member');
});
afterAll(() => service.remove());

const admin = (method: string, path: string, body?: object): Promise<Answer> =>
  service.request(method, path, { token: service.admin, ...(body === undefined ? {} : { body }) });
const create = (name: string): Promise<Answer> =>
  service.request('POST', '/v2/zones', { token: member, body: { name, email: 'a@example.org' } });

async function blacklist(pattern: string): Promise<Answer['json']> {
  const answer = await admin('POST', '/v2/blacklists', { pattern });
  expect(answer.status).toBe(201);
  return answer.json;
}
const shown = async (id: string): Promise<Answer['json']> =>
  (await admin('GET', `/v2/blacklists/${id}`)).json;
const codes = (json: Answer['json']): string[] =>
  (json.warnings ?? []).map((warning: { code: string }) => warning.code);

describe('the warnings of a pattern', () => {
  it.each<[string, string[]]>([
    ['^a$b\\.$', ['never_matches']],
    ['^example\\.com$', ['no_final_dot']],
    ['brand', ['unanchored', 'unanchored']],
    ['^shop.example\\.$', ['unescaped_dot']],
    ['.*', ['matches_every_name']],
    ['^([a-z]+)\\.\\1\\.com\\.$', ['slow']],
  ])('%s: are in the answer to POST, each with a sentence', async (pattern, expected) => {
    const json = await blacklist(pattern);
    expect(codes(json)).toEqual(expected);
    expect(Object.keys(json)).toEqual([...DOCUMENTED, 'warnings']);
    for (const warning of json.warnings) {
      expect(Object.keys(warning)).toEqual(['code', 'message']);
      expect(warning.message).toMatch(/^[A-Z].+\.$/);
    }
    await admin('DELETE', `/v2/blacklists/${json.id}`);
  });

  it('are not there for a pattern that has none', async () => {
    const json = await blacklist('^([A-Za-z0-9_\\-]+\\.)*warned\\.example\\.$');
    expect(Object.keys(json)).toEqual(DOCUMENTED);
    const changed = await admin('PATCH', `/v2/blacklists/${json.id}`, { description: 'fine' });
    expect(Object.keys(changed.json)).toEqual(DOCUMENTED);
  });

  it('are in the answer to PATCH, whichever field it changes', async () => {
    const { id } = await blacklist('^patched-1\\.example\\.$');
    const worse = await admin('PATCH', `/v2/blacklists/${id}`, { pattern: 'patched-2' });
    expect(codes(worse.json)).toEqual(['unanchored', 'unanchored']);
    for (const body of [{ description: 'still' }, {}]) {
      const same = await admin('PATCH', `/v2/blacklists/${id}`, body);
      expect(codes(same.json)).toEqual(['unanchored', 'unanchored']);
    }
    const better = await admin('PATCH', `/v2/blacklists/${id}`, { pattern: '^patched-3\\.example\\.$' });
    expect(Object.keys(better.json)).toEqual(DOCUMENTED);
  });

  it('are nowhere else: not in GET, not in the list', async () => {
    const { id } = await blacklist('listed-word');
    expect(Object.keys(await shown(id))).toEqual(DOCUMENTED);
    for (const path of ['/v2/blacklists', '/v2/blacklists?limit=max']) {
      const { blacklists } = (await admin('GET', path)).json;
      for (const one of blacklists) expect(Object.keys(one)).toEqual(DOCUMENTED);
      expect(blacklists.map((one: { id: string }) => one.id)).toContain(id);
    }
  });
});

describe('a name that cannot be checked within the step budget', () => {
  const SLOW = '^(([a-z])+.)+\\2\\.slowly\\.$';
  const NAME = `${'abcd'.repeat(15)}.slowly.`;
  const MESSAGE = /could not be checked against every blacklist pattern/;
  let slow: Answer['json'];
  beforeEach(async () => {
    if (slow !== undefined) await admin('DELETE', `/v2/blacklists/${slow.id}`);
    slow = await blacklist(SLOW);
  });

  it('is refused with a message of its own, and creates nothing', async () => {
    const before = (await admin('GET', '/v2/quotas/mine/usage')).json;
    const answer = await create(NAME);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ type: 'invalid_zone_name', message: expect.stringMatching(MESSAGE) });
    const found = await service.request('GET', `/v2/zones?name=${NAME}`, { token: member });
    expect(found.json.zones).toEqual([]);
    expect((await admin('GET', '/v2/quotas/mine/usage')).json).toEqual(before);
  });

  it('is logged as a warning, with the numbers of the patterns and who asked', async () => {
    const answer = await create(NAME);
    const id = answer.headers.get('x-openstack-request-id');
    expect(service.logged.filter((line) => line.request_id === id && line.patterns !== undefined)).toEqual([
      expect.objectContaining({ level: 40, zone: NAME, project: 'mine', patterns: [expect.any(Number)] }),
    ]);
  });

  it('marks the pattern, which GET shows until the pattern is changed', async () => {
    await create(NAME);
    const { exhausted, ...documented } = await shown(slow.id);
    expect(exhausted).toEqual({ count: 1, last_at: expect.stringMatching(TIMESTAMP) });
    const { warnings: _, ...created } = slow;
    expect(documented).toEqual(created);

    await create(NAME);
    const again = (await shown(slow.id)).exhausted;
    expect(again.count).toBe(2);
    expect(again.last_at > exhausted.last_at).toBe(true);

    await admin('PATCH', `/v2/blacklists/${slow.id}`, { description: 'known to be slow' });
    expect((await shown(slow.id)).exhausted).toEqual(again);
    const mended = await admin('PATCH', `/v2/blacklists/${slow.id}`, { pattern: '^mended\\.slowly\\.$' });
    expect(Object.keys(mended.json)).toEqual(DOCUMENTED);
    expect(Object.keys(await shown(slow.id))).toEqual(DOCUMENTED);
    expect((await create(NAME)).status).toBe(202);
  });

  it('leaves patterns that have nothing to do with it without a mark', async () => {
    const other = await blacklist('^([a-z]+)\\.\\1\\.other\\.$');
    await create(`${'cd'.repeat(30)}.slowly.`);
    expect((await shown(other.id)).exhausted).toBeUndefined();
  });

  it('is refused as blacklisted when a quick pattern matches it', async () => {
    const quick = await blacklist('^([A-Za-z0-9_\\-]+\\.)*slowly\\.$');
    const answer = await create(NAME);
    expect(answer.json).toMatchObject({ type: 'invalid_zone_name', message: 'Blacklisted domain name' });
    expect((await shown(slow.id)).exhausted).toBeUndefined();
    await admin('DELETE', `/v2/blacklists/${quick.id}`);
  });

  it('does not touch names that the slow pattern cannot reach', async () => {
    for (const name of [`${'ab'.repeat(30)}.quickly.`, 'slow.ly.org.', 'a.slowly.org.']) {
      expect([name, (await create(name)).status]).toEqual([name, 202]);
    }
    expect((await shown(slow.id)).exhausted).toBeUndefined();
  });
});
