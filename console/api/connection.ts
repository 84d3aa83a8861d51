/** Whether the service answers. */
import { cell } from '../cell.ts';
import { Problem } from './problem.ts';

/** Where the service does not say when to try again, and at the most, in seconds. */
const USUAL_PAUSE = 5;
const LONGEST_PAUSE = 60;
/** Between two questions about what goes on by itself, in milliseconds. */
const PATIENT_PAUSE = 2000;

/** Why the service does not answer; undefined while it does. */
export const trouble = cell<Problem | undefined>(undefined);
/** Raised whenever what is shown may be asked for again. */
export const round = cell(0);

let timer: ReturnType<typeof setTimeout> | undefined;

/** Lets everything that is shown be asked for again. */
export function askAgain(): void {
  clearTimeout(timer);
  timer = undefined;
  round.set(round.value + 1);
}

/** Has everything asked for again after a while: also where meanwhile something else is answered. */
export function noteAway(problem: Problem): void {
  trouble.set(problem);
  const seconds = Math.max(USUAL_PAUSE, problem.retryAfter ?? USUAL_PAUSE);
  timer ??= setTimeout(askAgain, Math.min(LONGEST_PAUSE, seconds) * 1000);
}

export function noteAnswer(): void {
  trouble.set(undefined);
}

/** Asks about what goes on without the page until there is an answer. */
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
