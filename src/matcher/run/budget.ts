/** What a search found. `exhausted`: the budget ran out before it could tell. */
export type SearchResult = 'match' | 'miss' | 'exhausted';

/**
 * Steps that may still be spent. A step is some ten nanoseconds of work; the same pattern and text always take the
 * same number of them, whatever ran before.
 */
export class StepBudget {
  remaining: number;

  constructor(steps: number) {
    this.remaining = steps;
  }
}
