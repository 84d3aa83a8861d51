import { BUDGET, CONDITIONAL_COST, NOTED_COST } from './budget.ts';
import { BLOCKING, type PatternKind } from './traits.ts';

const FEW = 8;

/** The matches of one part of a check: of the enforced or the noted patterns. */
export class Tally {
  /** The smallest key that blocks; 0 if none does. */
  blocked = 0;
  /** All other matches, without duplicates, as far as the budget allows. */
  kept: number[] = [];
  /** The keys of `kept` as a set, once there are more than a few. */
  private many: Set<number> | undefined;
  /** True if there are more than the budget allows. */
  over = false;
  /** Cost of the runs, in units. */
  spent = 0;
  private readonly cost: number;

  /** @param cost charge for each match that does not block, in units */
  constructor(cost: number) {
    this.cost = cost;
  }

  /** Charge for the matches, in units. */
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

  take(key: number, kind: PatternKind): void {
    if (kind !== BLOCKING) this.keep(key);
    else if (this.blocked === 0 || key < this.blocked) this.blocked = key;
  }

  /** Keeps sorted keys, and reads no more of them than the budget allows. */
  keepAll(keys: Iterable<number>): void {
    for (const key of keys) {
      this.keep(key);
      if (this.over) return;
    }
  }

  keeps(key: number): boolean {
    return this.many === undefined ? this.kept.includes(key) : this.many.has(key);
  }

  /** True if one more may be kept. */
  protected get hasCapacity(): boolean {
    return this.charged + this.cost <= BUDGET;
  }

  protected keep(key: number): void {
    if (this.keeps(key)) return;
    if (!this.hasCapacity) {
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

/** For a survey: keeps all matches, of any kind, up to a limit. */
class SurveyTally extends Tally {
  readonly #max: number;

  constructor(max: number) {
    super(0);
    this.#max = max;
  }

  override take(key: number): void {
    this.keep(key);
  }

  protected override get hasCapacity(): boolean {
    return this.kept.length < this.#max;
  }
}

export function surveyTally(max: number): Tally {
  return new SurveyTally(max);
}
