import { expect, it } from 'vitest';
import { commandAct } from '../../src/domain/acts/act.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { DomainError } from '../../src/domain/errors.ts';
import { eventKeyOf } from '../../src/domain/events/event-key.ts';
import { eventsTo } from '../../src/domain/events/events.ts';
import { LISTED_OF_PROJECT, RefusalRecorder } from '../../src/domain/events/refusal-recorder.ts';
import type { RefusalCount } from '../../src/domain/events/store.ts';
import type { WrittenEvent } from '../../src/domain/events/stored-event.ts';
import type { Store, Transaction } from '../../src/domain/store.ts';

const PROJECTS = 10_000;
const MOST_ROWS = 500;
const MOST_COUNTERS = 2000;

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

function recorderOver(store: Kept) {
  const key = eventKeyOf(Buffer.alloc(32));
  const keys = { current: () => key, find: () => key };
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const recorder = new RefusalRecorder({ store: store as unknown as Store, keys, log });
  const events = eventsTo([(event) => recorder.take(event)], systemClock());
  const refuse = (project: string, blacklist: string) => {
    const error = new DomainError('blacklisted_name', undefined, { details: { blacklist } });
    const act = { ...commandAct('nobody'), projectId: project };
    events.publish(events.make(act, { type: 'refused.blacklist', target: { kind: 'zone' }, error }));
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
  expect(store.events.length).toBe(MOST_ROWS);
  expect(store.counts.length).toBeLessThanOrEqual(MOST_COUNTERS);
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
  expect(store.events.length).toBe(MOST_ROWS);
  expect(store.counts.length).toBeLessThanOrEqual(MOST_COUNTERS);
  expect(store.total).toBe((seconds * PROJECTS) / 10);
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
