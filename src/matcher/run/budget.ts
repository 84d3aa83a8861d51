/** The result of a search. `exhausted`: the budget ran out before it was decided. */
export type SearchResult = 'match' | 'miss' | 'exhausted';

/**
 * Steps left to spend. A step is about ten nanoseconds of work. A given pattern and text always take an equal number of
 * steps, whatever ran before.
 */
export class StepBudget {
  remaining: number;

  constructor(steps: number) {
    this.remaining = steps;
  }
}
