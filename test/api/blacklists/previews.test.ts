/** Which existing zones a pattern would have hit. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';

const PREVIEWS = '/v2/blacklists/previews';
const NAMES = ['shop.brand.example.', 'www.brand.example.', 'plain.example.', 'bücher.example.'];
/** A pattern that takes the whole budget of a check for a name of many letters. */
const SLOW = '^(\\w+)+\\.(\\w+)+\\.\\1\\2x';
const SLOW_ZONES = 8;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1' });
  for (const [place, name] of NAMES.entries()) {
    const token = await service.token(place === 0 ? 'one' : 'other', 'member');
    const body = { name, email: 'a@example.org' };
    expect((await service.request('POST', '/v2/zones', { token, body })).status).toBe(202);
  }
});
afterAll(() => service.remove());

const ask = (method: string, path: string, body?: object, token = service.admin): Promise<Answer> =>
  service.request(method, path, { token, ...(body === undefined ? {} : { body }) });

async function ended(id: string): Promise<Answer['json']> {
  return eventually(async () => {
    const { json } = await ask('GET', `${PREVIEWS}/${id}`);
    return json.ended_at === null ? undefined : json;
  });
}

async function running(id: string): Promise<void> {
  await eventually(async () => {
    const { json } = await ask('GET', `${PREVIEWS}/${id}`);
    return json.status === 'RUNNING' ? true : undefined;
  });
}

async function previewOf(body: object): Promise<Answer['json']> {
  const { status, json } = await ask('POST', PREVIEWS, body);
  expect(status).toBe(202);
  return ended(json.id);
}

describe('a preview', () => {
  it('is a task that finds the zones of all projects that a pattern matches', async () => {
    const { status, headers, json } = await ask('POST', PREVIEWS, {
      pattern: '(^|\\.)brand\\.',
      mode: 'warn',
    });
    expect([status, headers.get('location')]).toEqual([202, json.links.self]);
    const done = await ended(json.id);
    expect(done).toMatchObject({
      status: 'COMPLETE',
      mode: 'warn',
      blacklist_id: null,
      faults: [],
      zones: { total: 4, seen: 4, matched: 2, undecided: 0, listed: 2 },
    });
    const { json: page } = await ask('GET', `${PREVIEWS}/${json.id}/zones?limit=1`);
    expect(page.zones.map(({ name, project_id }: Answer['json']) => [name, project_id])).toEqual([
      ['shop.brand.example.', 'one'],
    ]);
    const next = await ask('GET', page.links.next.slice(service.url.length));
    expect(next.json.zones.map(({ name }: Answer['json']) => name)).toEqual(['www.brand.example.']);
    expect(next.json.links.next).toBeUndefined();
  });

  it('looks at the Unicode form, too', async () => {
    expect((await previewOf({ pattern: 'ü' })).zones.matched).toBe(1);
  });

  it('is made of an entry', async () => {
    const { json: entry } = await ask('POST', '/v2/blacklists', { pattern: 'plain', mode: 'audit' });
    const done = await previewOf({ blacklist_id: entry.id });
    expect(done).toMatchObject({ pattern: 'plain', mode: 'audit', blacklist_id: entry.id });
    expect(done.zones.matched).toBe(1);
    const unknown = '00000000-0000-4000-8000-000000000000';
    expect((await ask('POST', PREVIEWS, { blacklist_id: unknown })).status).toBe(404);
  });

  it('tells what is wrong with a pattern, and what its author should know', async () => {
    const faulty = await previewOf({ pattern: '(' });
    expect(faulty).toMatchObject({ status: 'ERROR', zones: { seen: 0 } });
    expect(faulty.faults[0]).toContain('position');
    expect((await previewOf({ pattern: 'example.com' })).warnings.length).toBeGreaterThan(0);
  });

  it('is refused for a body that is none', async () => {
    for (const body of [
      {},
      { pattern: '' },
      { pattern: 'a', blacklist_id: 'b' },
      { pattern: 'a', mode: 'no' },
    ]) {
      expect([body, (await ask('POST', PREVIEWS, body)).status]).toEqual([body, 400]);
    }
  });

  it('is removed by DELETE with what it found', async () => {
    const { id } = await previewOf({ pattern: 'brand' });
    expect((await ask('DELETE', `${PREVIEWS}/${id}`)).status).toBe(204);
    for (const path of [`${PREVIEWS}/${id}`, `${PREVIEWS}/${id}/zones`]) {
      expect((await ask('GET', path)).status).toBe(404);
    }
    expect((await ask('DELETE', `${PREVIEWS}/${id}`)).status).toBe(404);
  });

  it('is kept with the last ten of its project', async () => {
    const token = await service.token('keeper', 'admin');
    const ids: string[] = [];
    for (let i = 0; i < 11; i++) ids.push((await ask('POST', PREVIEWS, { pattern: '(' }, token)).json.id);
    const statuses = await Promise.all(
      ids.map(async (id) => (await ask('GET', `${PREVIEWS}/${id}`, undefined, token)).status),
    );
    expect(statuses).toEqual([404, ...Array.from({ length: 10 }, () => 200)]);
  });

  it('is one of administrators, and its path is no id', async () => {
    const member = await service.token('one', 'member');
    expect((await ask('POST', PREVIEWS, { pattern: 'a' }, member)).status).toBe(401);
    for (const method of ['GET', 'PATCH', 'DELETE', 'PUT']) {
      const answer = await ask(method, PREVIEWS);
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'POST']);
    }
  });

  it('runs once at a time for each project, and ends at once where it is deleted', async () => {
    const token = await service.token('many', 'member');
    for (let i = 0; i < SLOW_ZONES; i++) {
      const body = { name: `${'ab'.repeat(30)}.${'cd'.repeat(30)}.s${i}.example.`, email: 'a@example.org' };
      expect((await service.request('POST', '/v2/zones', { token, body })).status).toBe(202);
    }
    const { json } = await ask('POST', PREVIEWS, { pattern: SLOW });
    await running(json.id);
    const second = await ask('POST', PREVIEWS, { pattern: 'a' });
    expect([second.status, second.json.type]).toEqual([409, 'preview_running']);
    const elsewhere = await service.token('elsewhere', 'admin');
    expect((await ask('POST', PREVIEWS, { pattern: 'a' }, elsewhere)).status).toBe(202);
    expect((await ask('DELETE', `${PREVIEWS}/${json.id}`)).status).toBe(204);
    expect((await previewOf({ pattern: 'brand' })).zones.matched).toBe(2);
  });

  it('counts the zones for which the budget of a check runs out', async () => {
    const { json } = await ask('POST', PREVIEWS, { pattern: SLOW });
    const { zones } = await ended(json.id);
    expect(zones.undecided).toBe(SLOW_ZONES);
    const { json: page } = await ask('GET', `${PREVIEWS}/${json.id}/zones?limit=1`);
    expect(page.zones[0].undecided).toBe(true);
  });

  it('goes on where it was after a restart', async () => {
    const { json } = await ask('POST', PREVIEWS, { pattern: SLOW });
    await running(json.id);
    await service.restart();
    const done = await ended(json.id);
    expect(done).toMatchObject({ status: 'COMPLETE', zones: { undecided: SLOW_ZONES, listed: SLOW_ZONES } });
  });
});
