/** The short form of `npm run trial -- sets`. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { trySets } from '../../../trials/sets/run.ts';
import type { Ask } from '../../../trials/sets/zone.ts';
import { runs } from '../../support/runs.ts';
import { startTestService, type TestService } from '../../support/service.ts';

const CLIENTS = 4;

let service: TestService;
let asks: readonly Ask[];
beforeAll(async () => {
  service = await startTestService({
    ZONEWARDEN_DEFAULT__QUOTA_ZONES: '-1',
    // A slow machine is no refusal.
    ZONEWARDEN_STORAGE__BUSY_TIMEOUT: '60',
    ZONEWARDEN_STORAGE__POOL_TIMEOUT: '60',
  });
  asks = await Promise.all(
    Array.from({ length: CLIENTS }, async (_, place): Promise<Ask> => {
      const token = await service.token(`project-${place}`, 'member');
      return (method, path, body, headers = {}) => service.request(method, path, { token, body, headers });
    }),
  );
});
afterAll(() => service.remove());

it('can be taken back, has no order, and does what its plan shows: sets of any kind', async () => {
  const count = runs(400, 50);
  const counts = await trySets({ asks, count, seed: 7 });
  expect(counts.sets).toBeGreaterThanOrEqual(count);
  expect(counts.made).toBeGreaterThan(count / 4);
  expect(counts.undone).toBeGreaterThan(count / 8);
  expect(counts.compared).toBeGreaterThan(count / 8);
});
