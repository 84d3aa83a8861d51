/** Tracks whether the service is available, and schedules reloads while it is not. */
import { cell } from '../cell.ts';
import { Problem } from './problem.ts';

/** Default and maximum time until a retry, in seconds. */
const USUAL_PAUSE = 5;
const LONGEST_PAUSE = 60;
/** Retry interval while a running operation is polled, in milliseconds. */
const PATIENT_PAUSE = 2000;

/** Why the service is unavailable; undefined while it is available. */
export const trouble = cell<Problem | undefined>(undefined);
/** Incremented to reload everything shown. */
export const round = cell(0);

let timer: ReturnType<typeof setTimeout> | undefined;

/** Reloads everything shown. */
export function askAgain(): void {
  clearTimeout(timer);
  timer = undefined;
  round.set(round.value + 1);
}

/** Schedules a reload of everything, even if another request succeeds meanwhile. */
export function noteAway(problem: Problem): void {
  trouble.set(problem);
  const seconds = Math.max(USUAL_PAUSE, problem.retryAfter ?? USUAL_PAUSE);
  timer ??= setTimeout(askAgain, Math.min(LONGEST_PAUSE, seconds) * 1000);
}

export function noteResponse(): void {
  trouble.set(undefined);
}

/** Polls a server-side operation, and retries until the service is available. */
export async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Problem) || error.kind !== 'away') throw error;
      await new Promise((resolve) => setTimeout(resolve, PATIENT_PAUSE));
    }
  }
}
