import { setTimeout as delay } from 'node:timers/promises';

/** Waits that grow: each is so many times the one before it, up to the longest. Milliseconds. */
export interface Waits {
  readonly first: number;
  readonly factor: number;
  readonly longest: number;
}

/** Beyond it every wait is the longest, and no power overflows. */
const MOST_STEPS = 64;

/** The wait after so many that went before. */
export function waitAfter({ first, factor, longest }: Waits, before: number): number {
  return Math.min(longest, first * factor ** Math.min(before, MOST_STEPS));
}

/** Waits so many milliseconds; false as soon as the signal ends it. */
export async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false;
  try {
    await delay(ms, undefined, { signal });
  } catch {
    // Only the signal rejects it.
  }
  return !signal.aborted;
}

/** Waits in the measure of a rate: so many passes in a second, one after the other. */
export class Pacer {
  readonly #interval: number;
  #next = 0;

  constructor(rate: number) {
    this.#interval = 1000 / rate;
  }

  /** False as soon as the signal ends it. */
  pass(signal: AbortSignal): Promise<boolean> {
    const now = performance.now();
    this.#next = Math.max(now, this.#next) + this.#interval;
    return pause(this.#next - this.#interval - now, signal);
  }
}
