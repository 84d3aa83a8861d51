import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/model/clock.ts';
import type { Store } from '../../src/model/store.ts';
import { Lease } from '../../src/runtime/lease.ts';
import { until } from '../support/eventually.ts';
import { type ScriptedServer, startNameServer } from '../support/name-server.ts';
import { type Publishing, startPublishing } from '../support/publishing.ts';

const LONG = 600_000;

let server: ScriptedServer;
let publishing: Publishing;
beforeEach(async () => {
  server = await startNameServer();
  publishing = await startPublishing({ nameservers: [server] });
});
afterEach(async () => {
  await publishing.close();
  await server.close();
});

const running = new AbortController().signal;
const nothing = { debug() {}, info() {}, warn() {}, error() {} };
// Two clocks of one process may differ by a millisecond or two.
const clock = systemClock();
const leaseOf = (ms: number, store: Pick<Store, 'transaction'> = publishing.store) =>
  new Lease('work', { store, clock, log: nothing }, ms);

/** Work that lasts until it is told to end. */
function work() {
  let begin = () => {};
  let end = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  let seen: AbortSignal = running;
  const run = async (signal: AbortSignal) => {
    seen = signal;
    begin();
    await over;
  };
  return { run, begun, end: () => end(), signal: () => seen };
}

describe('work that one process at a time does', () => {
  it('is done by nobody else while one does it, nor until it is due again', async () => {
    const [one, other] = [leaseOf(LONG), leaseOf(LONG)];
    const own = work();
    const done = one.run(LONG, running, own.run);
    await own.begun;
    expect(await other.run(LONG, running, work().run)).toBe(false);
    own.end();
    expect(await done).toBe(true);
    expect(await other.run(LONG, running, work().run)).toBe(false);
    expect(await one.run(LONG, running, work().run)).toBe(false);
  });

  it('is due again at once for all after a failure, and after its time', async () => {
    const [one, other] = [leaseOf(LONG), leaseOf(LONG)];
    const failing = one.run(LONG, running, () => Promise.reject(new Error('it fails')));
    await expect(failing).rejects.toThrow('it fails');
    expect(await other.run(0, running, async () => {})).toBe(true);
    expect(await one.run(0, running, async () => {})).toBe(true);
  });

  it('goes over to another when the time of the lease is over, and the first one ends', async () => {
    const dead = { transaction: () => Promise.reject(new Error('the store is away')) };
    let isAway = false;
    const store = {
      transaction: ((run) =>
        isAway ? dead.transaction() : publishing.store.transaction(run)) as Store['transaction'],
    };
    const first = work();
    const lease = leaseOf(300, store);
    const done = lease.run(LONG, running, first.run);
    await first.begun;
    isAway = true;
    const other = leaseOf(LONG);
    const second = work();
    let taken: Promise<boolean> = Promise.resolve(false);
    await until(async () => {
      taken = other.run(LONG, running, second.run);
      await Promise.race([second.begun, taken.then((isDone) => expect(isDone).toBe(true))]);
    });
    // It knows without the store.
    expect([lease.isHeld, other.isHeld]).toEqual([false, true]);
    isAway = false;
    await until(() => expect(first.signal().aborted).toBe(true));
    first.end();
    expect(await done).toBe(false);
    second.end();
    expect(await taken).toBe(true);
  });

  it('is the sweep: of several processes one asks', async () => {
    const first = publishing.startWorker();
    const zone = await publishing.create('one.example.');
    server.answer = () => ({ serial: zone.serial });
    await until(async () => expect((await publishing.order(zone))?.dueAt).toBe(''));
    await first.stop();
    server.heard.length = 0;
    const tries = [0, 0, 0];
    for (const number of tries.keys()) {
      publishing.startWorker({
        settings: { sweepPollMs: 20, sweepIntervalMs: LONG },
        transaction: (store) => (run) =>
          store.transaction((tx) => {
            const take: typeof tx.leases.take = (...args) => {
              tries[number]! += 1;
              return tx.leases.take(...args);
            };
            return run(Object.create(tx, { leases: { value: { ...tx.leases, take } } }));
          }),
      });
    }
    // Each has been refused since, or has swept itself.
    await until(() => expect(Math.min(...tries)).toBeGreaterThan(4));
    expect(server.heard.filter(({ name }) => name === zone.name)).toHaveLength(1);
  });
});
