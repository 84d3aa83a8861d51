import type { Clock } from '../../model/clock.ts';
import { formatAddress, type Pool, type ServerAddress, thresholdOf } from '../../model/pools/pool.ts';
import type { Order, OrderOutcome } from '../../model/publication/publication.ts';
import type { PublicationReads } from '../../model/publication/store.ts';
import { delayAfter } from '../../runtime/backoff.ts';
import { pause } from '../../runtime/pause.ts';
import type { DnsClient } from './dns-client.ts';
import type { LatencyEstimator } from './latency-estimator.ts';
import type { Notifier } from './notify.ts';
import { knownVerdict, outcomeOf } from './outcome.ts';
import type { ServerKeys } from './pools-and-keys.ts';
import { askSerial, type Reply } from './questions.ts';
import type { WorkerSettings } from './settings.ts';
import { newestTransfer } from './transferred.ts';
import { type ServerVerdict, signingVerdict, verdictOf } from './verdict.ts';

const NOT_YET = 'The server has not answered yet.';

/** Dependencies of confirming orders. */
export interface TrackerDeps {
  readonly exchanges: DnsClient;
  readonly notifier: Notifier;
  readonly latency: LatencyEstimator;
  readonly publication: Pick<PublicationReads, 'find' | 'transferred'>;
  readonly clock: Clock;
  readonly settings: WorkerSettings;
}

/** An order, its pool and the keys of its servers. */
export interface OrderTask {
  readonly order: Order;
  readonly pool: Pool;
  readonly keys: ServerKeys;
}

/**
 * Number of servers that must confirm. A zone that is recreated in another catalog must be gone from all servers,
 * because one may belong to both pools.
 */
function neededOf({ order, pool }: OrderTask): number {
  return order.isRemoval && order.move !== null ? pool.nameservers.length : thresholdOf(pool);
}

interface TrackedServer {
  readonly server: ServerAddress;
  verdict: ServerVerdict;
  wasHeard: boolean;
}

/** Confirms one order with the servers of its pool. */
class OrderTracker {
  readonly #deps: TrackerDeps;
  readonly #task: OrderTask;
  readonly #states: readonly TrackedServer[];
  readonly #ended = new AbortController();
  readonly #startedAt = performance.now();
  #stragglersTimer: NodeJS.Timeout | undefined;

  constructor(deps: TrackerDeps, task: OrderTask) {
    this.#deps = deps;
    this.#task = task;
    this.#states = task.pool.nameservers.map((server) => ({
      server,
      verdict: { ...knownVerdict(task.order.servers, server), fault: NOT_YET },
      wasHeard: false,
    }));
  }

  /**
   * Queries until all servers have the change, time runs out, or enough have it and the others have had their chance.
   */
  async run(signal: AbortSignal): Promise<void> {
    const end = () => this.#ended.abort();
    const timer = setTimeout(end, this.#deps.settings.confirmForMs);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    try {
      await Promise.all(this.#states.map((state) => this.#watch(state)));
    } finally {
      clearTimeout(timer);
      clearTimeout(this.#stragglersTimer);
      signal.removeEventListener('abort', end);
    }
    if (!signal.aborted && this.#task.order.attempts === 0) this.#noteLate();
  }

  get isEnough(): boolean {
    return this.#arrivedCount() >= neededOf(this.#task);
  }

  async outcome(): Promise<OrderOutcome> {
    const { order } = this.#task;
    const { clock, publication, settings } = this.#deps;
    const threshold = neededOf(this.#task);
    const verdicts = this.#states.map(({ server, verdict, wasHeard }) => ({ server, wasHeard, ...verdict }));
    const isAll = verdicts.every(({ fault }) => fault === null);
    // Meanwhile the primary may have found that the zone cannot be published.
    const error = isAll ? '' : ((await publication.find(order.id))?.error ?? order.error);
    return outcomeOf({ order, verdicts, threshold, error, now: clock.now() }, settings);
  }

  async #watch(state: TrackedServer): Promise<void> {
    const waits = this.#deps.latency.waits(state.server);
    let asked = 0;
    while (await pause(delayAfter(waits, asked), this.#ended.signal)) {
      const reply = await this.#ask(state);
      if (this.#ended.signal.aborted && reply.kind === 'unanswered') return;
      state.verdict = await this.#decide(state, reply);
      state.wasHeard ||= reply.kind === 'serial' || reply.kind === 'absent';
      if (state.verdict.fault === null) return this.#arrived(state);
      if (reply.kind === 'unanswered' && reply.isSilent) return;
      asked += 1;
    }
  }

  #ask({ server }: TrackedServer): Promise<Reply> {
    const { order, keys } = this.#task;
    const question = { server, name: order.name, key: keys(server), needsProof: order.isRemoval };
    return askSerial(this.#deps.exchanges, question, this.#ended.signal);
  }

  async #decide({ server, verdict }: TrackedServer, reply: Reply): Promise<ServerVerdict> {
    const { order, pool } = this.#task;
    const { publication } = this.#deps;
    if (pool.signing && !order.isRemoval) {
      const transferred = await newestTransfer(publication, order.zoneId, server);
      return signingVerdict(order, reply, verdict, transferred);
    }
    const first = verdictOf(order, reply, verdict, order.serial);
    if (first.isOurs || reply.kind !== 'serial' || order.isRemoval) return first;
    const newest = await publication.find(order.id);
    return verdictOf(order, reply, verdict, newest?.serial ?? order.serial);
  }

  /** Counts late servers in their pace, but only once: a zone may fail forever. */
  #noteLate(): void {
    const { latency, settings } = this.#deps;
    for (const { server, verdict, wasHeard } of this.#states) {
      if (wasHeard && verdict.fault !== null) latency.arrived(server, settings.confirmForMs);
    }
  }

  #arrivedCount(): number {
    return this.#states.filter(({ verdict }) => verdict.fault === null).length;
  }

  #arrived({ server }: TrackedServer): void {
    const { order } = this.#task;
    this.#deps.latency.arrived(server, performance.now() - this.#startedAt);
    if (this.#arrivedCount() !== neededOf(this.#task)) return;
    const ms = order.isRemoval ? 0 : this.#deps.settings.stragglerWaitMs;
    this.#stragglersTimer = setTimeout(() => this.#ended.abort(), ms);
  }
}

/** Servers learn of a new zone from the catalog, and of one they have or should have from NOTIFY. */
function isNotified({ order, pool }: OrderTask): boolean {
  if (order.isRemoval) return false;
  return pool.catalogZone === null || order.publishedSerial !== null || order.attempts > 0;
}

/** The servers to notify: all at first, then those that have not confirmed the current serial. */
function notifyTargets({ order, pool }: OrderTask): readonly ServerAddress[] {
  const have = new Set(
    order.servers.filter(({ serial, fault }) => fault === null && serial === order.serial).map(formatAddress),
  );
  const others = pool.nameservers.filter((server) => !have.has(formatAddress(server)));
  return order.attempts === 0 ? [...pool.nameservers, ...pool.alsoNotifies] : others;
}

/**
 * Makes the servers of a pool load or drop a zone: notifies them, then queries them until they have done so or time
 * runs out.
 * @param signal ends the wait; there is then no outcome unless enough servers have confirmed
 */
export async function trackOrder(
  deps: TrackerDeps,
  task: OrderTask,
  signal: AbortSignal,
): Promise<OrderOutcome | undefined> {
  const { order, keys } = task;
  if (isNotified(task)) deps.notifier.notify(order.name, notifyTargets(task), keys);
  const look = new OrderTracker(deps, task);
  await look.run(signal);
  return signal.aborted && !look.isEnough ? undefined : look.outcome();
}
