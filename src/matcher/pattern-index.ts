import { Attempt } from './index/attempt.ts';
import { ANALYSE_HERE, KEEPING, SYNCHRONOUS } from './index/budget.ts';
import { Candidates, type LiteralCandidates, UNFILTERED, type WorkAllowance } from './index/candidates.ts';
import { Complete } from './index/complete.ts';
import { Finder } from './index/finder.ts';
import { IndexHits } from './index/hits.ts';
import { analysisOf, LiteralPlaces } from './index/literal-places.ts';
import { IndexPartition, keysAt } from './index/part.ts';
import type { Runners } from './index/runners.ts';
import { Tables } from './index/tables.ts';
import {
  BLOCKING,
  BLOCKS,
  CONDITIONAL,
  kindOf,
  NOTED,
  type PatternKind,
  type PatternTraits,
} from './index/traits.ts';
import {
  FREE,
  type IndexCheck,
  type IndexVerdict,
  isRefusal,
  type LongCheck,
  type NonEnforcingVerdict,
  notesOf,
  type PassVerdict,
  undecided,
  verdictOf,
  withNotes,
} from './index/verdict.ts';
import { within } from './work.ts';

/** All stored patterns, which are matched against a name together. */
export class PatternIndex {
  private readonly runners: Runners;
  private readonly tables: Tables;
  private readonly complete: Complete;
  private readonly literals: LiteralPlaces;
  private readonly candidates: Candidates;
  private readonly finder: Finder;
  private readonly hits = new IndexHits();
  private readonly enforced = new IndexPartition(this.hits.enforced, UNFILTERED.enforced);
  private readonly noted = new IndexPartition(this.hits.noted, UNFILTERED.noted);
  /** Kinds of the patterns that have to be run, unless they block. */
  private readonly kinds = new Map<number, PatternKind>();
  private readonly kindOf = (key: number): PatternKind => this.kinds.get(key) ?? BLOCKING;
  private count = 0;

  /** @param mostStrings maximum number of strings in each table; by default limited only by space */
  constructor(runners: Runners, maxStrings?: number) {
    this.runners = runners;
    this.candidates = new Candidates((key) => runners.sourceOf(key));
    this.tables = new Tables(maxStrings);
    this.complete = new Complete(this.tables);
    this.literals = new LiteralPlaces(this.tables);
    this.finder = new Finder(this.tables);
  }

  get size(): number {
    return this.count;
  }

  /**
   * Adds a pattern under an unused key: a positive integer below 2^31.
   * @throws PatternError if the source is not a valid pattern; nothing has changed then
   */
  add(key: number, source: string, traits: PatternTraits = BLOCKS): void {
    const kind = kindOf(traits);
    if (!this.complete.change(source, key, kind, true)) this.addAnalysed(key, source, kind);
    this.count++;
  }

  /**
   * Removes a pattern. The source and traits must be those it was added with. Does nothing if there is no such pattern
   * under this key.
   */
  remove(key: number, source: string, traits: PatternTraits = BLOCKS): void {
    if (this.removed(key, source, kindOf(traits))) this.count--;
  }

  /**
   * Checks a name in all its forms: the canonical one and any Unicode form. Work beyond about a millisecond is returned
   * as `long` or `noting`, to be completed where the patterns are run.
   */
  check(forms: readonly string[]): IndexCheck {
    const { tally } = this.hits.enforced;
    if (!this.lookUp(forms)) return verdictOf(tally);
    if (this.hits.none && this.isSurelyFree(forms)) return FREE;
    if (tally.over) return undecided(tally.kept);
    const allowance = this.allowance();
    const rest = this.run(this.enforced, forms, allowance);
    if (rest !== undefined) return { kind: 'long', rest };
    const verdict = verdictOf(tally);
    return isRefusal(verdict) ? verdict : this.noteAll(verdict, forms, allowance);
  }

  /** Adds the notes to a verdict that was found elsewhere. */
  note(verdict: IndexVerdict, forms: readonly string[]): NonEnforcingVerdict {
    if (isRefusal(verdict) || !this.lookUp(forms)) return verdict;
    return this.noteAll(verdict, forms, this.allowance());
  }

  /**
   * The keys of the patterns that match according to the tables, and the rest that has to be run.
   * @param max maximum number of keys; once it is reached, the rest is incomplete
   */
  look(
    forms: readonly string[],
    max?: number,
  ): { readonly matches: ReadonlySet<number>; readonly rest: LongCheck } {
    const matches = new Set<number>();
    this.hits.reset(matches, max);
    this.takeMatchingAll();
    const keys = forms.map((form, at) => {
      this.hits.begin(at);
      this.finder.find(form, this.hits);
      return keysAt([...this.placesOf(this.enforced, at), ...this.placesOf(this.noted, at)]);
    });
    return { matches, rest: { forms, keys, kept: new Int32Array(0) } };
  }

  /** Looks the name up in the tables. Returns false if a complete pattern blocks. */
  private lookUp(forms: readonly string[]): boolean {
    const { hits, tables } = this;
    hits.reset(undefined);
    if (tables.haveMatchingAll) this.takeMatchingAll();
    for (let form = 0; form < forms.length && hits.enforced.tally.blocked === 0; form++) {
      hits.begin(form);
      this.finder.find(forms[form]!, hits);
    }
    return hits.enforced.tally.blocked === 0;
  }

  private takeMatchingAll(): void {
    for (const kind of [BLOCKING, CONDITIONAL, NOTED] as const) {
      this.hits.take(this.tables.matchingAll(kind), kind);
    }
  }

  private isSurelyFree(forms: readonly string[]): boolean {
    const { enforced, noted, candidates } = this;
    return enforced.surelyMisses(forms, candidates) && noted.surelyMisses(forms, candidates);
  }

  /** One allowance for both parts of a check. */
  private allowance(): WorkAllowance {
    const { enforced, noted } = this.hits;
    return { left: SYNCHRONOUS - KEEPING * (enforced.tally.kept.length + noted.tally.kept.length) };
  }

  /** Runs the patterns of a part that have to be run. Returns the rest if it takes too long here. */
  private run(
    part: IndexPartition,
    forms: readonly string[],
    allowance: WorkAllowance,
  ): LongCheck | undefined {
    if (part.hasNoEntries(forms) && part.surelyMisses(forms, this.candidates)) return undefined;
    const { tally } = part.hits;
    const before = tally.kept.length;
    const places = forms.map((_, form) => this.placesOf(part, form));
    const means = { candidates: this.candidates, allowance, kindOf: this.kindOf };
    if (part.opaque.size === 0 && new Attempt(means, forms, tally).succeeds(places)) return undefined;
    // Elsewhere, the findings of an unfinished attempt are found and charged again.
    return { forms, keys: places.map(keysAt), kept: Int32Array.from(tally.kept.slice(0, before)) };
  }

  private noteAll(
    pass: PassVerdict,
    forms: readonly string[],
    allowance: WorkAllowance,
  ): NonEnforcingVerdict {
    const { tally } = this.noted.hits;
    const rest = tally.over ? undefined : this.run(this.noted, forms, allowance);
    return rest === undefined ? withNotes(pass, notesOf(tally.kept)) : { kind: 'noting', pass, rest };
  }

  private placesOf(part: IndexPartition, form: number): LiteralCandidates[] {
    return part.placesOf(form, (entry) => this.literals.placeAt(entry));
  }

  private addAnalysed(key: number, source: string, kind: PatternKind): void {
    const found = within(ANALYSE_HERE, () => analysisOf(source))?.value;
    if (found?.kind === 'complete' && this.complete.addShapes(found.shapes, key, kind)) return;
    const literals = found && this.literals.choose(found, source);
    this.runners.add(key, source, literals === undefined, kind);
    if (kind !== BLOCKING) this.kinds.set(key, kind);
    if (found === undefined) this.partOf(kind).opaque.add(key);
    else
      for (const { place } of this.changePlaces(key, kind, literals, true))
        this.candidates.joined(place, key);
  }

  private partOf(kind: PatternKind): IndexPartition {
    return kind === NOTED ? this.noted : this.enforced;
  }

  private removed(key: number, source: string, kind: PatternKind): boolean {
    if (this.runners.has(key)) return this.removeCandidate(key, source);
    if (this.complete.change(source, key, kind, false)) return true;
    const analysis = analysisOf(source);
    return analysis.kind === 'complete' && this.complete.removeShapes(analysis.shapes, key, kind);
  }

  private removeCandidate(key: number, source: string): true {
    const kind = this.kindOf(key);
    if (!this.partOf(kind).opaque.delete(key)) {
      const stored = this.literals.chosen(key, this.runners.sourceOf(key) ?? source, kind);
      for (const place of this.changePlaces(key, kind, stored, false)) this.candidates.left(place, key);
    }
    this.kinds.delete(key);
    this.candidates.forget(key);
    this.runners.remove(key);
    return true;
  }

  /** Adds a key behind its literals, or removes it. Returns the places with their current keys. */
  private changePlaces(
    key: number,
    kind: PatternKind,
    literals: readonly string[] | undefined,
    adding: boolean,
  ): LiteralCandidates[] {
    if (literals === undefined) {
      const part = this.partOf(kind);
      if (adding) part.addUnfiltered(key);
      else part.removeUnfiltered(key);
      return [part.unfiltered];
    }
    return this.literals.change(key, kind, literals, adding);
  }
}
