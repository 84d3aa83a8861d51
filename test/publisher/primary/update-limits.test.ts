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

const datagram = (address: string) => ({ address, isDatagram: true });

it('verifies messages from networks that have signed rightly, however many datagrams strangers send', () => {
  const limits = new UpdateLimits(10);
  const known = datagram('192.0.2.1');
  limits.prove(known, newKey('zone', 'project'));
  for (let sender = 0; sender < 60_000; sender += 1)
    limits.waitToVerify(datagram(`10.0.${sender >> 8}.${sender & 255}`));
  expect(limits.waitToVerify(datagram('192.0.2.2'))).toBeUndefined();
  expect(limits.waitToVerify(known)).toBeDefined();
});

it('gives turns to the project of a network, and one caller to all datagrams of strangers', () => {
  const limits = new UpdateLimits(10);
  limits.prove(datagram('192.0.2.1'), newKey('zone', 'project'));
  expect(limits.callerOf(datagram('192.0.2.1'))).toBe('project');
  const [one, other] = ['198.51.100.1', '203.0.113.1'].map((address) => limits.callerOf(datagram(address)));
  expect(one).toBe(other);
  expect(limits.callerOf({ address: '198.51.100.1', isDatagram: false })).toBe('198.51.100.1');
});

it('forgets the networks of a project with very many, and those of no other', () => {
  const limits = new UpdateLimits(10);
  limits.prove(datagram('192.0.2.1'), newKey('zone', 'small'));
  for (let network = 0; network < 60_000; network += 1)
    limits.prove(datagram(`10.0.${network >> 8}.${network & 255}`), newKey('zone', 'large'));
  expect(limits.callerOf(datagram('192.0.2.1'))).toBe('small');
  expect(limits.callerOf(datagram('10.0.0.1'))).not.toBe('large');
  expect(limits.callerOf(datagram(`10.0.${59_999 >> 8}.${59_999 & 255}`))).toBe('large');
});
