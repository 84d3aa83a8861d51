import { BUDGET, CONDITIONAL_COST, NOTED_COST } from './budget.ts';
import { BLOCKING, type Kind } from './traits.ts';

const FEW = 8;

/** The patterns that match, of one part of a check: of those that refuse, or of those that are noted. */
export class Tally {
  /** The smallest key of one that blocks; 0 for none. */
  blocked = 0;
  /** The others, none of them twice: as many as the budget pays for. */
  kept: number[] = [];
  /** The same, where they are more than a few. */
  private many: Set<number> | undefined;
  /** Whether there are more than it pays for. */
  over = false;
  /** In units: what the runs have cost. */
  spent = 0;
  private readonly cost: number;

  /** @param cost In units: what each match is charged that does not block. */
  constructor(cost: number) {
    this.cost = cost;
  }

  /** What the matches are charged, in units. */
  get charged(): number {
    return this.kept.length * this.cost;
  }

  reset(): void {
    this.blocked = 0;
    this.over = false;
    if (this.kept.length === 0) return;
    this.kept = [];
    this.many = undefined;
  }

  take(key: number, kind: Kind): void {
    if (kind !== BLOCKING) this.keep(key);
    else if (this.blocked === 0 || key < this.blocked) this.blocked = key;
  }

  /** Keeps keys that are sorted, and looks at no more of them than the budget pays for. */
  keepAll(keys: Iterable<number>): void {
    for (const key of keys) {
      this.keep(key);
      if (this.over) return;
    }
  }

  keeps(key: number): boolean {
    return this.many === undefined ? this.kept.includes(key) : this.many.has(key);
  }

  /** Whether one more may be kept. */
  protected get hasRoom(): boolean {
    return this.charged + this.cost <= BUDGET;
  }

  protected keep(key: number): void {
    if (this.keeps(key)) return;
    if (!this.hasRoom) {
      this.over = true;
      return;
    }
    this.kept.push(key);
    if (this.many !== undefined) this.many.add(key);
    else if (this.kept.length > FEW) this.many = new Set(this.kept);
  }
}

export function enforcedTally(): Tally {
  return new Tally(CONDITIONAL_COST);
}

export function notedTally(): Tally {
  return new Tally(NOTED_COST);
}

/** Of a survey: whatever matches is kept, up to a number. */
class SurveyTally extends Tally {
  readonly #most: number;

  constructor(most: number) {
    super(0);
    this.#most = most;
  }

  override take(key: number): void {
    this.keep(key);
  }

  protected override get hasRoom(): boolean {
    return this.kept.length < this.#most;
  }
}

export function surveyTally(most: number): Tally {
  return new SurveyTally(most);
}
