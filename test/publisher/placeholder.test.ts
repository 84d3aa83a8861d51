import { afterEach, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.ts';
import { inStoreOf } from '../support/store.ts';

let service: TestService;
afterEach(() => service.remove());

it('the start warns where a pool with name servers publishes ns1.invalid.', async () => {
  service = await startTestService();
  const warnings = () => service.logged.filter(({ msg }) => String(msg).includes('ns1.invalid.'));
  expect(warnings()).toEqual([]);
  await inStoreOf(service.dataDir, `update pools set nameservers = '[{"host":"192.0.2.1","port":53}]'`);
  await service.restart();
  expect(warnings()).toEqual([expect.objectContaining({ pool: 'default' })]);
});
