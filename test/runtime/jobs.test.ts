/** How work goes on beside the requests. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/model/clock.ts';
import { NO_METRICS } from '../../src/model/metrics/metrics-recorder.ts';
import type { Store } from '../../src/model/store.ts';
import { type Job, Jobs } from '../../src/runtime/jobs.ts';
import { Lease } from '../../src/runtime/lease.ts';
import { openStore } from '../../src/storage/open.ts';
import { until } from '../support/eventually.ts';
import { temporaryFolder } from '../support/process.ts';
import { makeStore, storeSettings } from '../support/store.ts';

const LONG_MS = 600_000;
const RETRY = { firstMs: 1, factor: 1, maxMs: 1 };

let lines: string[];
let ended: string[];
let started: Jobs[];
beforeEach(() => {
  lines = [];
  ended = [];
  started = [];
});
afterEach(async () => {
  await Promise.all(started.map((jobs) => jobs.stop()));
});

/** The jobs of one more process. */
function process(isBusy = () => false): Jobs {
  const line = (level: string) => (fields: object, message: string) => {
    lines.push(`${level} ${(fields as { job?: string }).job}: ${message}`);
  };
  const log = { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
  const meter = {
    ...NO_METRICS,
    jobEnded: (job: string, _: number, isDone: boolean) => void ended.push(`${job} ${isDone}`),
  };
  const jobs = new Jobs({ log, clock: systemClock(), meter, isBusy });
  started.push(jobs);
  return jobs;
}

const jobOf = (job: Partial<Job> & Pick<Job, 'slice'>): Job => ({
  name: 'work',
  intervalMs: LONG_MS,
  retry: RETRY,
  ...job,
});

describe('a job', () => {
  it('does slices until nothing is left, rests, and begins at once when it is woken', async () => {
    let slices = 0;
    const job = process().start(
      jobOf({
        async slice() {
          slices += 1;
          return slices < 5;
        },
      }),
    );
    await until(() => expect(slices).toBe(5));
    job.wake();
    await until(() => expect(slices).toBe(6));
  });

  it('waits for its first slice unless it is woken', async () => {
    let slices = 0;
    const slice = async () => {
      slices += 1;
      return false;
    };
    const jobs = process();
    const late = jobs.start(jobOf({ firstAfterMs: LONG_MS, slice }));
    const others = jobs.start(jobOf({ name: 'others', slice: async () => false }));
    others.wake();
    await until(() => expect(ended).toContain('others true'));
    expect(slices).toBe(0);
    late.wake();
    await until(() => expect(slices).toBe(1));
  });

  it('is woken once by many calls during a slice', async () => {
    let slices = 0;
    let end = () => {};
    const job = process().start(
      jobOf({
        async slice() {
          slices += 1;
          if (slices === 1) {
            await new Promise<void>((resolve) => {
              end = resolve;
            });
          }
          return false;
        },
      }),
    );
    await until(() => expect(slices).toBe(1));
    for (let call = 0; call < 10; call++) job.wake();
    end();
    await until(() => expect(slices).toBe(2));
    job.wake();
    await until(() => expect(slices).toBe(3));
  });

  it('is retried after failures, of which a line tells the first and another the end', async () => {
    let slices = 0;
    const jobs = process();
    jobs.start(
      jobOf({
        async slice() {
          slices += 1;
          if (slices <= 3) throw new Error('it fails');
          return false;
        },
      }),
    );
    await until(() => expect(lines).toHaveLength(2));
    expect(lines).toEqual(['error work: a job failed: retrying', 'info work: a job works again']);
    expect(ended).toEqual(['work false', 'work false', 'work false', 'work true']);
    expect(jobs.stats.get('work')).toMatchObject({ slices: 1, failures: 3, intervalMs: LONG_MS });
    expect(jobs.stats.get('work')!.lastSuccessAt).toMatch(/^\d{4}-.{21}$/);
  });

  it('goes on beside requests that never end', async () => {
    let slices = 0;
    const slice = async () => {
      slices += 1;
      return slices < 2;
    };
    process(() => true).start(jobOf({ yieldsToRequests: true, slice }));
    await until(() => expect(slices).toBe(2));
  });

  it('is finished after the last slice of every job, in the order of their start', async () => {
    const order: string[] = [];
    let begun = 0;
    const jobs = process();
    for (const name of ['one', 'two']) {
      jobs.start(
        jobOf({
          name,
          async slice(signal) {
            begun += 1;
            await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
            order.push(`${name} slice`);
            return false;
          },
          finish: async () => void order.push(`${name} finish`),
        }),
      );
    }
    await until(() => expect(begun).toBe(2));
    await jobs.stop();
    expect(order.toSorted()).toEqual(['one finish', 'one slice', 'two finish', 'two slice']);
    expect(order.slice(2)).toEqual(['one finish', 'two finish']);
  });
});

describe('a job with a lease', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let store: Store;
  beforeEach(async () => {
    folder = temporaryFolder();
    await makeStore(folder.path);
    store = await openStore(storeSettings(folder.path));
  });
  afterEach(async () => {
    await Promise.all(started.map((jobs) => jobs.stop()));
    await store.close();
    folder.remove();
  });

  const silent = { debug() {}, info() {}, warn() {}, error() {} };
  const lease = () => new Lease('work', { store, clock: systemClock(), log: silent }, LONG_MS);

  /** Starts the job in a process of its own; tells what it does. */
  function startKept(name: string, log: string[]): Jobs {
    const jobs = process();
    jobs.start(
      jobOf({
        intervalMs: 1,
        lease: { lease: lease(), isKept: true, pollMs: 1 },
        async slice() {
          log.push(name);
          return false;
        },
        release: async () => void log.push(`${name} released`),
      }),
    );
    return jobs;
  }

  it('is done by one process, and by another after that one has released what it had begun', async () => {
    const log: string[] = [];
    const first = startKept('first', log);
    await until(() => expect(log.length).toBeGreaterThan(3));
    startKept('second', log);
    await until(() => expect(log.length).toBeGreaterThan(20));
    expect(new Set(log)).toEqual(new Set(['first']));
    await first.stop();
    await until(() => expect(log).toContain('second'));
    const released = log.indexOf('first released');
    expect(new Set(log.slice(0, released))).toEqual(new Set(['first']));
    expect(new Set(log.slice(released + 1))).toEqual(new Set(['second']));
  });

  it('does not ask for a kept lease when it is woken', async () => {
    const log: string[] = [];
    startKept('first', log);
    await until(() => expect(log.length).toBeGreaterThan(3));
    let asked = 0;
    const waiting = process().start(
      jobOf({
        lease: { lease: lease(), isKept: true },
        isDue: async () => {
          asked += 1;
          return true;
        },
        slice: async () => false,
      }),
    );
    await until(() => expect(asked).toBe(1));
    const before = log.length;
    for (let call = 0; call < 10; call++) waiting.wake();
    await until(() => expect(log.length).toBeGreaterThan(before + 20));
    expect(asked).toBe(1);
  });

  it('is due again for no process before its time, and takes no lease while it is not due', async () => {
    let slices = 0;
    let asked = 0;
    const once = (isDue = true) =>
      jobOf({
        intervalMs: 1,
        lease: { lease: lease(), everyMs: LONG_MS },
        isDue: async () => {
          asked += 1;
          return isDue;
        },
        async slice() {
          slices += 1;
          return slices % 3 !== 0;
        },
      });
    process().start(once(false));
    await until(() => expect(asked).toBeGreaterThan(5));
    expect(slices).toBe(0);
    process().start(once());
    process().start(once());
    await until(() => expect(slices).toBe(3));
    const before = asked;
    await until(() => expect(asked).toBeGreaterThan(before + 20));
    expect(slices).toBe(3);
  });

  it('that fails is due again at once, and releases what it had begun', async () => {
    const log: string[] = [];
    process().start(
      jobOf({
        intervalMs: LONG_MS,
        lease: { lease: lease(), everyMs: LONG_MS },
        async slice() {
          log.push('slice');
          if (log.length < 3) throw new Error('it fails');
          return false;
        },
        release: async () => void log.push('release'),
      }),
    );
    await until(() => expect(log).toEqual(['slice', 'release', 'slice', 'release']));
  });
});
