/** What is asked about names before anything is created. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { itInFullRun } from '../../support/in-full-run.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let member: string;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__BLACKLIST_CONTACT: 'dns@example.org' });
  member = await service.token('mine', 'member');
});
afterAll(() => service.remove());

const admin = (method: string, path: string, body?: object): Promise<Answer> =>
  service.request(method, path, { token: service.admin, ...(body === undefined ? {} : { body }) });
const create = (name: string, token = member): Promise<Answer> =>
  service.request('POST', '/v2/zones', { token, body: { name, email: 'a@example.org' } });
const checkZone = (name: unknown, token = member, headers = {}): Promise<Answer> =>
  service.request('POST', '/v2/zones/check', { token, headers, body: { name } });
const checkNames = (body: object): Promise<Answer> => admin('POST', '/v2/blacklists/check', body);

async function blacklist(body: object): Promise<Answer['json']> {
  const answer = await admin('POST', '/v2/blacklists', body);
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.json;
}

describe('POST /v2/blacklists/check', () => {
  it('tells of each name its forms, its verdict, and which entries match it where', async () => {
    const entry = await blacklist({ pattern: 'brand+' });
    const { status, json } = await checkNames({ names: ['My-BRANDD.example.', 'free.example.'] });
    expect(status).toBe(200);
    expect(json.results).toEqual([
      {
        name: 'My-BRANDD.example.',
        checked: true,
        canonical: 'my-brandd.example.',
        unicode: 'my-brandd.example.',
        verdict: 'refused',
        matches: [
          {
            id: entry.id,
            pattern: 'brand+',
            mode: 'enforce',
            exception: null,
            expired: false,
            match: { form: 'canonical', start: 3, end: 9 },
          },
        ],
        more: false,
        undecided: [],
      },
      expect.objectContaining({ verdict: 'allowed', matches: [], more: false }),
    ]);
  });

  it('counts characters of the Unicode form where that one matches', async () => {
    await blacklist({ pattern: 'bücher\\.' });
    const { json } = await checkNames({ names: ['𐐨.bücher.example.'] });
    expect(json.results[0]).toMatchObject({
      canonical: 'xn--hj8c.xn--bcher-kva.example.',
      unicode: '𐐨.bücher.example.',
      verdict: 'refused',
      matches: [{ match: { form: 'unicode', start: 2, end: 9 } }],
    });
  });

  it('knows the modes, and the exceptions of the project that is named', async () => {
    await blacklist({ pattern: '^warned\\.asking\\.$', mode: 'warn' });
    await blacklist({ pattern: '^audited\\.asking\\.$', mode: 'audit' });
    const exceptions = [{ project_id: 'theirs', description: 'agreed' }];
    await blacklist({ pattern: '^excepted\\.asking\\.$', exceptions });
    const names = ['warned.asking.', 'audited.asking.', 'excepted.asking.'];
    const verdicts = async (project_id: string) =>
      (await checkNames({ names, project_id })).json.results.map(
        ({ verdict }: { verdict: string }) => verdict,
      );
    expect(await verdicts('mine')).toEqual(['warned', 'audited', 'refused']);
    expect(await verdicts('theirs')).toEqual(['warned', 'audited', 'allowed']);
    const { json } = await checkNames({ names: ['excepted.asking.'], project_id: 'theirs' });
    expect(json.results[0].matches[0].exception).toEqual({
      project_id: 'theirs',
      name: null,
      description: 'agreed',
      expires_at: null,
    });
  });

  it('tells what is wrong with a name in its own result', async () => {
    const { status, json } = await checkNames({ names: ['a b.example.', 'good.example.', 'nodot'] });
    expect(status).toBe(200);
    expect(json.results.map(({ verdict }: { verdict: string }) => verdict)).toEqual([
      'invalid',
      'allowed',
      'invalid',
    ]);
    expect(json.results[0].errors[0].message).toContain('U+0020');
  });

  it('tells of at most a hundred entries, and that there are more', async () => {
    for (let i = 0; i < 103; i++) {
      await blacklist({ pattern: `${'(?:'.repeat(i)}^many\\.asking\\.$${')'.repeat(i)}`, mode: 'audit' });
    }
    const { json } = await checkNames({ names: ['many.asking.'] });
    expect(json.results[0].matches).toHaveLength(100);
    expect(json.results[0]).toMatchObject({ verdict: 'audited', more: true });
  }, 120_000);

  itInFullRun('tells of every one of a thousand names, each of which many entries match', async () => {
    for (let i = 0; i < 30; i++)
      await blacklist({ pattern: `^crowd-(?:[0-9]+|${'long'.repeat(200)}${i})\\.asking\\.$` });
    const names = Array.from({ length: 1000 }, (_, place) => `crowd-${place}.asking.`);
    const { status, json } = await checkNames({ names });
    expect(status).toBe(200);
    // Entries of 24 MB match in all: each name has its share of what is told.
    expect(JSON.stringify(json).length).toBeLessThan(9e6);
    const checked = json.results.filter((result: { checked: boolean }) => result.checked);
    for (const { verdict, matches, more } of checked) {
      expect([verdict, more]).toEqual(['refused', true]);
      expect(matches.length).toBeGreaterThan(0);
    }
    expect(checked.length).toBeGreaterThan(0);
    const one = await checkNames({ names: ['crowd-1.asking.'] });
    expect(one.json.results[0]).toMatchObject({ more: false });
    expect(one.json.results[0].matches).toHaveLength(30);
  });

  it('tells of an entry with many exceptions the one that applies alone', async () => {
    const exceptions = Array.from({ length: 100 }, (_, place) => ({
      project_id: `other-${place}`,
      description: 'd'.repeat(1000),
    }));
    await blacklist({ pattern: '^told-one\\.asking\\.$', exceptions });
    const { json } = await checkNames({ names: ['told-one.asking.'], project_id: 'other-7' });
    expect(json.results[0].matches[0].exception).toMatchObject({ project_id: 'other-7' });
    expect(JSON.stringify(json).length).toBeLessThan(2000);
  });

  itInFullRun('is answered to so many at a time, and to others a moment later', async () => {
    const names = Array.from({ length: 1000 }, (_, place) => `n${place}.asking.`);
    const answers = await Promise.all(Array.from({ length: 12 }, () => checkNames({ names })));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    for (const { status, json, headers } of refused)
      expect([status, json.type, headers.get('retry-after')]).toEqual([503, 'service_unavailable', '1']);
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(4);
    expect((await checkNames({ names: ['n.asking.'] })).status).toBe(200);
  });

  it('changes, marks and counts nothing', async () => {
    const { id } = await blacklist({ pattern: '^uncounted\\.asking\\.$' });
    await checkNames({ names: ['uncounted.asking.'] });
    expect((await checkZone('uncounted.asking.')).json.allowed).toBe(false);
    expect((await create('uncounted.asking.')).status).toBe(400);
    const hits = await eventually(async () => (await admin('GET', `/v2/blacklists/${id}`)).json.hits);
    expect(hits.refused).toBe(1);
  });

  it('is asked with 1 to 1,000 names', async () => {
    for (const names of [[], Array.from({ length: 1001 }, () => 'a.example.'), 'a.example.', [1]]) {
      expect([names.length, (await checkNames({ names })).status]).toEqual([names.length, 400]);
    }
    const many = Array.from({ length: 1000 }, (_, i) => `n${i}.example.`);
    const { json } = await checkNames({ names: many });
    expect(json.results).toHaveLength(1000);
    // On a machine that is slow the time of a request is over before the last ones.
    const checked = json.results.filter((result: { checked: boolean }) => result.checked);
    expect(checked.length).toBeGreaterThan(0);
    expect(json.results.slice(checked.length)).toEqual(
      many.slice(checked.length).map((name) => ({ name, checked: false, canonical: name, verdict: null })),
    );
  });

  it('is for administrators, and its path is no id', async () => {
    const request = { token: member, body: { names: ['a.example.'] } };
    expect((await service.request('POST', '/v2/blacklists/check', request)).status).toBe(401);
    for (const method of ['GET', 'PATCH', 'DELETE', 'PUT']) {
      const answer = await admin(method, '/v2/blacklists/check');
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'POST']);
    }
  });
});

describe('POST /v2/zones/check', () => {
  it('tells what a create would be answered, and says nothing of patterns', async () => {
    await blacklist({ pattern: '^taken\\.asking\\.$' });
    const asked = await checkZone('Taken.asking.');
    const { code, type, message, hint } = (await create('taken.asking.')).json;
    expect(asked.json).toEqual({
      name: 'taken.asking.',
      project_id: 'mine',
      allowed: false,
      refusal: { code, type, message, hint },
      warning: null,
      room: { zones: 10 },
    });
    expect(hint).toBe('Ask dns@example.org.');
  });

  it('tells the room that is left, and creates nothing', async () => {
    expect((await checkZone('roomy.asking.')).json).toMatchObject({ allowed: true, room: { zones: 10 } });
    expect((await create('roomy.asking.')).status).toBe(202);
    const { json } = await checkZone('roomy.asking.');
    expect(json).toMatchObject({ allowed: false, room: { zones: 9 }, refusal: { type: 'duplicate_zone' } });
  });

  it('warns where the create would warn', async () => {
    await blacklist({ pattern: '^soon\\.asking\\.$', mode: 'warn' });
    expect((await checkZone('soon.asking.')).json.warning).toContain('299');
  });

  it('is asked for another project by an administrator', async () => {
    const { json } = await checkZone('roomy.asking.', service.admin, {
      'x-auth-sudo-project-id': 'mine',
    });
    expect(json).toMatchObject({ project_id: 'mine', refusal: { type: 'duplicate_zone' } });
  });

  it('tells no event', async () => {
    const before = service.logged.filter(({ event }) => event !== undefined).length;
    await checkZone('taken.asking.');
    expect(service.logged.filter(({ event }) => event !== undefined)).toHaveLength(before);
  });

  it('refuses what is no name of a zone, and every other method', async () => {
    expect((await checkZone('nodot')).status).toBe(400);
    expect((await checkZone(1)).status).toBe(400);
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const answer = await admin(method, '/v2/zones/check');
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'POST']);
    }
  });
});

describe('a service that may be asked once a second', () => {
  let limited: TestService;
  beforeAll(async () => {
    limited = await startTestService({ ZONEWARDEN_SERVICE_API__ZONE_CHECKS_PER_SECOND: '1' });
  });
  afterAll(() => limited.remove());

  it('answers each project so often, and twice as often after a pause', async () => {
    const eager = await limited.token('eager', 'member');
    const ask = (token: string): Promise<Answer> =>
      limited.request('POST', '/v2/zones/check', { token, body: { name: 'a.asking.' } });
    const answers = await Promise.all(Array.from({ length: 200 }, () => ask(eager)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(2);
    expect(refused.length).toBeGreaterThan(0);
    expect([refused[0]!.json.type, refused[0]!.headers.get('retry-after')]).toEqual([
      'too_many_requests',
      '1',
    ]);
    expect((await ask(await limited.token('other', 'member'))).status).toBe(200);
  });
});
