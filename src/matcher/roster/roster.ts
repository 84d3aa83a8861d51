import { symbolsOf } from '../index/symbols.ts';
import { type Explanation, type LongCheck, undecided, type Verdict } from '../index/verdict.ts';
import { decide, keysOf, type Question } from './decision.ts';
import { Entry } from './entry.ts';
import { explain } from './explanation.ts';
import { NOWHERE } from './source-arena.ts';
import { Workshop } from './workshop.ts';

/** The patterns whose sources are needed first. */
interface Wanted {
  readonly kind: 'missing';
  readonly keys: readonly number[];
}

/** A result, or what it needs first. */
export type Outcome<T> = { readonly kind: 'done'; readonly result: T } | Wanted;

/** Sources that were fetched for one check. */
export type Fetched = ReadonlyMap<number, string>;

/**
 * All patterns that have to be run, ready to be run for long checks. Here is where it is decided what cannot be decided
 * at once; it needs nothing of the index but the keys that a name has to do with.
 */
export class Roster {
  private readonly read: (place: number) => string;
  private readonly entries = new Map<number, Entry>();
  private readonly everywhere = new Set<Entry>();
  private readonly workshop = new Workshop();
  private round = 0;

  /** @param read Gives a source by its place. */
  constructor(read: (place: number) => string) {
    this.read = read;
  }

  add(key: number, source: number, everywhere: boolean): void {
    const entry = new Entry(key, source, everywhere);
    this.entries.set(key, entry);
    if (everywhere) this.everywhere.add(entry);
  }

  remove(key: number): void {
    const entry = this.entries.get(key);
    if (entry === undefined) return;
    this.entries.delete(key);
    this.everywhere.delete(entry);
    this.workshop.discard(entry);
  }

  /** Makes a pattern ready before it is needed. The source is given where it is kept nowhere. */
  prepare(key: number, source?: string): void {
    const entry = this.entries.get(key);
    const text = entry && (source ?? this.kept(entry));
    if (entry !== undefined && text !== undefined) this.workshop.prepare(entry, text);
  }

  /** The verdict on a name. */
  finish(long: LongCheck, fetched: Fetched): Outcome<Verdict> {
    const met = this.meet(long);
    const question: Question = {
      forms: long.forms,
      entries: met,
      workshop: this.workshop,
      sourceOf: (entry) => fetched.get(entry.key) ?? this.kept(entry),
    };
    const missing = met.flatMap((list, form) => {
      const { plain } = symbolsOf(long.forms[form]!);
      return list.filter((entry) => this.isUnknown(entry, plain, fetched));
    });
    if (missing.length > 0) return this.ask(missing, met, fetched);
    for (const entry of met.flat()) if (!entry.ready) this.workshop.prepare(entry, question.sourceOf(entry)!);
    const found = decide(question);
    return 'missing' in found ? this.ask(found.missing, met, fetched) : { kind: 'done', result: found };
  }

  /** All the keys of patterns that match, and of those that could not be decided about. */
  explain(long: LongCheck, fetched: Fetched): Outcome<Explanation> {
    const met = this.meet(long);
    const sourceOf = (entry: Entry) => fetched.get(entry.key) ?? this.kept(entry);
    const missing = met.flat().filter((entry) => sourceOf(entry) === undefined);
    if (missing.length > 0) return wanted(missing);
    for (const entry of met.flat()) if (!entry.ready) this.workshop.prepare(entry, sourceOf(entry)!);
    const question = { forms: long.forms, entries: met, workshop: this.workshop, sourceOf };
    return { kind: 'done', result: explain(question) };
  }

  /** The entries that a check has to do with, for each form. */
  private meet({ keys }: LongCheck): Entry[][] {
    return keys.map((list) => {
      const round = ++this.round;
      const met: Entry[] = [...this.everywhere];
      for (const key of list) {
        const entry = this.entries.get(key);
        if (entry === undefined || entry.met === round || entry.everywhere) continue;
        entry.met = round;
        met.push(entry);
      }
      return met;
    });
  }

  private kept({ source }: Entry): string | undefined {
    return source === NOWHERE ? undefined : this.read(source);
  }

  /** Whether its source is needed, kept nowhere, and not fetched. */
  private isUnknown(entry: Entry, plain: boolean, fetched: Fetched): boolean {
    if (entry.source !== NOWHERE || fetched.has(entry.key)) return false;
    return !entry.ready || (entry.hasLayout && !this.workshop.hasAtHand(entry, plain));
  }

  private ask(missing: readonly Entry[], met: readonly Entry[][], fetched: Fetched): Outcome<Verdict> {
    if (fetched.size + missing.length > MOST_FETCHED) return { kind: 'done', result: undecided(keysOf(met)) };
    return wanted(missing);
  }
}

function wanted(missing: readonly Entry[]): Wanted {
  return { kind: 'missing', keys: [...new Set(missing.map(({ key }) => key))] };
}

/** How many sources may be fetched for one check. */
const MOST_FETCHED = 500;
