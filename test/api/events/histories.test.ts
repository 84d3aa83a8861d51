import { afterAll, beforeAll, expect, it } from 'vitest';
import { History } from '../../../trials/histories/history.ts';
import { type HistoryMasters, openHistoryMasters } from '../../../trials/histories/masters.ts';
import { historyUpdates } from '../../../trials/histories/updates.ts';
import { freePort } from '../../support/free-port.ts';
import { runHere } from '../../support/run-here.ts';
import { runs } from '../../support/runs.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { storeOptions } from '../../support/store.ts';

let service: TestService;
let masters: HistoryMasters;
const primary = { host: '127.0.0.1', port: 0 };
beforeAll(async () => {
  primary.port = await freePort();
  service = await startTestService({
    ZONEWARDEN_SERVICE_MDNS__LISTEN: `${primary.host}:${primary.port}`,
    ZONEWARDEN_DEFAULT__LOG_LEVEL: 'warn',
    // A slow machine is no refusal.
    ZONEWARDEN_STORAGE__BUSY_TIMEOUT: '60',
    ZONEWARDEN_STORAGE__POOL_TIMEOUT: '60',
    ZONEWARDEN_SECONDARY__ALLOWED_MASTERS: '127.0.0.0/8',
  });
  masters = await openHistoryMasters();
});
afterAll(async () => {
  await service.remove();
  await masters.close();
});

it('keeps limits, refuses nothing while there is room, and heeds each entry, in thousands of parallel operations', async () => {
  const ids = ['red', 'green', 'blue'];
  const projects = await Promise.all(
    ids.map(async (id) => ({ id, token: await service.token(id, 'member') })),
  );
  const operations = runs(2500, 1200);
  const client = { request: service.request };
  const history = new History({
    client,
    admin: service.admin,
    projects,
    operations,
    parallel: 24,
    seed: 1,
    masters,
    updates: historyUpdates(primary),
  });
  const { faults, refusals, byKind, met, certain } = await history.run();
  expect(faults).toEqual([]);
  expect(refusals).toBeGreaterThan(operations / 20);
  expect(Object.keys(byKind)).toHaveLength(20);
  for (const count of Object.values(met)) expect(count).toBeGreaterThan(operations / 400);
  expect(certain).toBeGreaterThan(operations / 50);
  const verified = await runHere(['verify'], storeOptions(service.dataDir));
  expect(verified).toMatchObject({ status: 0, err: '' });
}, 600_000);
