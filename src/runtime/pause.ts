import { setTimeout as delay } from 'node:timers/promises';

/** Waits `ms` milliseconds. @returns false if the signal ended the wait */
export async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false;
  try {
    await delay(ms, undefined, { signal });
  } catch {
    // Only the signal rejects it.
  }
  return !signal.aborted;
}
