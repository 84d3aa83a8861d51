import { setTimeout as sleep } from 'node:timers/promises';
import { reasonOf } from './storage-open-error.ts';

const PAUSE_MS = 500;

export interface Patience {
  /** How long to go on, in milliseconds. */
  readonly ms: number;
  /** Ends the wait at once. */
  readonly signal: AbortSignal;
  /** Told why, each time that the reason is another one. */
  onWait(reason: string): void;
}

/**
 * Repeats what needs the store for as long as the store cannot be reached.
 * @throws what the last attempt throws, at once if it is something that waiting does not cure; the signal's reason
 */
export async function untilReached<T>(attempt: () => Promise<T>, patience: Patience): Promise<T> {
  const latest = performance.now() + patience.ms;
  for (let told = ''; ; ) {
    try {
      return await attempt();
    } catch (error) {
      // Here, so that an embedded store does not load PostgreSQL's driver.
      const { mayComeBack } = await import('./postgres-trouble.ts');
      const left = latest - performance.now();
      if (left <= 0 || !mayComeBack(error)) throw error;
      const reason = reasonOf(error);
      if (reason !== told) patience.onWait(reason);
      told = reason;
      await sleep(Math.min(PAUSE_MS, left), undefined, { signal: patience.signal });
    }
  }
}
