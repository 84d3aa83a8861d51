import { Lease } from '../../background/lease.ts';
import { Pacer, pause, waitAfter } from '../../background/waits.ts';
import { isLaterSerial } from '../../dns/serial.ts';
import { earlier } from '../../model/clock.ts';
import { formatAddress, type Pool } from '../../model/pools/pool.ts';
import type { FormerZone, Order } from '../../model/publication/publication.ts';
import type { WorkerDeps } from './deps.ts';
import { type Directories, type Directory, MissingKey } from './directory.ts';
import type { Exchanges } from './exchanges.ts';
import { giveWay } from './give-way.ts';
import { askSerial, type Reply } from './questions.ts';
import type { WorkerSettings } from './settings.ts';

/** Zones that are read at once. */
const PAGE = 100;

interface Parts extends WorkerDeps {
  readonly settings: WorkerSettings;
  readonly directories: Directories;
  readonly exchanges: Exchanges;
  wake(): void;
}

/**
 * Asks all servers for all zones, slowly, and orders anew what was lost or changed by hand. It also asks for names that are
 * gone. One process at a time sweeps; when it is gone, another begins anew.
 */
export class Sweep {
  readonly #parts: Parts;
  readonly #stopping: AbortSignal;
  readonly #lease: Lease;
  readonly #pacer: Pacer;
  /** Of the pass that runs. */
  #signal: AbortSignal;

  constructor(parts: Parts, stopping: AbortSignal) {
    this.#parts = parts;
    this.#stopping = stopping;
    this.#signal = stopping;
    this.#lease = new Lease('sweep', parts, parts.settings);
    this.#pacer = new Pacer(parts.settings.sweepRate);
  }

  async run(): Promise<void> {
    const { settings, log } = this.#parts;
    let wait = settings.sweepAfter;
    let failures = 0;
    while (await pause(wait, this.#stopping)) {
      try {
        await this.#lease.run(settings.sweepEvery, this.#stopping, (signal) => this.#pass(signal));
        // Another process may be gone by then, or it is due.
        wait = Math.min(settings.sweepEvery, settings.sweepAfter);
        failures = 0;
      } catch (err) {
        if (failures === 0 && !this.#stopping.aborted)
          log.error({ err }, 'the sweep of the name servers waits for the store');
        wait = waitAfter(settings.retry, failures);
        failures += 1;
      }
    }
  }

  async #pass(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    const { pools } = await this.#parts.directories.current();
    for (const poolId of pools.keys()) await this.#sweepPool(poolId);
    await this.#sweepFormer();
  }

  async #sweepPool(poolId: string): Promise<void> {
    for (let after = ''; !this.#signal.aborted; ) {
      const orders = await this.#parts.publication.page(poolId, after, PAGE);
      const last = orders.at(-1);
      if (last === undefined) return;
      after = last.id;
      const lost: string[] = [];
      for (const order of orders) if (await this.#isLost(order)) lost.push(order.id);
      await this.#orderAnew(lost);
      await giveWay(this.#parts.busy, this.#signal);
    }
  }

  async #orderAnew(orderIds: readonly string[]): Promise<void> {
    if (orderIds.length === 0) return;
    const { store, clock, wake } = this.#parts;
    const now = clock.now();
    await store.transaction(async (tx) => tx.publications.orderAnew(orderIds, now));
    wake();
  }

  /** Whether a server lacks what was published. What is under way is looked after anyway. */
  async #isLost(order: Order): Promise<boolean> {
    if (order.dueAt !== '' || order.isRemoval) return false;
    const found = await this.#replies(order);
    const wrong = found.filter(({ reply, pool }) => isWrong(order, reply, pool));
    if (wrong.length === 0 || !(await this.#isAsBefore(order))) return false;
    for (const { reply, server } of wrong) {
      const serial = reply.kind === 'serial' ? reply.serial : null;
      const fields = { zone: order.name, server, serial, should_have: order.serial };
      this.#parts.log.warn(
        fields,
        'a name server does not have a zone as it was published: it is ordered anew',
      );
    }
    return true;
  }

  /** The zone may have been changed since it was read. */
  async #isAsBefore({ id, serial }: Order): Promise<boolean> {
    const now = await this.#parts.publication.find(id);
    return now !== undefined && now.serial === serial && now.dueAt === '' && !now.isRemoval;
  }

  async #replies({ name, poolId }: Pick<Order, 'name' | 'poolId'>) {
    const replies: { readonly server: string; readonly reply: Reply; readonly pool: Pool }[] = [];
    const directory = await this.#parts.directories.current();
    const pool = directory.pools.get(poolId);
    for (const server of pool?.nameservers ?? []) {
      if (!(await this.#pacer.pass(this.#signal))) return [];
      const key = keyOf(directory, pool!);
      if (key === 'missing') return [];
      const reply = await askSerial(
        this.#parts.exchanges,
        { server, name, key, needsProof: true },
        this.#signal,
      );
      replies.push({ server: formatAddress(server), reply, pool: pool! });
    }
    return replies;
  }

  async #sweepFormer(): Promise<void> {
    const { publication, clock, settings } = this.#parts;
    const since = earlier(clock.now(), settings.formerFor);
    for (let after = ''; !this.#signal.aborted; ) {
      const zones = await publication.formerZones(since, after, PAGE);
      const last = zones.at(-1);
      if (last === undefined) return;
      after = last.name;
      for (const zone of zones) await this.#askFormer(zone);
      await giveWay(this.#parts.busy, this.#signal);
    }
  }

  async #askFormer(zone: FormerZone): Promise<void> {
    const { publication, log } = this.#parts;
    const still = (await this.#replies(zone)).filter(({ reply }) => reply.kind === 'serial');
    // The name may have been taken again.
    if (still.length === 0 || (await publication.served(zone.name)) !== undefined) return;
    for (const { server } of still) {
      const message = 'a name server still has a zone that is gone: take it away there';
      log.warn({ zone: zone.name, server, gone_at: zone.goneAt }, message);
    }
  }
}

/** Whether the server lacks the zone, or has another serial than was published. */
function isWrong({ serial, publishedSerial }: Order, reply: Reply, { signing }: Pool): boolean {
  if (reply.kind === 'unanswered') return false;
  if (reply.kind !== 'serial') return true;
  if (signing) return false;
  const isOlder = publishedSerial !== null && isLaterSerial(publishedSerial, reply.serial);
  return isOlder || isLaterSerial(reply.serial, serial);
}

function keyOf(directory: Directory, pool: Pool) {
  try {
    return directory.key(pool, pool.tsigKey);
  } catch (error) {
    if (error instanceof MissingKey) return 'missing';
    throw error;
  }
}
