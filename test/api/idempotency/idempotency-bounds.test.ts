import { afterAll, beforeAll, expect, it } from 'vitest';
import { runHere } from '../../support/run-here.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';
import { inStoreOf, storeOptions } from '../../support/store.ts';
import { type Tenant, type TestZone, tenantOf } from '../../support/tenant.ts';

const MAX_ANSWERS = 5;
const MAX_BYTES = 8192;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    ZONEWARDEN_SERVICE_API__MAX_IDEMPOTENCY_KEYS: String(MAX_ANSWERS),
    ZONEWARDEN_SERVICE_API__MAX_IDEMPOTENCY_BYTES: String(MAX_BYTES),
  });
});
afterAll(() => service.remove());

let made = 0;
const newProject = () => tenantOf(service, `project-${++made}`);

const exportZone = (tenant: Tenant, { id }: TestZone, key?: string): Promise<Answer> => {
  const headers = key === undefined ? {} : { 'idempotency-key': key };
  return tenant.ask('POST', `/v2/zones/${id}/tasks/export`, undefined, headers);
};

async function exportsOf(tenant: Tenant): Promise<number> {
  return (await tenant.ask('GET', '/v2/zones/tasks/exports')).json.exports.length;
}

const keys = (count: number, prefix = 'key') => Array.from({ length: count }, (_, at) => `${prefix}-${at}`);

/** What is kept for a project: the answers, and the bytes of their headers and bodies. */
async function kept(tenant: Tenant): Promise<{ answers: number; bytes: number; largest: number }> {
  const rows = await inStoreOf(
    service.dataDir,
    `select length(headers) as headers, length(body) as body from idempotency_keys
     where project_id = '${tenant.projectId}'`,
  );
  const sizes = rows.map(({ headers, body }) => Number(headers) + Number(body));
  return {
    answers: rows.length,
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    largest: Math.max(0, ...sizes),
  };
}

it('a project has as many answers as the limit says; a further key is refused, and nothing is created', async () => {
  const shop = await newProject();
  const zone = await shop.makeZone();
  const first = new Map<string, string>();
  for (const key of keys(MAX_ANSWERS)) {
    const answer = await exportZone(shop, zone, key);
    expect(answer.status).toBe(202);
    first.set(key, answer.text);
  }
  const refused = await exportZone(shop, zone, 'one-more');
  expect(refused).toMatchObject({ status: 413, json: { type: 'over_quota' } });
  expect(refused.json.message).toContain('the limit is 5, and 6 would be needed');
  expect(await exportsOf(shop)).toBe(MAX_ANSWERS);
  for (const [key, text] of first) expect((await exportZone(shop, zone, key)).text).toBe(text);
  expect((await exportZone(shop, zone)).status).toBe(202);
  const other = await newProject();
  expect((await exportZone(other, await other.makeZone(), 'one-more')).status).toBe(202);
});

it('of keys that come at once, as many succeed as there is room for', async () => {
  const shop = await newProject();
  const zone = await shop.makeZone();
  const answers = await Promise.all(keys(20).map((key) => exportZone(shop, zone, key)));
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array(MAX_ANSWERS).fill(202), ...Array(20 - MAX_ANSWERS).fill(413)]);
  expect(await exportsOf(shop)).toBe(MAX_ANSWERS);
});

it('an answer whose time is over makes room, whether or not it has been removed', async () => {
  const shop = await newProject();
  const zone = await shop.makeZone();
  for (const key of keys(MAX_ANSWERS)) await exportZone(shop, zone, key);
  await inStoreOf(
    service.dataDir,
    `update idempotency_keys set created_at = '2001-01-01T00:00:00.000000'
     where project_id = '${shop.projectId}' and number <= 2`,
  );
  // The first key is free again too: it takes a new place.
  const statuses: number[] = [];
  for (const key of ['key-0', 'new-1', 'new-2']) statuses.push((await exportZone(shop, zone, key)).status);
  expect(statuses).toEqual([202, 202, 413]);
});

it('a request that was refused takes no place', async () => {
  const shop = await newProject();
  const seller = await newProject();
  const { id } = await seller.makeZone();
  const offer = await seller.ask('POST', `/v2/zones/${id}/tasks/transfer_requests`);
  const zone = await shop.makeZone();
  expect((await exportZone(shop, zone, 'first')).status).toBe(202);
  for (const key of keys(MAX_ANSWERS, 'wrong')) {
    const body = { zone_transfer_request_id: offer.json.id, key };
    const refused = await shop.ask('POST', '/v2/zones/tasks/transfer_accepts', body, {
      'idempotency-key': key,
    });
    expect(refused.status).toBe(403);
  }
  for (const key of keys(MAX_ANSWERS - 1)) expect((await exportZone(shop, zone, key)).status).toBe(202);
  expect((await exportZone(shop, zone, 'one-more')).status).toBe(413);
});

it('the answers of a project have as many bytes as the limit says, and what does not fit is not created', async () => {
  const shop = await newProject();
  const statuses: number[] = [];
  for (const key of keys(MAX_ANSWERS)) {
    const body = {
      name: `${key}.${shop.projectId}.example.`,
      email: 'a@example.org',
      description: 'x'.repeat(1024),
      attributes: { note: 'y'.repeat(255), other: 'z'.repeat(255) },
    };
    statuses.push((await shop.ask('POST', '/v2/zones', body, { 'idempotency-key': key })).status);
  }
  const { answers, bytes } = await kept(shop);
  expect(statuses).toEqual([...Array(answers).fill(202), ...Array(MAX_ANSWERS - answers).fill(413)]);
  expect(answers).toBeLessThan(MAX_ANSWERS);
  expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
  // No room was left for one more.
  expect(bytes + bytes / answers).toBeGreaterThan(MAX_BYTES);
  expect((await shop.ask('GET', '/v2/zones')).json.zones).toHaveLength(answers);
});

/** A recordset whose representation is large, created with a key. */
async function createLarge(shop: Tenant) {
  const zone = await shop.makeZone();
  const records = Array.from(
    { length: 18 },
    (_, at) => `"${String(at)}" ${`"${'x'.repeat(250)}" `.repeat(12)}`,
  );
  const body = { name: zone.name, type: 'TXT', records };
  const path = `/v2/zones/${zone.id}/recordsets`;
  const send = () => shop.ask('POST', path, body, { 'idempotency-key': 'large' });
  return { send, first: await send(), path };
}

it('a large answer is not kept, and is the same again while its resource is as it was', async () => {
  const shop = await newProject();
  const { send, first } = await createLarge(shop);
  expect(first.status).toBe(202);
  expect(first.text.length).toBeGreaterThan(50_000);
  expect((await kept(shop)).largest).toBeLessThan(1000);
  const again = await send();
  expect([again.status, again.text]).toEqual([202, first.text]);
  expect(again.headers.get('location')).toBe(first.headers.get('location'));
  expect(again.headers.get('idempotency-replayed')).toBe('true');
});

it('a large answer shows its resource as it has become, and says when it is gone', async () => {
  const shop = await newProject();
  const { send, first, path } = await createLarge(shop);
  const { id } = first.json;
  await shop.ask('PUT', `${path}/${id}`, { records: ['"short"'] });
  expect(await send()).toMatchObject({ status: 202, json: { id, records: ['"short"'], version: 2 } });
  await shop.ask('DELETE', `${path}/${id}`);
  const gone = await send();
  expect(gone).toMatchObject({ status: 410, json: { type: 'idempotency_answer_gone' } });
  expect((await shop.ask('GET', `${path}?type=TXT`)).json.recordsets).toEqual([]);
});

it('purge removes the answers of one project, or of all, and their keys are free again', async () => {
  const [shop, other] = [await newProject(), await newProject()];
  const zones = new Map<Tenant, TestZone>();
  for (const tenant of [shop, other]) {
    zones.set(tenant, await tenant.makeZone());
    for (const key of keys(MAX_ANSWERS)) await exportZone(tenant, zones.get(tenant)!, key);
  }
  const purge = (...args: string[]) =>
    runHere(['idempotency', 'purge', ...args], storeOptions(service.dataDir));
  const isReplayed = async (tenant: Tenant, key: string) =>
    (await exportZone(tenant, zones.get(tenant)!, key)).headers.get('idempotency-replayed') === 'true';
  expect(await purge('--project', shop.projectId)).toEqual({
    status: 0,
    out: 'purged 5 responses\n',
    err: '',
  });
  expect([await isReplayed(shop, 'key-0'), await isReplayed(other, 'key-0')]).toEqual([false, true]);
  for (const key of keys(MAX_ANSWERS - 1, 'new')) expect(await isReplayed(shop, key)).toBe(false);
  expect((await exportZone(shop, zones.get(shop)!, 'one-more')).status).toBe(413);
  expect((await purge('--all')).out).toMatch(/^purged \d+ responses\n$/);
  expect(await isReplayed(other, 'key-0')).toBe(false);
  expect((await kept(shop)).answers).toBe(0);
});

it.each([[[]], [['--project', 'p', '--all']]])(
  'purge with the options %j is refused in one line',
  async (options) => {
    const ended = await runHere(['idempotency', 'purge', ...options], storeOptions(service.dataDir));
    expect(ended).toEqual({ status: 2, out: '', err: 'zonewarden: Use either --project <id> or --all.\n' });
  },
);
