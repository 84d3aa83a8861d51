/** Keeps secondary zones up to date: asks their masters when they are due, and transfers later serials. */
import { setMaxListeners } from 'node:events';
import type { DueSecondary, Secondaries } from '../../model/secondaries/secondary.ts';
import type { ClaimPlaces } from '../../model/secondaries/store.ts';
import type { Jobs, StartedJob } from '../../runtime/jobs.ts';
import type { Log } from '../../runtime/log.ts';
import { Semaphore } from '../../runtime/semaphore.ts';
import { Shares } from '../../runtime/shares.ts';
import { DnsClient } from '../worker/dns-client.ts';
import { type RefreshDeps, refresh } from './refresh.ts';
import type { SecondaryWorkerSettings } from './settings.ts';

export interface SecondaryWorkerDeps {
  readonly secondaries: Omit<Secondaries, 'notified'>;
  readonly log: Log;
  /** True if the API is so busy that transfers should yield. */
  busy(): boolean;
}

export interface SecondaryWorker {
  /** Checks for due zones soon. Calls are combined. */
  wake(): void;
}

/** A refresh in progress, with the newer claim of the zone, if it was claimed again meanwhile. */
interface RunningRefresh {
  again: DueSecondary | undefined;
}

/** Returns the newer claim of the zone, once. */
function takeAgain(running: RunningRefresh): DueSecondary | undefined {
  const { again } = running;
  running.again = undefined;
  return again;
}

/** Tracks places while zones are claimed, and whether one was missing. */
class TriedPlaces implements ClaimPlaces {
  readonly #shares: Shares;
  wasFull = false;

  constructor(shares: Shares) {
    this.#shares = shares;
  }

  hasCapacity(projectId: string): boolean {
    const hasCapacity = this.#shares.hasCapacity(projectId);
    this.wasFull ||= !hasCapacity;
    return hasCapacity;
  }

  take(projectId: string): void {
    this.#shares.take(projectId);
  }
}

class IncomingTransfers implements SecondaryWorker {
  readonly #deps: SecondaryWorkerDeps;
  readonly #exchanges: DnsClient;
  readonly #refreshing: RefreshDeps;
  readonly #stopping: AbortSignal;
  readonly #running = new Map<string, RunningRefresh>();
  /** Shares of the refreshes in progress. */
  readonly #shares: Shares;
  readonly #ends = new Set<Promise<void>>();
  readonly #job: StartedJob;
  /** True if there may be due zones for which there was no place. */
  #isMore = false;

  constructor(jobs: Jobs, deps: SecondaryWorkerDeps, settings: SecondaryWorkerSettings) {
    this.#deps = deps;
    this.#stopping = jobs.signal;
    // Every query and every connection adds a listener.
    setMaxListeners(0, this.#stopping);
    this.#exchanges = new DnsClient(settings.queries);
    const {
      maxTransfers: transfers,
      maxTransfersPerMaster: transfersPerMaster,
      transferWaitMs,
      maxZones: zones,
    } = settings;
    const places = new Semaphore({
      permits: transfers,
      perOwner: 'half of the rest',
      perResource: transfersPerMaster,
      waitMs: transferWaitMs,
    });
    this.#shares = new Shares(zones);
    this.#refreshing = { ...deps, exchanges: this.#exchanges, places, bounds: settings };
    this.#job = jobs.start({
      name: 'secondaries',
      intervalMs: settings.pollMs,
      gapMs: () => (deps.busy() ? settings.busyMinGapMs : settings.minGapMs),
      retry: settings.storeBackoff,
      slice: () => this.#claim(),
      finish: async () => {
        await Promise.all(this.#ends);
        this.#exchanges.close();
      },
    });
  }

  wake(): void {
    this.#job.wake();
  }

  /** Returns true if there may be more to do now. */
  async #claim(): Promise<boolean> {
    const freeSlots = this.#shares.free;
    this.#isMore = true;
    if (freeSlots <= 0) return false;
    const places = new TriedPlaces(this.#shares.copy());
    const due = await this.#deps.secondaries.claim(freeSlots, places);
    for (const zone of due) this.#begin(zone);
    this.#isMore = places.wasFull || due.length >= freeSlots;
    return due.length >= freeSlots;
  }

  #begin(zone: DueSecondary): void {
    const known = this.#running.get(zone.id);
    if (known !== undefined) {
      known.again = zone;
      return;
    }
    const running: RunningRefresh = { again: undefined };
    this.#running.set(zone.id, running);
    this.#shares.take(zone.projectId);
    const end = this.#follow(zone, running).finally(() => {
      this.#running.delete(zone.id);
      this.#ends.delete(end);
      this.#shares.leave(zone.projectId);
      if (this.#isMore) this.wake();
    });
    this.#ends.add(end);
  }

  /** Refreshes a zone, and again if it became due meanwhile. */
  async #follow(zone: DueSecondary, running: RunningRefresh): Promise<void> {
    let next: DueSecondary | undefined = zone;
    while (next !== undefined) {
      if (this.#stopping.aborted) return this.#release(next);
      const taken = await this.#refresh(next);
      const again = takeAgain(running);
      next = again && (taken === undefined ? again : { ...again, serial: taken, wantsWhole: false });
    }
  }

  async #refresh(zone: DueSecondary): Promise<number | undefined> {
    try {
      return await refresh(this.#refreshing, zone, this.#stopping);
    } catch (err) {
      if (this.#stopping.aborted) await this.#release(zone);
      else this.#deps.log.error({ err, zone: zone.name }, 'cannot refresh a secondary zone');
      return undefined;
    }
  }

  /** Leaves a zone to another process. If that fails, its lease ends by itself. */
  async #release(zone: DueSecondary): Promise<void> {
    try {
      await this.#deps.secondaries.released(zone);
    } catch (err) {
      this.#deps.log.warn({ err, zone: zone.name }, 'a secondary zone stays claimed for some minutes');
    }
  }
}

/** Starts the refresh of secondary zones. Every process runs it, and they share the work. */
export function startSecondaryWorker(
  jobs: Jobs,
  deps: SecondaryWorkerDeps,
  settings: SecondaryWorkerSettings,
): SecondaryWorker {
  return new IncomingTransfers(jobs, deps, settings);
}
