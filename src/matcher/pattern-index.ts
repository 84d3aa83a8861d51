import { type Analysis, analyse } from './analysis/analyse.ts';
import { encodeFolded } from './analysis/fold.ts';
import { BUDGET, MOST_NAMED, SYNCHRONOUS } from './index/budget.ts';
import { Candidates, type Place, UNFILTERED } from './index/candidates.ts';
import { Complete } from './index/complete.ts';
import { CANDIDATE } from './index/contexts.ts';
import { decide, type Job, smallest, undecided, type Verdict } from './index/decision.ts';
import { type Explanation, explainCandidates, PATIENCE } from './index/explanation.ts';
import { Finder } from './index/finder.ts';
import { Hits } from './index/hits.ts';
import { KeyLists, NO_KEYS } from './index/key-lists.ts';
import { finish, type LongCheck, postponed } from './index/long-check.ts';
import { Tables } from './index/tables.ts';
import { parsePattern } from './syntax/parse.ts';

export type { Explanation, LongCheck, Verdict };

const FREE: Verdict = { kind: 'free' };
const NOWHERE: readonly number[] = [];

/** Finishes a check that took too long where it began: the verdict that it would have come to there. */
export function finishCheck(rest: LongCheck): Verdict {
  return finish(rest);
}

/** All stored patterns, so that a name is compared with them at once. */
export class PatternIndex {
  private readonly tables: Tables;
  private readonly complete: Complete;
  private readonly candidates = new Candidates();
  private readonly finder: Finder;
  private readonly hits = new Hits();
  private readonly lists = new KeyLists();
  private unfiltered = NO_KEYS;
  private count = 0;

  /** @param mostStrings How many strings it may keep of each kind; by default as many as there is room for. */
  constructor(mostStrings?: number) {
    this.tables = new Tables(mostStrings);
    this.complete = new Complete(this.tables);
    this.finder = new Finder(this.tables);
  }

  get size(): number {
    return this.count;
  }

  /**
   * Adds a pattern under a key that is not in use: a positive integer below 2^31.
   *
   * @throws PatternError when the source is no pattern, RangeError when the index is full; nothing has changed then.
   */
  add(key: number, source: string): void {
    if (!this.complete.change(source, key, true)) this.addAnalysed(key, source);
    this.count++;
  }

  /**
   * Removes a pattern; the source is the one that it was added with. Nothing changes when the index has nothing of the
   * kind under this key.
   */
  remove(key: number, source: string): void {
    if (this.removed(key, source)) this.count--;
  }

  /**
   * Whether any pattern matches any form of a name: the canonical one, and the Unicode form where there is one. A
   * check that takes more than about a millisecond comes back as `long`, for `finishCheck` to finish elsewhere.
   */
  check(forms: readonly string[]): Verdict | { readonly kind: 'long'; readonly rest: LongCheck } {
    const [everyName] = this.tables.matchingAll;
    if (everyName !== undefined) return { kind: 'blocked', key: everyName };
    const places: (readonly number[])[] = [];
    let found = false;
    for (const form of forms) {
      this.hits.reset(undefined);
      this.finder.find(form, this.hits);
      if (this.hits.blocked > 0) return { kind: 'blocked', key: this.hits.blocked };
      places.push(this.hits.places.length === 0 ? NOWHERE : [...this.hits.places]);
      found ||= this.hits.places.length > 0;
    }
    if (!found && (this.unfiltered === NO_KEYS || this.candidates.surelyMiss(forms))) return FREE;
    return this.decide(forms, places);
  }

  /** All the keys of patterns that match, and of those that could not be decided about. */
  explain(forms: readonly string[]): Explanation {
    const all = new Set(this.tables.matchingAll);
    const places = forms.map((form) => {
      this.hits.reset(all);
      this.finder.find(form, this.hits);
      return [...this.hits.places];
    });
    const job = this.jobFor(forms, places, BUDGET * PATIENCE);
    return explainCandidates(job, this.suspects(places), this.candidates, all);
  }

  private decide(
    forms: readonly string[],
    places: readonly (readonly number[])[],
  ): ReturnType<PatternIndex['check']> {
    const job = this.jobFor(forms, places, BUDGET);
    if (job === undefined) return undecided(this.suspects(places));
    const verdict = decide(job, this.candidates, { left: SYNCHRONOUS });
    return verdict ?? { kind: 'long', rest: postponed(job, this.candidates) };
  }

  /** What is to be run for each form; undefined when it is more than `budget` will do for. */
  private jobFor(
    forms: readonly string[],
    places: readonly (readonly number[])[],
    budget: number,
  ): Job | undefined {
    const job: Job = { forms, works: [], programs: [], spent: 0, matched: 0, suspects: undefined, heavy: [] };
    const all = places.map((list) => this.placesOf(list));
    let least = 0;
    for (const place of all.flat()) least += this.candidates.leastCost(place);
    if (least > budget) return undefined;
    all.forEach((list, form) => {
      const seen = new Set<number>();
      for (const place of list) this.candidates.gather(place, form, job, seen);
    });
    job.programs.sort((a, b) => a.key - b.key || a.form - b.form);
    return job;
  }

  private placesOf(entries: readonly number[]): Place[] {
    const places = [...new Set(entries)].map((entry) => this.placeAt(entry));
    if (this.unfiltered !== NO_KEYS)
      places.push({ place: UNFILTERED, keys: this.lists.all(this.unfiltered) });
    return places;
  }

  private placeAt(entry: number): Place {
    const { literals } = this.tables;
    return { place: entry, keys: literals.lists.all(literals.heldBy(entry)) };
  }

  private suspects(places: readonly (readonly number[])[]): readonly number[] {
    return smallest(
      places.flatMap((list) => this.placesOf(list)).flatMap(({ keys }) => keys.slice(0, MOST_NAMED)),
    );
  }

  private addAnalysed(key: number, source: string): void {
    const analysis = analyse(parsePattern(source).root);
    if (analysis.kind === 'complete' && this.complete.addShapes(analysis.shapes, key)) return;
    const literals = literalsOf(analysis);
    this.tables.reserve(literals?.length ?? 0);
    this.candidates.add(key, source);
    for (const { place, keys } of this.changePlaces(key, literals, true)) {
      this.candidates.joined({ place, keys }, key);
    }
  }

  private removed(key: number, source: string): boolean {
    const own = this.candidates.find(key);
    if (own !== undefined) return this.removeCandidate(key, own);
    return this.complete.change(source, key, false) || this.removeAnalysed(key, source);
  }

  private removeAnalysed(key: number, source: string): boolean {
    const analysis = analyse(parsePattern(source).root);
    return analysis.kind === 'complete' && this.complete.removeShapes(analysis.shapes, key);
  }

  private removeCandidate(key: number, source: string): true {
    const literals = literalsOf(analyse(parsePattern(source).root));
    for (const place of this.changePlaces(key, literals, false)) this.candidates.left(place, key);
    this.candidates.remove(key);
    return true;
  }

  /** Puts a key behind its literals, or takes it away; gives the places with the keys that are there now. */
  private changePlaces(key: number, literals: readonly string[] | undefined, adding: boolean): Place[] {
    if (literals === undefined) {
      this.unfiltered = adding
        ? this.lists.add(this.unfiltered, key)
        : this.lists.remove(this.unfiltered, key);
      return [{ place: UNFILTERED, keys: this.lists.all(this.unfiltered) }];
    }
    return literals.map((literal) => {
      const bytes = encodeFolded(literal);
      const change = adding ? 'add' : 'remove';
      const entry = this.tables[change]('literal', bytes, 0, bytes.length, CANDIDATE, key);
      return this.placeAt(entry);
    });
  }
}

function literalsOf(analysis: Analysis): readonly string[] | undefined {
  return analysis.kind === 'candidate' ? analysis.literals : undefined;
}
