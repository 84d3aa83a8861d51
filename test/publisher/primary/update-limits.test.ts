import { expect, it } from 'vitest';
import type { TsigKey } from '../../../src/model/tsig-keys/tsig-key.ts';
import { UpdateLimits } from '../../../src/publisher/primary/update-limits.ts';

const atOnce = async () => {};
let keys = 0;
/** Another key of a zone, which a project or an administrator has made. */
function newKey(resourceId: string, projectId?: string): TsigKey {
  keys += 1;
  return {
    id: `key-${keys}`,
    name: `key-${keys}`,
    algorithm: 'hmac-sha256',
    secret: '',
    scope: 'ZONE',
    resourceId,
    projectId,
    createdAt: '2026-01-01T00:00:00.000000',
    updatedAt: null,
  };
}

it('keeps places for other projects while one fills all that it can get', async () => {
  const limits = new UpdateLimits(10);
  let admitted = 0;
  for (let zone = 0; zone < 100; zone += 1)
    void limits.takePlace(newKey(`zone-${zone}`, 'greedy'), atOnce).then((release) => {
      if (release !== undefined) admitted += 1;
    });
  const others = [newKey('other-1', 'other'), newKey('other-2', 'third'), newKey('other-3')];
  for (const key of others) expect(await limits.takePlace(key, atOnce)).toBeDefined();
  expect(admitted).toBeGreaterThan(1);
  expect(admitted).toBeLessThan(6);
});

it('processes one message of a zone at a time, whichever keys sign them', async () => {
  const limits = new UpdateLimits(10);
  const first = await limits.takePlace(newKey('zone', 'project'), atOnce);
  let isAdmitted = false;
  const second = limits.takePlace(newKey('zone', 'project'), atOnce).then((release) => {
    isAdmitted = true;
    return release;
  });
  expect(await limits.takePlace(newKey('another zone', 'project'), atOnce)).toBeDefined();
  expect(isAdmitted).toBe(false);
  first!();
  expect(await second).toBeDefined();
});

it('lets a bounded number of messages of a project wait for a turn, and those of others beside them', async () => {
  const limits = new UpdateLimits(10);
  const never = () => new Promise<void>(() => {});
  for (let message = 0; message < 64; message += 1)
    void limits.takePlace(newKey(`zone-${message}`, 'greedy'), never);
  expect(await limits.takePlace(newKey('zone', 'greedy'), atOnce)).toBeUndefined();
  expect(await limits.takePlace(newKey('zone', 'other'), atOnce)).toBeDefined();
});
