import { isLaterSerial } from '../../dns/serial.ts';
import { earlier } from '../../model/clock.ts';
import { formatAddress, type Pool } from '../../model/pools/pool.ts';
import type { FormerZone, Order } from '../../model/publication/publication.ts';
import type { Job } from '../../runtime/jobs.ts';
import { Lease } from '../../runtime/lease.ts';
import type { WorkerDeps } from './deps.ts';
import type { DnsClient } from './dns-client.ts';
import { Pacer } from './pacer.ts';
import { MissingKey, type PoolsAndKeys, type PoolsAndKeysCache, type ServerKeys } from './pools-and-keys.ts';
import { askSerial, type Reply } from './questions.ts';
import type { WorkerSettings } from './settings.ts';

/** Maximum number of zones per slice. */
const PAGE = 100;

interface SweepDeps extends WorkerDeps {
  readonly settings: WorkerSettings;
  readonly directories: PoolsAndKeysCache;
  readonly exchanges: DnsClient;
  wake(): void;
}

/** Progress of a sweep: the zones of each pool, by id, then the former zones, by name. */
type Cursor =
  | { readonly kind: 'pools'; readonly left: readonly string[]; readonly after: string }
  | { readonly kind: 'former zones'; readonly after: string };

/**
 * Queries all servers for all zones at a limited rate, and republishes what they lost or changed. Checks former
 * zones, too.
 */
class Sweep {
  readonly #parts: SweepDeps;
  readonly #pacer: Pacer;
  #cursor: Cursor | undefined;
  /** Ends the current slice. */
  #signal: AbortSignal;

  constructor(parts: SweepDeps, signal: AbortSignal) {
    this.#parts = parts;
    this.#signal = signal;
    this.#pacer = new Pacer(parts.settings.sweepRate);
  }

  /** Processes the next page. @returns true if pages are left */
  async slice(signal: AbortSignal): Promise<boolean> {
    this.#signal = signal;
    const cursor = this.#cursor ?? (await this.#begin());
    this.#cursor =
      cursor.kind === 'pools' ? await this.#sweepPool(cursor) : await this.#sweepFormer(cursor.after);
    return this.#cursor !== undefined;
  }

  /** Makes the next slice start a new sweep. */
  reset(): void {
    this.#cursor = undefined;
  }

  async #begin(): Promise<Cursor> {
    const { pools } = await this.#parts.directories.current();
    return { kind: 'pools', left: [...pools.keys()], after: '' };
  }

  async #sweepPool({ left, after }: Extract<Cursor, { kind: 'pools' }>): Promise<Cursor> {
    const [poolId, ...others] = left;
    if (poolId === undefined) return { kind: 'former zones', after: '' };
    const orders = await this.#parts.publication.page(poolId, after, PAGE);
    const last = orders.at(-1);
    if (last === undefined) return { kind: 'pools', left: others, after: '' };
    const lost: string[] = [];
    for (const order of orders) if (await this.#isLost(order)) lost.push(order.id);
    await this.#orderAnew(lost);
    return { kind: 'pools', left, after: last.id };
  }

  async #orderAnew(orderIds: readonly string[]): Promise<void> {
    if (orderIds.length === 0) return;
    const { store, clock, wake } = this.#parts;
    const now = clock.now();
    await store.transaction(async (tx) => tx.publications.orderAnew(orderIds, now));
    wake();
  }

  /** True if a server lacks what was published. Skips zones that are being published. */
  async #isLost(order: Order): Promise<boolean> {
    if (order.dueAt !== '' || order.isRemoval) return false;
    const found = await this.#replies(order);
    const wrong = found.filter(({ reply, pool }) => isWrong(order, reply, pool));
    if (wrong.length === 0 || !(await this.#isAsBefore(order))) return false;
    for (const { reply, server } of wrong) {
      const serial = reply.kind === 'serial' ? reply.serial : null;
      const fields = { zone: order.name, server, serial, should_have: order.serial };
      this.#parts.log.warn(fields, 'a name server does not have a zone as published: republishing it');
    }
    return true;
  }

  /** Returns false if the zone has changed since it was read. */
  async #isAsBefore({ id, serial }: Order): Promise<boolean> {
    const now = await this.#parts.publication.find(id);
    return now !== undefined && now.serial === serial && now.dueAt === '' && !now.isRemoval;
  }

  async #replies({ name, poolId }: Pick<Order, 'name' | 'poolId'>) {
    const replies: { readonly server: string; readonly reply: Reply; readonly pool: Pool }[] = [];
    const directory = await this.#parts.directories.current();
    const pool = directory.pools.get(poolId);
    const keys = pool && keysOf(directory, pool);
    if (keys === undefined) return [];
    for (const server of pool!.nameservers) {
      if (!(await this.#pacer.pass(this.#signal))) return [];
      const key = keys(server);
      const reply = await askSerial(
        this.#parts.exchanges,
        { server, name, key, needsProof: true },
        this.#signal,
      );
      replies.push({ server: formatAddress(server), reply, pool: pool! });
    }
    return replies;
  }

  async #sweepFormer(after: string): Promise<Cursor | undefined> {
    const { publication, clock, settings } = this.#parts;
    const since = earlier(clock.now(), settings.formerNamesForMs);
    const zones = await publication.formerZones(since, after, PAGE);
    for (const zone of zones) await this.#askFormer(zone);
    const last = zones.at(-1);
    return last && { kind: 'former zones', after: last.name };
  }

  async #askFormer(zone: FormerZone): Promise<void> {
    const { publication, log } = this.#parts;
    const still = (await this.#replies(zone)).filter(({ reply }) => reply.kind === 'serial');
    // The name may be in use again.
    if (still.length === 0 || (await publication.served(zone.name)) !== undefined) return;
    for (const { server } of still) {
      const message = 'a name server still has a deleted zone: remove it there';
      log.warn({ zone: zone.name, server, gone_at: zone.goneAt }, message);
    }
  }
}

/** Sweep of all name servers, by one process at a time. If that process dies, another starts over. */
export function sweep(parts: SweepDeps, signal: AbortSignal): Job {
  const { settings } = parts;
  const state = new Sweep(parts, signal);
  return {
    name: 'sweep',
    intervalMs: Math.min(settings.sweepIntervalMs, settings.sweepPollMs),
    firstAfterMs: settings.sweepPollMs,
    retry: settings.retryBackoff,
    yieldsToRequests: true,
    lease: { lease: new Lease('sweep', parts, settings.leaseMs), everyMs: settings.sweepIntervalMs },
    slice: (held) => state.slice(held),
    release: async () => state.reset(),
  };
}

/** True if the server lacks the zone, or has a serial older than the published one or newer than the latest. */
function isWrong({ serial, publishedSerial }: Order, reply: Reply, { signing }: Pool): boolean {
  if (reply.kind === 'unanswered') return false;
  if (reply.kind !== 'serial') return true;
  if (signing) return false;
  const isOlder = publishedSerial !== null && isLaterSerial(publishedSerial, reply.serial);
  return isOlder || isLaterSerial(reply.serial, serial);
}

/** The keys of the servers; undefined if one is missing. */
function keysOf(directory: PoolsAndKeys, pool: Pool): ServerKeys | undefined {
  try {
    return directory.keysOf(pool, pool.tsigKey);
  } catch (error) {
    if (error instanceof MissingKey) return undefined;
    throw error;
  }
}
