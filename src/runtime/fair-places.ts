import { FairQueue } from './fair-queue.ts';
import { Shares } from './shares.ts';

/** Releases the place. */
type Release = () => void;

interface Waiter {
  readonly owner: string;
  readonly server: string;
  readonly admit: (release: Release) => void;
  hasGivenUp: boolean;
}

export interface PlaceSettings {
  readonly places: number;
  /** Maximum number of places for one server. */
  readonly mostOfServer: number;
  /** Maximum time to wait for a place, in milliseconds. */
  readonly patienceMs: number;
}

/**
 * Places for work with servers. Each owner has a share, each server a limit, and owners that wait are served in turn.
 */
export class FairPlaces {
  readonly #settings: PlaceSettings;
  readonly #shares: Shares;
  readonly #byServer = new Map<string, number>();
  readonly #queue = new FairQueue<Waiter>();

  constructor(settings: PlaceSettings) {
    this.#settings = settings;
    this.#shares = new Shares(settings.places);
  }

  /** Takes a place, waiting if necessary. Returns undefined if none becomes free within `patienceMs`. */
  take(owner: string, server: string): Promise<Release | undefined> {
    if (this.#hasRoom(owner, server)) return Promise.resolve(this.#occupy(owner, server));
    return new Promise((resolve) => {
      const waiter: Waiter = {
        owner,
        server,
        hasGivenUp: false,
        admit: (release) => {
          clearTimeout(timer);
          resolve(release);
        },
      };
      const timer = setTimeout(() => {
        waiter.hasGivenUp = true;
        resolve(undefined);
      }, this.#settings.patienceMs);
      this.#queue.add(owner, waiter);
    });
  }

  #hasRoom(owner: string, server: string): boolean {
    return this.#shares.hasRoom(owner) && (this.#byServer.get(server) ?? 0) < this.#settings.mostOfServer;
  }

  #occupy(owner: string, server: string): Release {
    this.#shares.take(owner);
    this.#byServer.set(server, (this.#byServer.get(server) ?? 0) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#vacate(owner, server);
      this.#admit();
    };
  }

  #vacate(owner: string, server: string): void {
    this.#shares.leave(owner);
    const left = this.#byServer.get(server)! - 1;
    if (left === 0) this.#byServer.delete(server);
    else this.#byServer.set(server, left);
  }

  /** Admits every waiter that now fits: one released place can also make room in another owner's share. */
  #admit(): void {
    for (;;) {
      const next = this.#queue.take(
        ({ hasGivenUp, owner, server }) => hasGivenUp || this.#hasRoom(owner, server),
      );
      if (next === undefined) return;
      if (!next.hasGivenUp) next.admit(this.#occupy(next.owner, next.server));
    }
  }
}
