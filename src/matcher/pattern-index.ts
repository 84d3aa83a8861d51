import { type Analysis, analyse } from './analysis/analyse.ts';
import { encodeFolded } from './analysis/fold.ts';
import { Attempt } from './index/attempt.ts';
import { ANALYSE_HERE } from './index/budget.ts';
import { Candidates, type Place, UNFILTERED } from './index/candidates.ts';
import { Complete } from './index/complete.ts';
import { CANDIDATE } from './index/contexts.ts';
import { Finder } from './index/finder.ts';
import { Hits } from './index/hits.ts';
import { KeyLists, NO_KEYS } from './index/key-lists.ts';
import { Tables } from './index/tables.ts';
import type { LongCheck, Verdict } from './index/verdict.ts';
import { parsePattern } from './syntax/parse.ts';
import { within } from './work.ts';

const FREE: Verdict = { kind: 'free' };
const NOWHERE: readonly number[] = [];

/** Where the patterns go that have to be run, and where long checks are ended. */
export interface Runners {
  /** @param everywhere Whether it has to be run for every name. */
  add(key: number, source: string, everywhere: boolean): void;
  remove(key: number): void;
  /** Whether such a pattern is there. */
  has(key: number): boolean;
  /** Its source, if it is at hand. */
  sourceOf(key: number): string | undefined;
}

/** What a check comes to, or that it has to be ended elsewhere. */
export type Checked = Verdict | { readonly kind: 'long'; readonly rest: LongCheck };

/** All stored patterns, so that a name is compared with them at once. */
export class PatternIndex {
  private readonly runners: Runners;
  private readonly tables: Tables;
  private readonly complete: Complete;
  private readonly candidates: Candidates;
  private readonly finder: Finder;
  private readonly hits = new Hits();
  private readonly lists = new KeyLists();
  /** The patterns that take too long to be analysed here: nothing is known of them. */
  private readonly opaque = new Set<number>();
  private unfiltered = NO_KEYS;
  private count = 0;

  /** @param mostStrings How many strings it may keep of each kind; by default as many as there is room for. */
  constructor(runners: Runners, mostStrings?: number) {
    this.runners = runners;
    this.candidates = new Candidates((key) => runners.sourceOf(key));
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
   * @throws PatternError when the source is no pattern; nothing has changed then.
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
   * check that takes more than about a millisecond comes back as `long`, to be ended where the patterns are run.
   */
  check(forms: readonly string[]): Checked {
    const [everyName] = this.tables.matchingAll;
    if (everyName !== undefined) return { kind: 'blocked', key: everyName };
    const entries: (readonly number[])[] = [];
    for (const form of forms) {
      this.hits.reset(undefined);
      this.finder.find(form, this.hits);
      if (this.hits.blocked > 0) return { kind: 'blocked', key: this.hits.blocked };
      entries.push(this.hits.places.length === 0 ? NOWHERE : [...this.hits.places]);
    }
    return this.isSurelyFree(forms, entries) ? FREE : this.run(forms, entries);
  }

  private isSurelyFree(forms: readonly string[], entries: readonly (readonly number[])[]): boolean {
    if (this.opaque.size > 0 || entries.some((list) => list.length > 0)) return false;
    return this.unfiltered === NO_KEYS || this.candidates.surelyMiss(forms);
  }

  private run(forms: readonly string[], entries: readonly (readonly number[])[]): Checked {
    const places = entries.map((list) => this.placesOf(list));
    const verdict = this.opaque.size > 0 ? undefined : new Attempt(this.candidates, forms).decide(places);
    return verdict ?? { kind: 'long', rest: { forms, keys: places.map(keysAt) } };
  }

  /** The keys of the patterns that match as far as the tables say, and what is left to be run. */
  look(forms: readonly string[]): { readonly matches: ReadonlySet<number>; readonly rest: LongCheck } {
    const matches = new Set(this.tables.matchingAll);
    const keys = forms.map((form) => {
      this.hits.reset(matches);
      this.finder.find(form, this.hits);
      return keysAt(this.placesOf(this.hits.places));
    });
    return { matches, rest: { forms, keys } };
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

  private addAnalysed(key: number, source: string): void {
    const found = within(ANALYSE_HERE, () => analysisOf(source))?.value;
    if (found === undefined) {
      this.opaque.add(key);
      this.runners.add(key, source, true);
      return;
    }
    if (found.kind === 'complete' && this.complete.addShapes(found.shapes, key)) return;
    const literals = this.storable(literalsOf(found));
    this.runners.add(key, source, literals === undefined);
    for (const { place } of this.changePlaces(key, literals, true)) this.candidates.joined(place, key);
  }

  /** The literals themselves, if there is room for them. */
  private storable(literals: readonly string[] | undefined): readonly string[] | undefined {
    return literals !== undefined && this.tables.hasRoom('literal', literals.length) ? literals : undefined;
  }

  private removed(key: number, source: string): boolean {
    if (this.runners.has(key)) return this.removeCandidate(key, source);
    if (this.complete.change(source, key, false)) return true;
    const analysis = analysisOf(source);
    return analysis.kind === 'complete' && this.complete.removeShapes(analysis.shapes, key);
  }

  private removeCandidate(key: number, source: string): true {
    if (!this.opaque.delete(key)) {
      const literals = literalsOf(analysisOf(this.runners.sourceOf(key) ?? source));
      const stored = literals?.every((literal) => this.isBehind(literal, key)) ? literals : undefined;
      for (const place of this.changePlaces(key, stored, false)) this.candidates.left(place, key);
    }
    this.candidates.forget(key);
    this.runners.remove(key);
    return true;
  }

  private isBehind(literal: string, key: number): boolean {
    const bytes = encodeFolded(literal);
    return this.tables.has('literal', bytes, 0, bytes.length, CANDIDATE, key);
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

function analysisOf(source: string): Analysis {
  return analyse(parsePattern(source).root);
}

function literalsOf(analysis: Analysis): readonly string[] | undefined {
  return analysis.kind === 'candidate' ? analysis.literals : analysis.literals();
}

/** The keys behind the literals of a name; those without a literal are run anyway. */
function keysAt(places: readonly Place[]): Int32Array {
  const filtered = places.filter(({ place }) => place !== UNFILTERED);
  const keys = new Int32Array(filtered.reduce((sum, place) => sum + place.keys.length, 0));
  let at = 0;
  for (const place of filtered) {
    keys.set(place.keys, at);
    at += place.keys.length;
  }
  return keys;
}
