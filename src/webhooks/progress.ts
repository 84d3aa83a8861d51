import type { WebhookProgress } from '../model/webhooks/webhook.ts';

type Keep = (progress: readonly WebhookProgress[]) => Promise<void>;

/** Collects the progress of receivers since the last write: one write covers any number of events and receivers. */
export class ReceiverPositions {
  readonly #keep: Keep;
  #moved = new Map<string, WebhookProgress>();

  constructor(keep: Keep) {
    this.#keep = keep;
  }

  note(progress: WebhookProgress): void {
    const before = this.#moved.get(progress.name);
    const deliveredAt = progress.deliveredAt || (before?.deliveredAt ?? '');
    this.#moved.set(progress.name, { ...progress, deliveredAt });
  }

  /** Stores the progress if an event was accepted; skipped events alone can wait. @throws as `flush` does */
  async flushTaken(): Promise<void> {
    const isTaken = [...this.#moved.values()].some(({ deliveredAt }) => deliveredAt !== '');
    if (isTaken) await this.flush();
  }

  /** @throws anything the store throws; the progress is then stored by the next call */
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
