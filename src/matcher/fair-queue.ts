/** Tasks of several owners, taken in turns: one of each owner, however many one of them has waiting. */
export class FairQueue<T> {
  readonly #byOwner = new Map<string, T[]>();

  add(owner: string, task: T): void {
    const waiting = this.#byOwner.get(owner);
    if (waiting === undefined) this.#byOwner.set(owner, [task]);
    else waiting.push(task);
  }

  /** The next task, or undefined when none waits. */
  take(): T | undefined {
    const [first] = this.#byOwner;
    if (first === undefined) return undefined;
    const [owner, waiting] = first;
    const task = waiting.shift();
    // Behind all others; a map keeps the order in which keys were added.
    this.#byOwner.delete(owner);
    if (waiting.length > 0) this.#byOwner.set(owner, waiting);
    return task;
  }

  /** Takes out everything. */
  drain(): T[] {
    const all = [...this.#byOwner.values()].flat();
    this.#byOwner.clear();
    return all;
  }
}
