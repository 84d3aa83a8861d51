interface Link<T> {
  readonly item: T;
  next: Link<T> | undefined;
}

/** First in, first out. Taking the first item costs the same at any length. */
class LinkedQueue<T> {
  #first: Link<T> | undefined;
  #last: Link<T> | undefined;

  get isEmpty(): boolean {
    return this.#first === undefined;
  }

  add(item: T): void {
    const link: Link<T> = { item, next: undefined };
    if (this.#last === undefined) this.#first = link;
    else this.#last.next = link;
    this.#last = link;
  }

  /** Removes and returns the first item that fits, or undefined. */
  take(fits: (item: T) => boolean): T | undefined {
    let before: Link<T> | undefined;
    let link = this.#first;
    while (link !== undefined && !fits(link.item)) {
      before = link;
      link = link.next;
    }
    if (link === undefined) return undefined;
    if (before === undefined) this.#first = link.next;
    else before.next = link.next;
    if (link === this.#last) this.#last = before;
    return link.item;
  }
}

interface Turn<T> {
  readonly owner: string;
  readonly tasks: LinkedQueue<T>;
}

/** A queue that serves owners in turn, one task each, regardless of how many tasks an owner has waiting. */
export class FairQueue<T> {
  readonly #turns = new LinkedQueue<Turn<T>>();
  readonly #byOwner = new Map<string, Turn<T>>();

  get isEmpty(): boolean {
    return this.#turns.isEmpty;
  }

  add(owner: string, task: T): void {
    let turn = this.#byOwner.get(owner);
    if (turn === undefined) {
      turn = { owner, tasks: new LinkedQueue() };
      this.#byOwner.set(owner, turn);
      this.#turns.add(turn);
    }
    turn.tasks.add(task);
  }

  /**
   * Returns the next task, or undefined if no task can be taken.
   * @param fits true if a task can be taken now; other tasks keep their turn
   * @param mayTake like `fits`, for all tasks of an owner
   */
  take(
    fits: (task: T) => boolean = () => true,
    mayTake: (owner: string) => boolean = () => true,
  ): T | undefined {
    let task: T | undefined;
    const turn = this.#turns.take(({ owner, tasks }) => {
      task = mayTake(owner) ? tasks.take(fits) : undefined;
      return task !== undefined;
    });
    if (turn === undefined) return undefined;
    if (turn.tasks.isEmpty) this.#byOwner.delete(turn.owner);
    else this.#turns.add(turn);
    return task;
  }
}
