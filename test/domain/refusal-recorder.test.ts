import { describe, expect, it } from 'vitest';
import { eventsTo } from '../../src/domain/events/events.ts';
import { LISTED_IN_HOUR } from '../../src/domain/events/hourly-shares.ts';
import { LISTED_OF_PROJECT, RefusalRecorder } from '../../src/domain/events/refusal-recorder.ts';
import { type Clock, systemClock } from '../../src/model/clock.ts';
import { commandContext } from '../../src/model/context/request-context.ts';
import { DomainError, UNKNOWN_OUTCOME } from '../../src/model/errors.ts';
import { eventKeyOf } from '../../src/model/events/event-key.ts';
import type { RefusalCount } from '../../src/model/events/store.ts';
import type { WrittenEvent } from '../../src/model/events/stored-event.ts';
import type { Store, Transaction } from '../../src/model/store.ts';

const PROJECTS = 10_000;
const MAX_ROWS = 500;
const MAX_COUNTERS = 2000;

/** A store that keeps what it is given, or is down. */
class Kept {
  isDown = false;
  events: WrittenEvent[] = [];
  counts: readonly RefusalCount[] = [];

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    if (this.isDown) throw new DomainError('storage_unavailable');
    const events = {
      append: (event: WrittenEvent) => void this.events.push(event),
      countRefusals: (counts: readonly RefusalCount[]) => {
        this.counts = counts;
      },
    };
    return work({ events } as unknown as Transaction);
  }

  get total(): number {
    return this.counts.reduce((sum, { count }) => sum + count, 0);
  }
}

function recorderOver(store: Kept, clock: Clock = systemClock()) {
  const key = eventKeyOf(Buffer.alloc(32));
  const keys = { current: () => key, find: () => key };
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const recorder = new RefusalRecorder({ store: store as unknown as Store, keys, log });
  const events = eventsTo([(event) => recorder.take(event)], clock);
  const refuse = (project: string, blacklist: string) => {
    const error = new DomainError('blacklisted_name', undefined, { details: { blacklist } });
    const context = { ...commandContext('nobody'), projectId: project };
    events.publish(events.make(context, { type: 'refused.blacklist', target: { kind: 'zone' }, error }));
  };
  return { recorder, refuse };
}

it('a flood from ten thousand projects is a bounded number of rows, and all of it is counted', async () => {
  const store = new Kept();
  const { recorder, refuse } = recorderOver(store);
  for (let turn = 0; turn < 2; turn++) {
    for (let project = 0; project < PROJECTS; project++) refuse(`p${project}`, `entry-${project}`);
  }
  await recorder.flush();
  expect(store.events.length).toBe(MAX_ROWS);
  expect(store.counts.length).toBeLessThanOrEqual(MAX_COUNTERS);
  expect(store.total).toBe(2 * PROJECTS);
});

it('while the store is down no more is kept than fits one write, and nothing goes uncounted', async () => {
  const store = new Kept();
  const { recorder, refuse } = recorderOver(store);
  store.isDown = true;
  const seconds = 20;
  for (let second = 0; second < seconds; second++) {
    for (let project = 0; project < PROJECTS / 10; project++)
      refuse(`p${second}-${project}`, `entry-${project}`);
    await recorder.flush();
  }
  store.isDown = false;
  await recorder.flush();
  expect(store.events.length).toBe(MAX_ROWS);
  expect(store.counts.length).toBeLessThanOrEqual(MAX_COUNTERS);
  expect(store.total).toBe((seconds * PROJECTS) / 10);
});

it('what may have been committed is not written again: an event has one place', async () => {
  const store = new Kept();
  const { recorder, refuse } = recorderOver(store);
  const { transaction } = store;
  store.transaction = async (work) => {
    await transaction.call(store, work);
    throw new DomainError('storage_unavailable', undefined, { details: { outcome: UNKNOWN_OUTCOME } });
  };
  refuse('one', 'entry');
  await recorder.flush();
  store.transaction = transaction;
  refuse('other', 'entry');
  await recorder.flush();
  expect(store.events.length).toBe(2);
  expect(new Set(store.events.map(({ id }) => id)).size).toBe(2);
});

it('one project alone takes only its share of the rows', async () => {
  const store = new Kept();
  const { recorder, refuse } = recorderOver(store);
  for (let sent = 0; sent < PROJECTS; sent++) refuse('loud', 'entry');
  refuse('quiet', 'entry');
  await recorder.flush();
  expect(store.events.length).toBe(LISTED_OF_PROJECT + 1);
  expect(store.total).toBe(PROJECTS + 1);
});

describe('in an hour', () => {
  let hour = 10;
  const clock: Clock = { now: () => `2030-01-01T${hour}:00:00.000000` };

  it('a project that floods without end has a bounded number of rows, and another one its own', async () => {
    const store = new Kept();
    const { recorder, refuse } = recorderOver(store, clock);
    const flood = async (seconds: number) => {
      for (let second = 0; second < seconds; second++) {
        for (let sent = 0; sent < 2 * LISTED_OF_PROJECT; sent++) refuse('loud', 'entry');
        await recorder.flush();
      }
    };
    const seconds = LISTED_IN_HOUR / LISTED_OF_PROJECT + 50;
    await flood(seconds);
    expect(store.events.length).toBe(LISTED_IN_HOUR);
    refuse('quiet', 'entry');
    await recorder.flush();
    expect(store.events.length).toBe(LISTED_IN_HOUR + 1);
    hour += 1;
    await flood(1);
    expect(store.events.length).toBe(LISTED_IN_HOUR + 1 + LISTED_OF_PROJECT);
  });

  it('refusals by ever other blacklists are a bounded number of counters, and all of them are counted', async () => {
    const store = new Kept();
    const { recorder, refuse } = recorderOver(store, clock);
    const keys = new Set<string>();
    let total = 0;
    const [flushes, each] = [40, 500];
    for (let flush = 0; flush < flushes; flush++) {
      for (let sent = 0; sent < each; sent++) refuse('loud', `entry-${flush}-${sent}`);
      await recorder.flush();
      for (const { blacklistId, count } of store.counts) {
        keys.add(blacklistId);
        total += count;
      }
    }
    expect(total).toBe(flushes * each);
    expect(keys.size).toBe(10_001);
  });
});
