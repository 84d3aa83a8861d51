import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf } from './storage-errors.ts';

const PAUSE_MS = 500;

export interface Patience {
  /** Maximum wait in milliseconds. */
  readonly ms: number;
  /** Aborts the wait. */
  readonly signal: AbortSignal;
  /** Called with the reason whenever it changes. */
  onWait(reason: string): void;
}

/**
 * Repeats the attempt while the store cannot be reached.
 * @throws the error of the last attempt, at once if waiting does not help; the signal's reason
 */
export async function untilReached<T>(attempt: () => Promise<T>, patience: Patience): Promise<T> {
  const latest = performance.now() + patience.ms;
  for (let lastReason = ''; ; ) {
    try {
      return await attempt();
    } catch (error) {
      // Imported here, so that an embedded store does not load PostgreSQL's driver.
      const { mayComeBack } = await import('./postgres-failure.ts');
      const left = latest - performance.now();
      if (left <= 0 || !mayComeBack(error)) throw error;
      const reason = reasonOf(error);
      if (reason !== lastReason) patience.onWait(reason);
      lastReason = reason;
      await sleep(Math.min(PAUSE_MS, left), undefined, { signal: patience.signal });
    }
  }
}
