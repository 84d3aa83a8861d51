import { afterEach, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';
import { inStoreOf } from '../support/store.ts';

let service: TestService;
afterEach(() => service.remove());

const shownPool = async () =>
  (await service.request('GET', '/v2/pools', { token: service.admin })).json.pools[0];

it('the start warns where a pool with name servers publishes ns1.invalid.', async () => {
  service = await startTestService();
  const warnings = () => service.logged.filter(({ msg }) => String(msg).includes('ns1.invalid.'));
  expect(warnings()).toEqual([]);
  await inStoreOf(service.dataDir, `update pools set nameservers = '[{"host":"192.0.2.1","port":53}]'`);
  await service.restart();
  expect(warnings()).toEqual([expect.objectContaining({ pool: 'default' })]);
});

it('the API says so of such a pool, and of no other', async () => {
  service = await startTestService();
  expect(await shownPool()).not.toHaveProperty('publishes_placeholder');
  await inStoreOf(service.dataDir, `update pools set nameservers = '[{"host":"192.0.2.1","port":53}]'`);
  await service.restart();
  const pool = await shownPool();
  expect(pool).toMatchObject({ publishes_placeholder: true });
  const path = new URL(pool.links.self).pathname;
  const change = {
    token: service.admin,
    body: { ns_records: [{ hostname: 'ns1.example.net.', priority: 1 }] },
  };
  expect((await service.request('PATCH', path, change)).status).toBe(202);
  expect(await shownPool()).not.toHaveProperty('publishes_placeholder');
});
