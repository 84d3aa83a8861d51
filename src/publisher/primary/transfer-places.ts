import type { PrimarySettings } from './settings.ts';

type Bounds = Pick<
  PrimarySettings,
  'maxTransfers' | 'maxTransfersPerServer' | 'maxWaitingTransfers' | 'transferWaitMs'
>;

/** Releases the place. */
export type Release = () => void;

interface Waiter {
  readonly server: string;
  readonly admit: (release: Release) => void;
}

/** Limits concurrent transfers, in total and per server; the rest wait in order of arrival. */
export class TransferPlaces {
  readonly #bounds: Bounds;
  #running = 0;
  readonly #byServer = new Map<string, number>();
  readonly #waiters = new Set<Waiter>();

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  /** Takes a place, waiting if necessary. Returns undefined if the wait times out or too many transfers are waiting. */
  take(server: string): Promise<Release | undefined> {
    if (this.#hasRoom(server)) return Promise.resolve(this.#occupy(server));
    if (this.#waiters.size >= this.#bounds.maxWaitingTransfers) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const waiter: Waiter = {
        server,
        admit: (release) => {
          clearTimeout(timer);
          resolve(release);
        },
      };
      const timer = setTimeout(() => {
        this.#waiters.delete(waiter);
        resolve(undefined);
      }, this.#bounds.transferWaitMs);
      this.#waiters.add(waiter);
    });
  }

  #hasRoom(server: string): boolean {
    const { maxTransfers, maxTransfersPerServer } = this.#bounds;
    return this.#running < maxTransfers && (this.#byServer.get(server) ?? 0) < maxTransfersPerServer;
  }

  #occupy(server: string): Release {
    this.#running += 1;
    this.#byServer.set(server, (this.#byServer.get(server) ?? 0) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#vacate(server);
      this.#admitNext();
    };
  }

  #vacate(server: string): void {
    this.#running -= 1;
    const left = this.#byServer.get(server)! - 1;
    if (left === 0) this.#byServer.delete(server);
    else this.#byServer.set(server, left);
  }

  #admitNext(): void {
    for (const waiter of this.#waiters) {
      if (!this.#hasRoom(waiter.server)) continue;
      this.#waiters.delete(waiter);
      waiter.admit(this.#occupy(waiter.server));
      return;
    }
  }
}
