import { afterAll, beforeAll, expect, it } from 'vitest';
import { burstsUntilShared, statusesOf } from '../../support/counts.ts';
import { eventsOf } from '../../support/events.ts';
import { runHere } from '../../support/run-here.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { storeOptions } from '../../support/store.ts';
import { type Tenant, tenantOf } from '../../support/tenant.ts';

const EMAIL = 'hostmaster@example.org';
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONES: '1000' });
});
afterAll(() => service.remove());

const create = (tenant: Tenant, name: string, headers?: Readonly<Record<string, string>>) =>
  tenant.ask('POST', '/v2/zones', { name, email: EMAIL }, headers);

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);

it('creates zones that are asked for at once in fewer transactions, with one event each', async () => {
  const tenants = await Promise.all(['one', 'two', 'three'].map((id) => tenantOf(service, id)));
  for (const tenant of tenants) await create(tenant, `first.${tenant.projectId}.example.`);
  let drawn = 0;
  const burst = () =>
    numbers(60).map((number) => {
      const tenant = tenants[number % 3]!;
      return create(tenant, `z${drawn++}.${tenant.projectId}.example.`);
    });
  const { answers, isShared } = await burstsUntilShared(service, burst);
  expect(statusesOf(answers)).toEqual({ 202: drawn });
  expect(isShared).toBe(true);
  const told = (await eventsOf(service, '&type=zone.created')).map(({ target }) => target.name);
  expect(new Set(told).size).toBe(drawn + 3);
  expect(told).toHaveLength(drawn + 3);
});

it('fills a quota to its last place, and not beyond', async () => {
  const tenant = await tenantOf(service, 'bounded');
  await service.request('PATCH', '/v2/quotas/bounded', { token: service.admin, body: { zones: 23 } });
  const answers = await Promise.all(
    numbers(60).map((number) => create(tenant, `z${number}.bounded.example.`)),
  );
  expect(statusesOf(answers)).toEqual({ 202: 23, 413: 37 });
  const { json } = await tenant.ask('GET', '/v2/zones?limit=1000');
  expect(json.metadata.total_count).toBe(23);
});

it('creates one of several zones of a name, and none below that of another tenant', async () => {
  const [one, other] = await Promise.all([tenantOf(service, 'kin-1'), tenantOf(service, 'kin-2')]);
  const name = (number: number) => `kin${number}.example.`;
  const answers = await Promise.all(
    numbers(8).flatMap((number) => [
      create(one!, name(number)),
      create(one!, name(number)),
      create(other!, `www.${name(number)}`),
      create(other!, name(number)),
    ]),
  );
  for (const number of numbers(8)) {
    const [first, again, below, foreign] = answers.slice(4 * number).map(({ status }) => status);
    const owners = [[first, again].includes(202), [below, foreign].includes(202)];
    expect([number, owners.filter(Boolean).length]).toEqual([number, 1]);
    expect([first, again].filter((status) => status === 202).length).toBeLessThan(2);
  }
});

it('answers requests with one idempotency key by one zone, beside others that have none', async () => {
  const tenant = await tenantOf(service, 'keyed');
  const key = { 'idempotency-key': 'once' };
  const answers = await Promise.all(
    numbers(30).map((number) =>
      number % 3 === 0 ? create(tenant, 'keyed.example.', key) : create(tenant, `z${number}.keyed.example.`),
    ),
  );
  const keyed = answers.filter((_, number) => number % 3 === 0);
  expect(statusesOf(answers.filter((_, number) => number % 3 !== 0))).toEqual({ 202: 20 });
  // One that comes while the first has no answer yet is told to come again.
  for (const { status } of keyed) expect([202, 409]).toContain(status);
  const ids = new Set(keyed.filter(({ status }) => status === 202).map(({ json }) => json.id));
  expect(ids.size).toBe(1);
});

it('refuses what a pattern matches from the moment at which the pattern is stored', async () => {
  const tenant = await tenantOf(service, 'patterned');
  let isStored = false;
  const late: { readonly status: number }[] = [];
  const worker = async (worker: number): Promise<void> => {
    for (const number of numbers(12)) {
      const wasStored = isStored;
      const answer = await create(tenant, `bad-${worker}-${number}.example.`);
      if (wasStored) late.push(answer);
      else await tenant.ask('DELETE', `/v2/zones/${answer.json.id}`);
    }
  };
  const store = async (): Promise<void> => {
    const body = { pattern: '^bad-.*\\.example\\.$' };
    const { status } = await service.request('POST', '/v2/blacklists', { token: service.admin, body });
    expect(status).toBe(201);
    isStored = true;
  };
  await Promise.all([...numbers(16).map(worker), store()]);
  expect(late.length).toBeGreaterThan(16);
  expect(late.filter(({ status }) => status !== 400)).toEqual([]);
});

it('leaves a store that verifies', async () => {
  const verified = await runHere(['verify'], storeOptions(service.dataDir));
  expect(verified).toMatchObject({ status: 0, err: '' });
});
