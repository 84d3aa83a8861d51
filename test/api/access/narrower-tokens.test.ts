/** A token gets no answer that the token which created it does not get. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tryNarrowing } from '../../support/narrowing/run.ts';
import { runs } from '../../support/runs.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    ZONEWARDEN_DEFAULT__LOG_LEVEL: 'warn',
    ZONEWARDEN_SERVICE_API__FAILED_TOKENS_PER_SECOND: '1000000',
    ZONEWARDEN_SERVICE_API__ZONE_CHECKS_PER_SECOND: '1000000',
    // A slow machine is no refusal.
    ZONEWARDEN_STORAGE__BUSY_TIMEOUT: '60',
    ZONEWARDEN_STORAGE__POOL_TIMEOUT: '60',
  });
});
afterAll(() => service.remove());

it('reads, changes and learns nothing that its creator does not: random scopes and requests', async () => {
  const rounds = runs(10, 1);
  const counts = await tryNarrowing(service, { rounds, seed: 1 });
  expect(counts.pairs).toBeGreaterThan(rounds * 4);
  expect(counts.readsDone).toBeGreaterThan(rounds * 30);
  expect(counts.less).toBeGreaterThan(rounds * 5);
  expect(counts.writesDone).toBeGreaterThan(rounds * 4);
}, 1_200_000);
