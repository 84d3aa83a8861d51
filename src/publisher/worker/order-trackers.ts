import { later } from '../../model/clock.ts';
import { type Pool, thresholdOf } from '../../model/pools/pool.ts';
import type { ClaimedOrder, Order, OrderOutcome } from '../../model/publication/publication.ts';
import type { WorkerDeps } from './deps.ts';
import { type TrackerDeps, trackOrder } from './order-tracker.ts';
import { knownVerdict, outcomeOf } from './outcome.ts';
import { type Next, Outcomes } from './outcomes.ts';
import { MissingKey, type PoolsAndKeys } from './pools-and-keys.ts';
import { recordOutcome } from './record-outcome.ts';

/** The next step after an outcome. */
function nextOf(order: Order, { isDone, publishedSerial }: OrderOutcome): Next {
  if (order.isRemoval) return isDone ? 'finish' : 'keep';
  return order.move !== null && publishedSerial !== null ? 'keep, and go on' : 'keep';
}

/** The orders that this process is confirming. */
export class OrderTrackers {
  readonly #deps: TrackerDeps & WorkerDeps;
  readonly #outcomes: Outcomes;
  readonly #stopping: AbortSignal;
  readonly #onEnd: () => void;
  /** By order id. */
  readonly #running = new Map<string, AbortController>();
  readonly #ends = new Set<Promise<void>>();

  /** @param onEnd called after each order */
  constructor(deps: TrackerDeps & WorkerDeps, stopping: AbortSignal, onEnd: () => void) {
    this.#deps = deps;
    this.#stopping = stopping;
    this.#onEnd = onEnd;
    this.#outcomes = new Outcomes(deps, deps.settings, stopping);
    stopping.addEventListener('abort', () => {
      for (const controller of this.#running.values()) controller.abort();
    });
  }

  /** Number of orders being confirmed. */
  get running(): number {
    return this.#ends.size;
  }

  /** Starts confirming an order, replacing an earlier attempt at the same order. */
  begin(order: ClaimedOrder, directory: PoolsAndKeys): void {
    this.#running.get(order.id)?.abort();
    const running = new AbortController();
    if (this.#stopping.aborted) running.abort();
    this.#running.set(order.id, running);
    const end = this.#look(order, directory, running.signal)
      .catch((err: unknown) => {
        this.#deps.log.error({ err, zone: order.name }, 'cannot confirm the publication of a zone');
      })
      .finally(() => {
        if (this.#running.get(order.id) === running) this.#running.delete(order.id);
        this.#ends.delete(end);
        this.#onEnd();
      });
    this.#ends.add(end);
  }

  /** Resolves once none is running. */
  async ended(): Promise<void> {
    while (this.#ends.size > 0) await Promise.all(this.#ends);
  }

  async #look(order: ClaimedOrder, directory: PoolsAndKeys, signal: AbortSignal): Promise<void> {
    const outcome = await this.#outcome(order, directory, signal);
    if (outcome !== undefined) return this.#outcomes.add(outcome, nextOf(order, outcome));
    if (this.#stopping.aborted) await this.#outcomes.add(this.#putOff(order, order.servers, 0));
  }

  async #outcome(
    order: ClaimedOrder,
    directory: PoolsAndKeys,
    signal: AbortSignal,
  ): Promise<OrderOutcome | undefined> {
    const pool = directory.pools.get(order.poolId);
    // The pool has just changed: the order is removed, or the next attempt knows the pool.
    if (pool === undefined) return this.#putOff(order, order.servers, this.#deps.settings.pollMs);
    try {
      const task = { order, pool, keys: directory.keysOf(pool, pool.tsigKey) };
      const outcome = await trackOrder(this.#deps, task, signal);
      if (outcome !== undefined) recordOutcome(this.#deps.meter, order, outcome, this.#deps.clock.now());
      return outcome;
    } catch (error) {
      if (!(error instanceof MissingKey)) throw error;
      return this.#withoutKey(order, pool, error.message);
    }
  }

  #withoutKey(order: Order, pool: Pool, fault: string): OrderOutcome {
    const verdicts = pool.nameservers.map((server) => ({
      ...knownVerdict(order.servers, server),
      server,
      fault,
      wasHeard: false,
    }));
    const { clock, settings } = this.#deps;
    const seen = { order, verdicts, threshold: thresholdOf(pool), error: order.error, now: clock.now() };
    return outcomeOf(seen, settings);
  }

  /** Leaves the order unchanged, due again after `ms` milliseconds. */
  #putOff(order: Order, servers: OrderOutcome['servers'], ms: number): OrderOutcome {
    const { id: orderId, poolId, dueAt: claimedUntil, publishedSerial, error } = order;
    const dueAt = later(this.#deps.clock.now(), ms);
    return { orderId, poolId, claimedUntil, publishedSerial, isDone: false, dueAt, error, servers };
  }
}
