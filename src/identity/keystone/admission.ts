import { clientNetwork } from '../../addresses/networks.ts';
import { DomainError } from '../../model/errors.ts';
import { FairQueue } from '../../runtime/fair-queue.ts';
import type { KnownAddresses } from './known-addresses.ts';

/** Counts operations per address and second. */
export interface AddressCount {
  /** Counts one operation; true if it exceeds the limit. */
  isBeyondLimit(address: string): boolean;
}

export interface AdmissionLimits {
  /** Maximum concurrent requests of strangers; known clients share the rest, and a quarter more. */
  readonly atOnce: number;
  readonly perSecond: number;
}

/** Maximum wait in the queue, in milliseconds. */
const PATIENCE_MS = 2000;
/** Maximum number of waiting requests: per queue (known clients or strangers), and per client. */
const MAX_WAITING = { inAll: 1024, ofClient: 16 };
/** If both queues have waiters, strangers get one turn after this many turns of known clients. */
const KNOWN_IN_A_ROW = 3;

type ClientStanding = 'known' | 'stranger';

interface ValidationWaiter {
  readonly begin: () => void;
  hasGivenUp: boolean;
}

/** A queue of requests that is fair between clients. */
class ValidationQueue {
  readonly #queue = new FairQueue<ValidationWaiter>();
  readonly #ofClient = new Map<string, number>();
  #waiting = 0;

  get isEmpty(): boolean {
    return this.#waiting === 0;
  }

  /** Waits for a turn. @throws DomainError `too_many_validations` */
  wait(client: string): Promise<void> {
    const own = this.#ofClient.get(client) ?? 0;
    if (this.#waiting >= MAX_WAITING.inAll || own >= MAX_WAITING.ofClient)
      throw new DomainError('too_many_validations');
    this.#count(client, 1);
    return new Promise((resolve, reject) => {
      const waiter: ValidationWaiter = {
        hasGivenUp: false,
        begin: () => {
          clearTimeout(timer);
          this.#count(client, -1);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        waiter.hasGivenUp = true;
        this.#count(client, -1);
        reject(new DomainError('too_many_validations'));
      }, PATIENCE_MS);
      this.#queue.add(client, waiter);
    });
  }

  /** Starts the next waiter that has not given up. */
  next(): void {
    let waiter = this.#queue.take();
    while (waiter?.hasGivenUp) waiter = this.#queue.take();
    waiter?.begin();
  }

  #count(client: string, more: number): void {
    this.#waiting += more;
    const count = (this.#ofClient.get(client) ?? 0) + more;
    if (count > 0) this.#ofClient.set(client, count);
    else this.#ofClient.delete(client);
  }
}

/**
 * Limits the requests sent to Keystone on behalf of clients: concurrent, per second, and per second and address. Excess
 * requests wait briefly: clients take turns, and clients that recently presented a valid token precede strangers.
 */
export class KeystoneAdmission {
  readonly #limits: AdmissionLimits;
  readonly #byAddress: AddressCount;
  readonly #known: Pick<KnownAddresses, 'has'>;
  readonly #lines: Readonly<Record<ClientStanding, ValidationQueue>> = {
    known: new ValidationQueue(),
    stranger: new ValidationQueue(),
  };
  readonly #running: Record<ClientStanding, number> = { known: 0, stranger: 0 };
  /** Number of requests that may start now, as computed at the time `#at`. */
  #allowance: number;
  #at = performance.now();
  #knownInARow = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: AdmissionLimits, byAddress: AddressCount, known: Pick<KnownAddresses, 'has'>) {
    this.#limits = limits;
    this.#byAddress = byAddress;
    this.#known = known;
    this.#allowance = limits.perSecond;
  }

  /** @throws DomainError `too_many_validations` */
  async run<R>(address: string, check: () => Promise<R>): Promise<R> {
    if (this.#byAddress.isBeyondLimit(address)) throw new DomainError('too_many_validations');
    const standing = this.#known.has(address) ? 'known' : 'stranger';
    await this.#turn(standing, clientNetwork(address));
    try {
      return await check();
    } finally {
      this.#running[standing] -= 1;
      this.#admit();
    }
  }

  #turn(standing: ClientStanding, client: string): Promise<void> | undefined {
    const { known, stranger } = this.#lines;
    const isFirst = known.isEmpty && (standing === 'known' || stranger.isEmpty);
    if (isFirst && this.#mayBegin(standing)) {
      this.#begin(standing);
      return undefined;
    }
    const turn = this.#lines[standing].wait(client);
    this.#admit();
    return turn;
  }

  #begin(standing: ClientStanding): void {
    this.#running[standing] += 1;
    this.#allowance -= 1;
    this.#knownInARow = standing === 'known' ? this.#knownInARow + 1 : 0;
  }

  #mayBegin(standing: ClientStanding): boolean {
    const { atOnce, perSecond } = this.#limits;
    const now = performance.now();
    this.#allowance = Math.min(perSecond, this.#allowance + ((now - this.#at) / 1000) * perSecond);
    this.#at = now;
    const { known, stranger } = this.#running;
    const hasCapacity = known + stranger < atOnce + Math.ceil(atOnce / 4);
    return this.#allowance >= 1 && hasCapacity && (standing === 'known' || stranger < atOnce);
  }

  /** The queue whose turn it is; undefined if no waiter may start now. */
  #nextStanding(): ClientStanding | undefined {
    const may = (standing: ClientStanding) => !this.#lines[standing].isEmpty && this.#mayBegin(standing);
    if (may('stranger') && (this.#knownInARow >= KNOWN_IN_A_ROW || !may('known'))) return 'stranger';
    return may('known') ? 'known' : undefined;
  }

  #admit(): void {
    for (let next = this.#nextStanding(); next !== undefined; next = this.#nextStanding()) {
      this.#begin(next);
      this.#lines[next].next();
    }
    this.#wakeLater();
  }

  /** Admits again as soon as the rate allows one more, unless a running request ends first. */
  #wakeLater(): void {
    const { known, stranger } = this.#lines;
    if (this.#timer !== undefined || this.#allowance >= 1 || (known.isEmpty && stranger.isEmpty)) return;
    const ms = ((1 - this.#allowance) / this.#limits.perSecond) * 1000;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#admit();
    }, ms);
    this.#timer.unref();
  }
}
