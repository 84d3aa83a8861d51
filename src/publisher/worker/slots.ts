/** Places for what is in flight: so many in all, and so many for each server. Who waits for a server gets a place in turn. */
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

  /** Runs the work once there is a place for it. */
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

  /** Lets the first of the next server in that has room, and puts that server behind the others. */
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
