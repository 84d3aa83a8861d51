export interface SlotLimits {
  readonly inAll: number;
  readonly ofOneProject: number;
}

/** Limits how many memory-intensive operations run at once. No single project can take all slots. */
export class Slots {
  readonly #limits: SlotLimits;
  readonly #refusal: () => Error;
  #taken = 0;
  readonly #takenBy = new Map<string, number>();

  /** @param refusal creates the error that `take` throws if no slot is free */
  constructor(limits: SlotLimits, refusal: () => Error) {
    this.#limits = limits;
    this.#refusal = refusal;
  }

  /** Takes a slot. Returns the function that releases it, which has no effect when called again. */
  take(projectId: string): () => void {
    const own = this.#takenBy.get(projectId) ?? 0;
    if (this.#taken >= this.#limits.inAll || own >= this.#limits.ofOneProject) throw this.#refusal();
    this.#taken += 1;
    this.#takenBy.set(projectId, own + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#release(projectId);
    };
  }

  #release(projectId: string): void {
    this.#taken -= 1;
    const left = this.#takenBy.get(projectId)! - 1;
    if (left === 0) this.#takenBy.delete(projectId);
    else this.#takenBy.set(projectId, left);
  }
}
