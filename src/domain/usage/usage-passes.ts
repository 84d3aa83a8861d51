import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, later } from '../../model/clock.ts';
import { highestOf, MEASURES, percentagesOf } from '../../model/quotas/percentages.ts';
import { type Limits, limitsOf, QUOTA_KEYS } from '../../model/quotas/quota.ts';
import type { Store, Transaction } from '../../model/store.ts';
import type { ProjectUsage } from '../../model/usage/project-usage.ts';
import type { FoundProject } from '../../model/usage/store.ts';
import type { Log } from '../../runtime/log.ts';

const LEASE = 'usage';
/** Until the lease of a process that is gone ends, in milliseconds. */
const LEASE_MS = 10_000;
/** From the beginning of one pass to that of the next: with the time that a pass takes, no answer is older than 30 s. */
const EVERY_MS = 15_000;
/** How often a process looks whether a pass is due. */
const POLL_MS = 2000;
/** Projects that are read, and written in one transaction. */
const PROJECTS = 500;
/** How long a pass waits until events that are committed have their places, and how often it looks. */
const SEALING_MS = 5000;
const SEALING_POLL_MS = 100;
/** Between two such steps: a pass is never all that a store does. */
const GAP_MS = 5;

export interface UsagePassDeps {
  readonly store: Pick<Store, 'usage' | 'events' | 'transaction'>;
  readonly clock: Clock;
  readonly log: Log;
  /** The limits of projects without limits of their own. */
  readonly defaults: Limits;
  /** Bytes. */
  readonly maxZoneSize: number;
}

export interface UsagePasses {
  /** Ends after the step that is under way. */
  stop(): Promise<void>;
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

async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  await delay(ms, undefined, { signal, ref: false }).catch(() => {});
  return !signal.aborted;
}

/** What a pass has to look at: all zones, those of some projects, or nothing. */
type Extent = ReadonlySet<string> | 'all' | 'nothing';

interface Plan {
  readonly extent: Extent;
  /** The position of the events that the pass knows. */
  readonly position: number;
}

/** What one process remembers of its last pass. */
export interface Memory {
  position: number | undefined;
  wasLeaving: boolean;
}

/** One pass over all projects: reads each, and writes those that have changed. Without changes it reads none. */
export class UsagePass {
  readonly #deps: UsagePassDeps;
  readonly #signal: AbortSignal;
  readonly #holder: string;
  readonly #memory: Memory;
  #renewAt = Number.NEGATIVE_INFINITY;

  constructor(deps: UsagePassDeps, holder: string, memory: Memory, signal: AbortSignal) {
    this.#deps = deps;
    this.#holder = holder;
    this.#memory = memory;
    this.#signal = signal;
  }

  /** @returns whether it was done: it is not where another process is at it, or nothing is due */
  async run(): Promise<boolean> {
    const startedAt = this.#deps.clock.now();
    if (!(await this.#whileHeld(() => {}))) return false;
    let isDone = false;
    try {
      const plan = await this.#plan();
      isDone =
        plan !== undefined && (await this.#goThrough(plan.extent)) && (await this.#finish(startedAt, plan));
    } finally {
      await this.#end(isDone ? later(startedAt, EVERY_MS) : '');
    }
    return isDone;
  }

  /** Undefined where events that were committed before have no position yet. */
  async #plan(): Promise<Plan | undefined> {
    const { usage, events } = this.#deps.store;
    const isLeaving = await usage.isLeaving();
    const newest = await usage.newestUnsealed();
    const until = performance.now() + SEALING_MS;
    while (newest !== undefined && (await usage.isUnsealed(newest))) {
      if (performance.now() > until || !(await pause(SEALING_POLL_MS, this.#signal))) return undefined;
    }
    const { position, removed } = await events.head();
    const { position: own, wasLeaving } = this.#memory;
    this.#memory.position = undefined;
    this.#memory.wasLeaving = isLeaving;
    if (own === position && !wasLeaving && !isLeaving) return { extent: 'nothing', position };
    const after = await usage.lastPass();
    const isKnown = after !== undefined && after >= removed.position && after <= position;
    return { extent: isKnown ? await usage.changedProjects(after, position) : 'all', position };
  }

  async #finish(startedAt: string, { position }: Plan): Promise<boolean> {
    const isDone = await this.#whileHeld((tx) => tx.usage.finish(startedAt, position));
    if (isDone) this.#memory.position = position;
    return isDone;
  }

  async #goThrough(extent: Extent): Promise<boolean> {
    if (extent === 'nothing') return true;
    for (let after = ''; !this.#signal.aborted; ) {
      const found = await this.#deps.store.usage.next(after, PROJECTS, extent);
      const last = found.at(-1);
      if (last === undefined) return true;
      after = last.id;
      if (!(await this.#write(found.flatMap((one) => this.#changed(one))))) return false;
      await delay(GAP_MS);
    }
    return false;
  }

  #changed({ before, overrides, ...found }: FoundProject): readonly ProjectUsage[] {
    const { defaults, maxZoneSize } = this.#deps;
    const limits = { ...limitsOf({ overrides }, defaults), max_zone_size: maxZoneSize };
    const percentage = highestOf(percentagesOf(found.used, limits));
    const now = { ...found, limits, percentage };
    return before !== undefined && isSame(now, before) ? [] : [now];
  }

  async #write(changed: readonly ProjectUsage[]): Promise<boolean> {
    if (changed.length === 0 && performance.now() < this.#renewAt) return true;
    return this.#whileHeld((tx) => tx.usage.put(changed));
  }

  /** Writes, if no other process has taken over. */
  async #whileHeld(write: (tx: Transaction) => void): Promise<boolean> {
    this.#renewAt = performance.now() + LEASE_MS / 3;
    return this.#deps.store.transaction(async (tx) => {
      const now = this.#deps.clock.now();
      const isHeld = await tx.publications.takeLease(LEASE, this.#holder, now, later(now, LEASE_MS));
      if (isHeld) write(tx);
      return isHeld;
    });
  }

  async #end(nextAt: string): Promise<void> {
    const end = this.#deps.store.transaction(async (tx) =>
      tx.publications.endLease(LEASE, this.#holder, nextAt),
    );
    // It ends by itself.
    await end.catch((err: unknown) =>
      this.#deps.log.warn({ err, lease: LEASE }, 'a lease could not be given back'),
    );
  }
}

/** Keeps what every project uses, so that projects can be sorted by it. One process at a time does. */
export function startUsagePasses(deps: UsagePassDeps): UsagePasses {
  const stopping = new AbortController();
  const { signal } = stopping;
  const holder = randomUUID();

  const memory: Memory = { position: undefined, wasLeaving: false };

  async function repeat(): Promise<void> {
    let isFailing = false;
    while (await pause(POLL_MS, signal)) {
      try {
        await new UsagePass(deps, holder, memory, signal).run();
        isFailing = false;
      } catch (err) {
        if (!isFailing) deps.log.error({ err }, 'the usage of all projects could not be read');
        isFailing = true;
      }
    }
  }

  const running = repeat();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
