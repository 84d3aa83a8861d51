import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../../support/eventually.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { inStoreOf } from '../../support/store.ts';

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
});
afterEach(() => service.remove());

const failures = () => service.logged.filter(({ msg }) => msg === 'request failed');
const leftOut = () => failures().reduce((sum, { left_out = 0 }) => sum + Number(left_out), 0);

async function fail(times: number, path: string): Promise<void> {
  const asked = Array.from({ length: times }, () => service.request('GET', path, { token: service.admin }));
  for (const { status } of await Promise.all(asked)) expect(status).toBe(500);
}

it('of errors that repeat, the log has few lines, each that it leaves out is counted, and others are not', async () => {
  await inStoreOf(service.dataDir, 'alter table zones rename to lost_zones');
  await inStoreOf(service.dataDir, 'alter table zone_tasks rename to lost_tasks');
  await fail(50, '/v2/zones');
  await fail(50, '/v2/zones/tasks/imports');
  await until(() => expect(failures().length + leftOut()).toBe(100));
  const lines = failures().map(({ err, left_out = 0 }) => ({
    message: (err as { message: string }).message,
    leftOut: Number(left_out),
  }));
  for (const table of ['zones', 'zone_tasks']) {
    const own = lines.filter(({ message }) => new RegExp(`\\b${table}\\b`).test(message));
    expect(own[0]!.leftOut).toBe(0);
    expect(own.some(({ leftOut }) => leftOut > 0)).toBe(true);
  }
  await inStoreOf(service.dataDir, 'alter table lost_zones rename to zones');
  await inStoreOf(service.dataDir, 'alter table lost_tasks rename to zone_tasks');
  const { status } = await service.request('GET', '/v2/zones', { token: service.admin });
  expect(status).toBe(200);
});

it('what is left out by then is written when the service stops', async () => {
  await inStoreOf(service.dataDir, 'alter table zones rename to lost_zones');
  await fail(9, '/v2/zones');
  await inStoreOf(service.dataDir, 'alter table lost_zones rename to zones');
  await service.restart();
  expect(failures().length + leftOut()).toBe(9);
});
