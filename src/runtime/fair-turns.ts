import { FairQueue } from './fair-queue.ts';

/** The task was not run: its owner already has too many tasks, or other tasks took too long. */
export class NoTurn extends Error {}

interface Waiting {
  begin(): void;
  hasGivenUp: boolean;
}

export interface TurnSettings {
  /** Maximum number of tasks that run at once. */
  readonly places: number;
  /** Maximum number of running and waiting tasks per owner. */
  readonly mostOfOwner: number;
  /** Maximum time a task waits to start, in milliseconds. */
  readonly patienceMs: number;
}

/** Limits how many tasks run at once. Owners that wait are served in turn. */
export class FairTurns {
  readonly #settings: TurnSettings;
  readonly #queue = new FairQueue<Waiting>();
  readonly #ofOwner = new Map<string, number>();
  #free: number;

  constructor(settings: TurnSettings) {
    this.#settings = settings;
    this.#free = settings.places;
  }

  /** True if the owner has a running or waiting task. */
  has(owner: string): boolean {
    return this.#ofOwner.has(owner);
  }

  /** @throws NoTurn, and anything the task throws */
  async run<T>(owner: string, task: () => Promise<T>): Promise<T> {
    this.#add(owner);
    try {
      await this.#turn(owner);
      try {
        return await task();
      } finally {
        this.#pass();
      }
    } finally {
      this.#leave(owner);
    }
  }

  #add(owner: string): void {
    const others = this.#ofOwner.get(owner) ?? 0;
    if (others >= this.#settings.mostOfOwner) throw new NoTurn(`${others} tasks of the same owner wait.`);
    this.#ofOwner.set(owner, others + 1);
  }

  #leave(owner: string): void {
    const others = this.#ofOwner.get(owner)! - 1;
    if (others > 0) this.#ofOwner.set(owner, others);
    else this.#ofOwner.delete(owner);
  }

  #turn(owner: string): Promise<void> | undefined {
    if (this.#free > 0) {
      this.#free -= 1;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        hasGivenUp: false,
        begin() {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        waiting.hasGivenUp = true;
        reject(new NoTurn('Other tasks took too long.'));
      }, this.#settings.patienceMs);
      this.#queue.add(owner, waiting);
    });
  }

  /** Hands the place to the next task that is still waiting. */
  #pass(): void {
    for (;;) {
      const next = this.#queue.take();
      if (next === undefined) {
        this.#free += 1;
        return;
      }
      if (next.hasGivenUp) continue;
      next.begin();
      return;
    }
  }
}
