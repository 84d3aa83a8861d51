import { expect, it } from 'vitest';
import { failOver } from '../../../trials/failover/fail-over.ts';

it('a primary that is killed under load, and its synchronous standby promoted: nothing acknowledged is lost, writes go on', async () => {
  const { acknowledged, acknowledgedAfter, lost, others, verified } = await failOver();
  expect({ lost, others }).toEqual({ lost: [], others: [] });
  expect(acknowledgedAfter).toBeGreaterThan(0);
  expect(acknowledged).toBeGreaterThan(acknowledgedAfter);
  expect(verified).toEqual({ status: 0, out: expect.stringMatching(/^[^\n]*\n$/) });
});
