/** Limits work in flight, in total and per server. Servers with waiting work take turns. */
export class Slots {
  readonly #most: number;
  readonly #mostEach: number;
  readonly #taken = new Map<string, number>();
  readonly #waiting = new Map<string, (() => void)[]>();
  #all = 0;

  constructor(most: number, mostEach: number) {
    this.#most = most;
    this.#mostEach = mostEach;
  }

  /** Runs the work once a place is free. */
  async with<T>(server: string, work: () => Promise<T>): Promise<T> {
    if (this.#isFree(server)) this.#take(server);
    else await this.#turn(server);
    try {
      return await work();
    } finally {
      this.#release(server);
    }
  }

  #isFree(server: string): boolean {
    return this.#all < this.#most && (this.#taken.get(server) ?? 0) < this.#mostEach;
  }

  #take(server: string): void {
    this.#all += 1;
    this.#taken.set(server, (this.#taken.get(server) ?? 0) + 1);
  }

  #turn(server: string): Promise<void> {
    return new Promise((resolve) => {
      const line = this.#waiting.get(server);
      if (line === undefined) this.#waiting.set(server, [resolve]);
      else line.push(resolve);
    });
  }

  #release(server: string): void {
    this.#all -= 1;
    const left = this.#taken.get(server)! - 1;
    if (left === 0) this.#taken.delete(server);
    else this.#taken.set(server, left);
    this.#next();
  }

  /** Admits the first waiter of the next server with a free place, and moves that server to the end. */
  #next(): void {
    for (const [server, line] of this.#waiting) {
      if (!this.#isFree(server)) continue;
      this.#waiting.delete(server);
      const first = line.shift();
      if (line.length > 0) this.#waiting.set(server, line);
      this.#take(server);
      first?.();
      return;
    }
  }
}
