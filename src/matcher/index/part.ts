import { type Candidates, isUnfiltered, type LiteralCandidates } from './candidates.ts';
import type { PartHits } from './hits.ts';
import { KeyLists, NO_KEYS } from './key-lists.ts';

/** One of the two parts of all patterns: the enforced or the noted ones. */
export class IndexPartition {
  readonly hits: PartHits;
  /** Patterns that take too long to analyse while others wait, so nothing is known about them. */
  readonly opaque = new Set<number>();
  private readonly place: number;
  private readonly lists = new KeyLists();
  private held = NO_KEYS;

  /**
   * @param hits the lookup results for this part
   * @param place place of the patterns without a literal
   */
  constructor(hits: PartHits, place: number) {
    this.hits = hits;
    this.place = place;
  }

  /** The patterns without a literal. */
  get unfiltered(): LiteralCandidates {
    return { place: this.place, keys: this.lists.all(this.held) };
  }

  addUnfiltered(key: number): void {
    this.held = this.lists.add(this.held, key);
  }

  removeUnfiltered(key: number): void {
    this.held = this.lists.remove(this.held, key);
  }

  /** True if it is already known that no pattern which is run for every name matches these forms. */
  surelyMisses(forms: readonly string[], candidates: Candidates): boolean {
    if (this.opaque.size > 0) return false;
    return this.held === NO_KEYS || candidates.surelyMiss(this.place, forms);
  }

  /** True if no form that was looked up contains a literal of a pattern that has to be run. */
  hasNoEntries(forms: readonly string[]): boolean {
    for (let form = 0; form < forms.length; form++) if (this.hits.entries[form]!.length > 0) return false;
    return true;
  }

  /** The places that apply to a form. @param placeAt the place of an entry */
  placesOf(form: number, placeAt: (entry: number) => LiteralCandidates): LiteralCandidates[] {
    const places = [...new Set(this.hits.entries[form])].map(placeAt);
    if (this.held !== NO_KEYS) places.push(this.unfiltered);
    return places;
  }
}

/** The keys behind the literals of a name. Patterns without a literal run in any case. */
export function keysAt(places: readonly LiteralCandidates[]): Int32Array {
  const filtered = places.filter((place) => !isUnfiltered(place));
  const keys = new Int32Array(filtered.reduce((sum, place) => sum + place.keys.length, 0));
  let at = 0;
  for (const place of filtered) {
    keys.set(place.keys, at);
    at += place.keys.length;
  }
  return keys;
}
