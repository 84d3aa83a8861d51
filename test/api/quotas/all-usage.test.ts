import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { inStoreOf } from '../../support/store.ts';
import { importFile, zoneFile } from '../../support/zone-files.ts';

interface Entry {
  readonly project_id: string;
  readonly percentage: number | null;
  readonly usage: object;
  readonly percentages: object;
}

/** Projects that only have rows; they are there from the second test on. */
const MANY = Array.from({ length: 1200 }, (_, place) => `p${String(place).padStart(4, '0')}`);

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.remove());

const ask = (method: string, path: string, body?: object) =>
  service.request(method, path, { token: service.admin, body });
const limit = (project: string, body: object) => ask('PATCH', `/v2/quotas/${project}`, body);
const now = () => new Date().toISOString().slice(0, 23);

/** What a pass found that began after all that was done before. */
async function usageNow(query = ''): Promise<Entry[]> {
  const since = now();
  return eventually(async () => {
    const { status, json } = await ask('GET', `/v2/usage${query}`);
    expect(status).toBe(200);
    return json.as_of !== null && json.as_of > since ? json.usage : undefined;
  });
}

it('shows each project with what it uses, its limits, and how much of them that is', async () => {
  const token = await service.token('shop', 'member');
  await importFile(service, token, zoneFile('wide.example.', 'a 60 TXT a', 'b 60 TXT a', 'c 60 TXT a'));
  await importFile(
    service,
    token,
    zoneFile('deep.example.', 'a 60 TXT a', 'a 60 TXT b', 'a 60 TXT c', 'a 60 TXT d'),
  );
  await limit('shop', { zone_recordsets: 6, zone_records: 10 });
  await limit('unlimited', { zones: -1, zone_recordsets: -1, zone_records: -1 });
  await limit('nothing', { zones: 0 });
  const [entry] = (await usageNow('?project_id=shop')) as [Entry];
  expect(entry).toEqual({
    project_id: 'shop',
    usage: { zones: 2, recordsets: 4, zone_recordsets: 3, zone_records: 4, zone_bytes: 3 * (15 + 3) },
    limits: {
      zones: 10,
      zone_recordsets: 6,
      zone_records: 10,
      recordset_records: 20,
      api_export_size: 1000,
      max_zone_size: 8_388_608,
    },
    percentages: { zones: 20, zone_recordsets: 50, zone_records: 40, max_zone_size: 0 },
    percentage: 50,
  });
  const all = (await ask('GET', '/v2/usage')).json.usage as Entry[];
  expect(all.map(({ project_id, percentage }) => [project_id, percentage])).toEqual([
    ['nothing', 100],
    ['shop', 50],
    ['unlimited', 0],
  ]);
});

it('follows what changes', async () => {
  const zones = (
    await service.request('GET', '/v2/zones?name=wide.example.', {
      token: service.admin,
      headers: { 'x-auth-all-projects': 'true' },
    })
  ).json.zones as { id: string }[];
  await service.request('DELETE', `/v2/zones/${zones[0]!.id}`, {
    token: service.admin,
    headers: { 'x-auth-all-projects': 'true' },
  });
  await limit('shop', { zone_records: 4 });
  const rows = MANY.map((name, place) => `('${name}', ${place % 10}, 0)`).join(', ');
  await inStoreOf(service.dataDir, `insert into projects (project_id, zones, recordsets) values ${rows}`);
  const [entry] = await usageNow('?project_id=shop');
  expect(entry).toMatchObject({
    usage: { zones: 1, recordsets: 1, zone_recordsets: 1, zone_records: 4 },
    percentages: { zone_records: 100 },
    percentage: 100,
  });
});

it('is sorted by the highest percentage, or by the project, a page at a time', async () => {
  const seen: Entry[] = [];
  for (let path: string | undefined = '/v2/usage?limit=500'; path !== undefined; ) {
    const { json } = await ask('GET', path);
    seen.push(...json.usage);
    path = json.links.next?.slice(service.url.length);
  }
  expect(new Set(seen.map((one) => one.project_id)).size).toBe(seen.length);
  expect(seen.filter((one) => MANY.includes(one.project_id))).toHaveLength(MANY.length);
  const percentages = seen.map((one) => one.percentage ?? -1);
  expect(percentages).toEqual(percentages.toSorted((one, other) => other - one));
  const named = (await ask('GET', '/v2/usage?sort_key=project_id&limit=2&project_id=p*')).json
    .usage as Entry[];
  expect(named.map((one) => one.project_id)).toEqual(['p0000', 'p0001']);
});

it('is for administrators', async () => {
  const token = await service.token('shop', 'member');
  expect((await service.request('GET', '/v2/usage', { token })).status).toBe(401);
});
