/** Whether the service answers. */
import { cell } from '../cell.ts';
import type { Problem } from './problem.ts';

/** Why the service does not answer; undefined while it does. */
export const trouble = cell<Problem | undefined>(undefined);
/** Raised whenever what is shown may be asked for again. */
export const round = cell(0);

export function noteAway(problem: Problem): void {
  trouble.set(problem);
}

export function noteAnswer(): void {
  trouble.set(undefined);
}

/** Lets everything that is shown be asked for again. */
export function askAgain(): void {
  round.set(round.value + 1);
}
