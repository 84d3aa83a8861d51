/** Quotas are exact: never one more than the limit, never a refusal while there is room. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../../support/runs.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';

const V2_DEFAULTS = {
  zones: 10,
  zone_recordsets: 500,
  zone_records: 500,
  recordset_records: 20,
  api_export_size: 1000,
};

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_SERVICE_API__ENABLED_EXTENSIONS_V1: 'quotas' });
});
afterAll(() => service.remove());

const asAdmin = (method: string, path: string, body?: unknown): Promise<Answer> =>
  service.request(method, path, { token: service.admin, body });
const inProject = (project: string) => ({ 'X-Auth-Sudo-Project-ID': project });
const create = (project: string, name: string): Promise<Answer> =>
  service.request('POST', '/v2/zones', {
    token: service.admin,
    headers: inProject(project),
    body: { name, email: 'a@example.org' },
  });
const remove = (project: string, id: string): Promise<Answer> =>
  service.request('DELETE', `/v2/zones/${id}`, { token: service.admin, headers: inProject(project) });
const setZones = (project: string, zones: number): Promise<Answer> =>
  asAdmin('PATCH', `/v2/quotas/${project}`, { zones });
const usage = async (project: string): Promise<number> =>
  (await asAdmin('GET', `/v2/quotas/${project}/usage`)).json.usage.zones;
const times = <T>(count: number, make: (place: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, place) => make(place)));

function tally(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe('parallel requests', () => {
  it('get exactly what a quota of 5 allows out of 40 creates, again and again', async () => {
    for (let round = 0; round < runs(20, 6); round++) {
      const project = `round-${round}`;
      await setZones(project, 5);
      const answers = await times(40, (place) => create(project, `z${place}.round-${round}.org.`));
      expect([round, tally(answers)]).toEqual([round, { 202: 5, 413: 35 }]);
      expect([round, await usage(project)]).toEqual([round, 5]);
    }
  });

  it('make one zone out of 20 creates of one name, and use one place', async () => {
    const answers = await times(20, () => create('one-name', 'one-name.org.'));
    expect(tally(answers)).toEqual({ 202: 1, 409: 19 });
    expect(await usage('one-name')).toBe(1);
  });

  it('delete a zone once, and give back one place', async () => {
    const { json } = await create('deleters', 'deleters.org.');
    const answers = await times(20, () => remove('deleters', json.id));
    expect(tally(answers)).toEqual({ 202: 1, 404: 19 });
    expect(await usage('deleters')).toBe(0);
  });

  it('never pass the limit while others delete', async () => {
    await setZones('churn', 5);
    const first = await times(5, (place) => create('churn', `first-${place}.churn.org.`));
    const answers = await Promise.all([
      ...first.map(({ json }) => remove('churn', json.id)),
      ...Array.from({ length: 20 }, (_, place) => create('churn', `second-${place}.churn.org.`)),
    ]);
    const created = answers.slice(5).filter(({ status }) => status === 202).length;
    expect(created).toBeLessThanOrEqual(5);
    expect(await usage('churn')).toBe(created);
    const rest = await times(10, (place) => create('churn', `third-${place}.churn.org.`));
    expect(tally(rest)[202] ?? 0).toBe(5 - created);
  });
});

describe('a limit', () => {
  it('is the default option until it is set, and again when it is reset', async () => {
    expect((await asAdmin('GET', '/v2/quotas/defaults')).json).toEqual(V2_DEFAULTS);
    await service.restart({
      ZONEWARDEN_DEFAULT__QUOTA_ZONES: '1',
      ZONEWARDEN_SERVICE_API__ENABLED_EXTENSIONS_V1: 'quotas',
    });
    expect((await asAdmin('GET', '/v1/quotas/defaults')).json.domains).toBe(1);
    expect(tally([await create('defaults', 'd1.org.'), await create('defaults', 'd2.org.')])).toEqual({
      202: 1,
      413: 1,
    });
    await setZones('defaults', 2);
    expect((await create('defaults', 'd2.org.')).status).toBe(202);
    await asAdmin('DELETE', '/v1/quotas/defaults');
    expect((await create('defaults', 'd3.org.')).status).toBe(413);
    await service.restart();
    expect((await create('defaults', 'd3.org.')).status).toBe(202);
  });

  it('of 0 allows none, and of -1 any number', async () => {
    await setZones('none', 0);
    expect((await create('none', 'none.org.')).status).toBe(413);
    await setZones('none', -1);
    expect(tally(await times(15, (place) => create('none', `n${place}.none.org.`)))).toEqual({ 202: 15 });
  });

  it('below the usage refuses growth and nothing else', async () => {
    const zones = await times(4, (place) => create('lowered', `l${place}.org.`));
    expect((await setZones('lowered', 2)).status).toBe(200);
    const [first, second, third] = zones.map(({ json }) => json.id);
    const request = { token: service.admin, headers: inProject('lowered'), body: { ttl: 77 } };
    expect((await service.request('PATCH', `/v2/zones/${first}`, request)).status).toBe(202);
    expect((await create('lowered', 'more.org.')).status).toBe(413);
    for (const id of [first, second]) expect((await remove('lowered', id)).status).toBe(202);
    expect((await create('lowered', 'more.org.')).status).toBe(413);
    expect((await remove('lowered', third)).status).toBe(202);
    expect((await create('lowered', 'more.org.')).status).toBe(202);
    expect((await create('lowered', 'again.org.')).status).toBe(413);
  });

  it('is that of the project acted for, not of the caller', async () => {
    await setZones('admin', 0);
    expect((await create('acted-for', 'acted-for.org.')).status).toBe(202);
    expect(await usage('admin')).toBe(0);
    await asAdmin('DELETE', '/v2/quotas/admin');
  });

  it('that is reached is refused by its name, its value and what would be needed', async () => {
    await setZones('message', 1);
    await create('message', 'message.org.');
    const { status, json } = await create('message', 'message.net.');
    expect([status, json.type, json.code]).toEqual([413, 'over_quota', 413]);
    expect(json.message).toMatch(/zones\b.*\blimit is 1\b.*\b2 would be needed/);
  });

  it('counts no create that failed for another reason', async () => {
    await setZones('failing', 2);
    await create('failing', 'failing.org.');
    expect((await create('failing', 'failing.org.')).status).toBe(409);
    expect((await create('failing', 'below.message.org.')).status).toBe(403);
    expect((await create('failing', 'no name')).status).toBe(400);
    expect(await usage('failing')).toBe(1);
    expect((await create('failing', 'failing.net.')).status).toBe(202);
  });

  it('is asked before who owns the name', async () => {
    await setZones('asked-first', 0);
    expect((await create('asked-first', 'message.org.')).json.type).toBe('over_quota');
    expect((await create('asked-first', 'below.message.org.')).json.type).toBe('over_quota');
  });
});

describe('v1 and v2', () => {
  const V1_OF_V2 = {
    domains: 'zones',
    domain_recordsets: 'zone_recordsets',
    domain_records: 'zone_records',
    recordset_records: 'recordset_records',
  } as const;

  it.each(Object.entries(V1_OF_V2))('are two spellings of one store: %s is %s', async (v1, v2) => {
    const set = await asAdmin('PUT', `/v1/quotas/both-${v1}`, { [v1]: 7 });
    expect(set.json[v1]).toBe(7);
    expect((await asAdmin('GET', `/v2/quotas/both-${v1}`)).json).toEqual({ ...V2_DEFAULTS, [v2]: 7 });
    const patched = await asAdmin('PATCH', `/v2/quotas/both-${v1}`, { [v2]: 9 });
    expect([patched.status, patched.json]).toEqual([200, { ...V2_DEFAULTS, [v2]: 9 }]);
    expect((await asAdmin('GET', `/v1/quotas/both-${v1}`)).json[v1]).toBe(9);
    const reset = await asAdmin('DELETE', `/v2/quotas/both-${v1}`);
    expect([reset.status, reset.text]).toEqual([204, '']);
    expect((await asAdmin('GET', `/v2/quotas/both-${v1}`)).json).toEqual(V2_DEFAULTS);
  });

  it('show the caller its own quotas and limits where no project is named', async () => {
    await asAdmin('PATCH', '/v2/quotas/own', { zones: 3, recordset_records: 4 });
    const token = await service.token('own', 'reader');
    expect((await service.request('GET', '/v2/quotas', { token })).json).toEqual({
      ...V2_DEFAULTS,
      zones: 3,
      recordset_records: 4,
    });
    expect((await service.request('GET', '/v2/limits', { token })).json).toMatchObject({
      max_zones: 3,
      max_recordset_records: 4,
      max_zone_records: 500,
      max_zone_recordsets: 500,
      max_page_limit: 1000,
    });
  });

  it('name the page limit that the operator has set', async () => {
    const small = await startTestService({ ZONEWARDEN_SERVICE_API__MAX_LIMIT_V2: '30' });
    try {
      const { json } = await small.request('GET', '/v2/limits', { token: small.admin });
      expect(json.max_page_limit).toBe(30);
    } finally {
      await small.remove();
    }
  });

  it('change all the keys of a request, or none', async () => {
    await asAdmin('PUT', '/v1/quotas/atomic', { domains: 3 });
    const before = (await asAdmin('GET', '/v1/quotas/atomic')).json;
    for (const bad of [
      { colour: 1 },
      { domain_records: 'x' },
      { recordset_records: -2 },
      { domain_recordsets: null },
    ]) {
      expect((await asAdmin('PUT', '/v1/quotas/atomic', { domains: 8, ...bad })).status).toBe(400);
      expect((await asAdmin('GET', '/v1/quotas/atomic')).json).toEqual(before);
    }
    expect((await asAdmin('PUT', '/v1/quotas/atomic', {})).json).toEqual(before);
  });

  it('never show a change half made', async () => {
    const sets = [1, 2, 3].map((value) => ({
      domains: value,
      domain_records: value,
      domain_recordsets: value,
      recordset_records: value,
    }));
    await asAdmin('PUT', '/v1/quotas/whole', sets[0]);
    const writes = times(30, (place) => asAdmin('PUT', '/v1/quotas/whole', sets[place % 3]));
    const reads = await times(60, () => asAdmin('GET', '/v1/quotas/whole'));
    for (const { json } of [...reads, ...(await writes)]) expect(sets).toContainEqual(json);
  });

  it('outlive a restart', async () => {
    await asAdmin('PUT', '/v1/quotas/durable', { domains: 1 });
    await create('durable', 'durable.org.');
    await service.restart();
    expect((await asAdmin('GET', '/v1/quotas/durable')).json.domains).toBe(1);
    expect((await create('durable', 'durable.net.')).status).toBe(413);
  });
});
