import type { Progress } from '../model/webhooks/webhook.ts';

type Keep = (progress: readonly Progress[]) => Promise<void>;

/** How far receivers have got since it was last kept: one write for any number of events and receivers. */
export class Positions {
  readonly #keep: Keep;
  #moved = new Map<string, Progress>();

  constructor(keep: Keep) {
    this.#keep = keep;
  }

  note(progress: Progress): void {
    const before = this.#moved.get(progress.name);
    const deliveredAt = progress.deliveredAt || (before?.deliveredAt ?? '');
    this.#moved.set(progress.name, { ...progress, deliveredAt });
  }

  /** Keeps where events were taken: where none was, that can wait. @throws as `flush` does */
  async flushTaken(): Promise<void> {
    const isTaken = [...this.#moved.values()].some(({ deliveredAt }) => deliveredAt !== '');
    if (isTaken) await this.flush();
  }

  /** @throws what the store throws; what was to be kept is kept the next time */
  async flush(): Promise<void> {
    if (this.#moved.size === 0) return;
    const moved = this.#moved;
    this.#moved = new Map();
    try {
      await this.#keep([...moved.values()]);
    } catch (error) {
      const since = this.#moved;
      this.#moved = moved;
      for (const progress of since.values()) this.note(progress);
      throw error;
    }
  }
}
