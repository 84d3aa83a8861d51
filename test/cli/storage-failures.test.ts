import { afterAll, beforeAll, expect, it } from 'vitest';
import { runHere } from '../support/run-here.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { storeOptions } from '../support/store.ts';
import { holdWriteLock } from '../support/write-lock.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.remove());

it('a command that the store refuses says why, and what to do', async () => {
  const lock = await holdWriteLock(service.dataDir);
  const env = { ...storeOptions(service.dataDir), ZONEWARDEN_STORAGE__BUSY_TIMEOUT: '1' };
  const { status, err } = await runHere(['tld', 'import', '/dev/null'], env);
  await lock.release();
  expect([status, err]).toEqual([
    2,
    expect.stringMatching(/Nothing was changed; retry later\. The cause: .*lock.*\.\n$/),
  ]);
});
