import { afterAll, beforeAll, expect, it } from 'vitest';
import { burstsUntilShared, statusesOf } from '../../support/counts.ts';
import { eventsOf } from '../../support/events.ts';
import { runHere } from '../../support/run-here.ts';
import { type Answer, startTestService, type TestService } from '../../support/service.ts';
import { storeOptions } from '../../support/store.ts';
import { type Tenant, type TestZone, tenantOf } from '../../support/tenant.ts';

const MANY = 40;
let service: TestService;
let tenant: Tenant;
let zone: TestZone;
beforeAll(async () => {
  service = await startTestService({ ZONEWARDEN_DEFAULT__QUOTA_ZONE_RECORDSETS: '2000' });
  tenant = await tenantOf(service, 'writer');
  zone = await tenant.makeZone();
});
afterAll(() => service.remove());

const numbers = Array.from({ length: MANY }, (_, number) => number);

const host = (label: string) => ({ name: `${label}.${zone.name}`, type: 'A', records: ['192.0.2.1'] });

it('creates recordsets of one zone that are asked for at once in fewer transactions, each as a step and an event of its own', async () => {
  const before = await tenant.look(zone);
  let drawn = 0;
  const burst = () => numbers.map(() => tenant.create(zone, host(`h${drawn++}`)));
  const { answers, isShared } = await burstsUntilShared(service, burst);
  expect(statusesOf(answers)).toEqual({ 202: drawn });
  expect(isShared).toBe(true);
  const after = await tenant.look(zone);
  expect(after.version - before.version).toBe(drawn);
  // It may follow the clock.
  expect(after.serial - before.serial).toBeGreaterThanOrEqual(drawn);
  const told = await eventsOf(service, `&type=recordset.created&target_id=${zone.id}`);
  expect(told).toHaveLength(drawn);
});

it('creates one of several recordsets of a name and type, and leaves nothing of the others', async () => {
  const before = await tenant.look(zone);
  const answers = await Promise.all(numbers.map((number) => tenant.create(zone, host(`same${number % 4}`))));
  expect(statusesOf(answers)).toEqual({ 202: 4, 409: MANY - 4 });
  expect((await tenant.look(zone)).version - before.version).toBe(4);
});

it('asks each about those before it: a CNAME stays alone at its name', async () => {
  const cname = { name: `alone.${zone.name}`, type: 'CNAME', records: ['www.example.org.'] };
  const answers = await Promise.all(
    numbers.map((number) => tenant.create(zone, number % 2 === 0 ? host('alone') : cname)),
  );
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
});

it('changes, deletes and creates at once, and one of several who have read the same state comes first', async () => {
  const made = await Promise.all(numbers.map((number) => tenant.create(zone, host(`mixed${number}`))));
  const path = (answer: Answer) => `/v2/zones/${zone.id}/recordsets/${answer.json.id}`;
  const [watched] = made as [Answer];
  const { headers } = await tenant.ask('GET', path(watched));
  const asked = numbers.map((number) => {
    const answer = made[number]!;
    if (number % 4 === 0) {
      const match = { 'if-match': headers.get('etag')! };
      return tenant.ask(
        'PUT',
        path(watched),
        { records: [`192.0.2.${number + 1}`], ttl: 60 + number },
        match,
      );
    }
    if (number % 4 === 1) return tenant.ask('DELETE', path(answer));
    return tenant.ask('PUT', path(answer), { ttl: 300 });
  });
  const answers = await Promise.all(asked);
  const watching = answers.filter((_, number) => number % 4 === 0);
  expect(statusesOf(watching)).toEqual({ 202: 1, 412: MANY / 4 - 1 });
  expect(statusesOf(answers.filter((_, number) => number % 4 !== 0))).toEqual({ 202: (3 * MANY) / 4 });
});

it('fills a zone to the last place of its quota, and not beyond', async () => {
  const bounded = await tenantOf(service, 'bounded');
  await service.request('PATCH', '/v2/quotas/bounded', {
    token: service.admin,
    body: { zone_recordsets: 7 },
  });
  const own = await bounded.makeZone();
  const answers = await Promise.all(
    numbers.map((number) => bounded.create(own, { ...host('h'), name: `h${number}.${own.name}` })),
  );
  expect(statusesOf(answers)).toEqual({ 202: 7, 413: MANY - 7 });
});

it('leaves a store that verifies', async () => {
  const verified = await runHere(['verify'], storeOptions(service.dataDir));
  expect(verified).toMatchObject({ status: 0, err: '' });
});
