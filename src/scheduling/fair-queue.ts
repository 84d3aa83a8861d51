interface Link<T> {
  readonly item: T;
  next: Link<T> | undefined;
}

/** First in, first out; taking costs the same however long the line is. */
class Line<T> {
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

  take(): T | undefined {
    const link = this.#first;
    this.#first = link?.next;
    if (this.#first === undefined) this.#last = undefined;
    return link?.item;
  }
}

interface Turn<T> {
  readonly owner: string;
  readonly tasks: Line<T>;
}

/** Tasks of several owners, taken in turns: one of each owner, however many one of them has waiting. */
export class FairQueue<T> {
  readonly #turns = new Line<Turn<T>>();
  readonly #byOwner = new Map<string, Turn<T>>();

  add(owner: string, task: T): void {
    let turn = this.#byOwner.get(owner);
    if (turn === undefined) {
      turn = { owner, tasks: new Line() };
      this.#byOwner.set(owner, turn);
      this.#turns.add(turn);
    }
    turn.tasks.add(task);
  }

  /** The next task, or undefined when none waits. */
  take(): T | undefined {
    const turn = this.#turns.take();
    if (turn === undefined) return undefined;
    const task = turn.tasks.take();
    if (turn.tasks.isEmpty) this.#byOwner.delete(turn.owner);
    else this.#turns.add(turn);
    return task;
  }
}
