/** Stores the usage of every project, so that projects can be sorted by it. */
import type { Clock } from '../../model/clock.ts';
import { highestOf, MEASURES, percentagesOf } from '../../model/quotas/percentages.ts';
import { type Limits, limitsOf, QUOTA_KEYS } from '../../model/quotas/quota.ts';
import type { Store, Transaction } from '../../model/store.ts';
import type { ProjectUsage } from '../../model/usage/project-usage.ts';
import type { FoundProject } from '../../model/usage/store.ts';
import type { Job } from '../../runtime/jobs.ts';
import { Lease } from '../../runtime/lease.ts';
import type { Log } from '../../runtime/log.ts';
import { pause } from '../../runtime/pause.ts';

/** How long a process that has died keeps others from the pass. */
const LEASE_MS = 10_000;
/** From the beginning of one pass to that of the next: with the duration of a pass, no answer is older than 30 s. */
const INTERVAL_MS = 15_000;
/** Interval at which a process checks whether a pass is due. */
const POLL_MS = 2000;
/** Pause between two slices, since the store has other work. */
const GAP_MS = 5;
/** Projects of a slice, which are read at once and written in one transaction. */
const PROJECTS = 500;
/** How long a pass waits until committed events have positions, and how often it looks. */
const SEALING_MS = 5000;
const SEALING_POLL_MS = 100;

export interface UsageJobDeps {
  readonly store: Pick<Store, 'usage' | 'events' | 'transaction'>;
  readonly clock: Clock;
  readonly log: Log;
  /** The limits of projects without limits of their own. */
  readonly defaults: Limits;
  /** Bytes. */
  readonly maxZoneSize: number;
}

/** Compared member by member: there may be a hundred thousand of them. */
function isSame(one: ProjectUsage, other: ProjectUsage): boolean {
  return (
    one.recordsets === other.recordsets &&
    one.percentage === other.percentage &&
    MEASURES.every((key) => one.used[key] === other.used[key]) &&
    one.limits.max_zone_size === other.limits.max_zone_size &&
    QUOTA_KEYS.every((key) => one.limits[key] === other.limits[key])
  );
}

/** A pass that has begun. */
interface UsagePass {
  readonly startedAt: string;
  /** The position of the newest event that the pass covers. */
  readonly position: number;
  readonly projects: ReadonlySet<string> | 'all' | 'none';
  /** The project up to which the pass is done. */
  readonly after: string;
}

/** Reads every project that has changed since the last pass, and writes those whose usage differs. */
class UsagePasses {
  readonly #deps: UsageJobDeps;
  readonly #lease: Lease;
  #pass: UsagePass | undefined;
  /** The position that this process's last pass has covered, if no other process has done one since. */
  #position: number | undefined;
  #wasLeaving = false;

  constructor(deps: UsageJobDeps, lease: Lease) {
    this.#deps = deps;
    this.#lease = lease;
  }

  /** @returns whether projects are left */
  async slice(signal: AbortSignal): Promise<boolean> {
    const pass = this.#pass ?? (await this.#begin(signal));
    if (pass === undefined) return false;
    this.#pass = pass;
    const last = pass.projects === 'none' ? undefined : await this.#next(pass, pass.projects);
    if (last !== undefined) {
      this.#pass = { ...pass, after: last };
      return true;
    }
    await this.#write((tx) => tx.usage.finish(pass.startedAt, pass.position));
    this.#position = pass.position;
    return false;
  }

  reset(): void {
    this.#pass = undefined;
  }

  /** @returns undefined if the service stops before committed events have positions. @throws if that takes too long */
  async #begin(signal: AbortSignal): Promise<UsagePass | undefined> {
    const { store, clock } = this.#deps;
    const { usage, events } = store;
    const startedAt = clock.now();
    const isLeaving = await usage.isLeaving();
    if (!(await this.#awaitSealing(signal))) return undefined;
    const { position, removed } = await events.head();
    const [known, wasLeaving] = [this.#position, this.#wasLeaving];
    this.#position = undefined;
    this.#wasLeaving = isLeaving;
    const common = { startedAt, position, after: '' };
    if (known === position && !wasLeaving && !isLeaving) return { ...common, projects: 'none' };
    const covered = await usage.lastPass();
    const isKnown = covered !== undefined && covered >= removed.position && covered <= position;
    return { ...common, projects: isKnown ? await usage.changedProjects(covered, position) : 'all' };
  }

  async #awaitSealing(signal: AbortSignal): Promise<boolean> {
    const { usage } = this.#deps.store;
    const newest = await usage.newestUnsealed();
    const until = performance.now() + SEALING_MS;
    while (newest !== undefined && (await usage.isUnsealed(newest))) {
      if (performance.now() > until) throw new Error('committed events have waited too long to be sealed');
      if (!(await pause(SEALING_POLL_MS, signal))) return false;
    }
    return true;
  }

  /** @returns the last project of the slice; undefined after the last of all */
  async #next({ after }: UsagePass, projects: ReadonlySet<string> | 'all'): Promise<string | undefined> {
    const found = await this.#deps.store.usage.next(after, PROJECTS, projects);
    const changed = found.flatMap((one) => this.#changed(one));
    if (changed.length > 0) await this.#write((tx) => tx.usage.put(changed));
    return found.at(-1)?.id;
  }

  #changed({ before, overrides, ...found }: FoundProject): readonly ProjectUsage[] {
    const { defaults, maxZoneSize } = this.#deps;
    const limits = { ...limitsOf({ overrides }, defaults), max_zone_size: maxZoneSize };
    const percentage = highestOf(percentagesOf(found.used, limits));
    const now = { ...found, limits, percentage };
    return before !== undefined && isSame(now, before) ? [] : [now];
  }

  /** @throws if another process has taken over, whose numbers may be newer */
  async #write(write: (tx: Transaction) => void): Promise<void> {
    await this.#deps.store.transaction(async (tx) => {
      if (!(await this.#lease.extend(tx)))
        throw new Error('another process has taken over the usage of projects');
      write(tx);
    });
  }
}

/** The job that stores the usage of every project, in one process at a time. */
export function usageJob(deps: UsageJobDeps): Job {
  const lease = new Lease('usage', deps, LEASE_MS);
  const passes = new UsagePasses(deps, lease);
  return {
    name: 'usage',
    intervalMs: POLL_MS,
    firstAfterMs: POLL_MS,
    gapMs: GAP_MS,
    retry: { firstMs: POLL_MS, factor: 2, maxMs: INTERVAL_MS },
    lease: { lease, everyMs: INTERVAL_MS },
    slice: (signal) => passes.slice(signal),
    release: async () => passes.reset(),
  };
}
