import { describe, expect, it } from 'vitest';
import { eventKeyOf } from '../../src/model/events/event-key.ts';
import { isProvenBy, nextEnd, proven, type WrittenEvent } from '../../src/model/events/stored-event.ts';

const KEY = eventKeyOf(Buffer.alloc(32, 1));
const PLAIN = {
  id: '0198c0de-7a52-7b3c-8d1e-5f60718293a4',
  time: '2030-01-01T00:00:00.000000',
  type: 'zone.created',
  error: '',
  projectId: 'shop',
  actorProjectId: 'shop',
  callerProjectId: 'shop',
  userId: 'somebody',
  origin: 'request',
  requestId: 'req-1',
  address: '192.0.2.1',
  targetKind: 'zone',
  targetId: 'a',
  targetName: 'a.example.',
  data: '{"after":{"ttl":60}}',
  isShown: true,
};
const EVENT = proven(PLAIN, KEY);
const BEFORE = { position: 7, hash: 'ab'.repeat(32) };

describe('the proof of an event', () => {
  it.each(Object.keys(PLAIN))('covers its %s', (field) => {
    const value = field === 'isShown' ? false : `${PLAIN[field as keyof typeof PLAIN]}x`;
    const other = proven({ ...PLAIN, [field]: value }, KEY);
    expect(other.mac).not.toBe(EVENT.mac);
    expect(isProvenBy({ ...other, mac: EVENT.mac }, KEY)).toBe(false);
  });

  it('is that of its key alone', () => {
    expect(isProvenBy(EVENT, KEY)).toBe(true);
    expect(isProvenBy(EVENT, eventKeyOf(Buffer.alloc(32, 2)))).toBe(false);
    expect(isProvenBy({ ...EVENT, mac: '' }, KEY)).toBe(false);
  });

  it('does not let a part of the head pass for a part of the contents', () => {
    const moved: WrittenEvent = { ...EVENT, head: `${EVENT.head}\n${EVENT.data}`, data: '' };
    expect(isProvenBy(moved, KEY)).toBe(false);
  });
});

describe('the hash of an event', () => {
  it('is SHA-256 in hexadecimal, at the next position', () => {
    expect(nextEnd(BEFORE, EVENT)).toEqual({ position: 8, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  it('covers the hash before it, the position, the event and its proof', () => {
    const ends = [
      nextEnd(BEFORE, EVENT),
      nextEnd({ ...BEFORE, hash: 'ac'.repeat(32) }, EVENT),
      nextEnd({ ...BEFORE, position: 8 }, EVENT),
      nextEnd(BEFORE, { ...EVENT, head: `${EVENT.head} ` }),
      nextEnd(BEFORE, { ...EVENT, data: `${EVENT.data} ` }),
      nextEnd(BEFORE, { ...EVENT, mac: EVENT.mac.replace(/^./, (digit) => (digit === '0' ? '1' : '0')) }),
    ];
    expect(new Set(ends.map(({ hash }) => hash)).size).toBe(ends.length);
  });
});
