import { type Candidates, isUnfiltered, type Place } from './candidates.ts';
import type { PartHits } from './hits.ts';
import { KeyLists, NO_KEYS } from './key-lists.ts';

/** One of the two parts of all patterns: those that refuse, or those that are noted. */
export class Part {
  readonly hits: PartHits;
  /** The patterns that take too long to be analysed where others wait: nothing is known of them. */
  readonly opaque = new Set<number>();
  private readonly place: number;
  private readonly lists = new KeyLists();
  private held = NO_KEYS;

  /** @param hits What looking a name up says of it. @param place The place of its patterns without a literal. */
  constructor(hits: PartHits, place: number) {
    this.hits = hits;
    this.place = place;
  }

  /** The patterns without a literal. */
  get unfiltered(): Place {
    return { place: this.place, keys: this.lists.all(this.held) };
  }

  addUnfiltered(key: number): void {
    this.held = this.lists.add(this.held, key);
  }

  removeUnfiltered(key: number): void {
    this.held = this.lists.remove(this.held, key);
  }

  /** Whether it is known that the patterns that have to be run for every name match none of these forms. */
  surelyMisses(forms: readonly string[], candidates: Candidates): boolean {
    if (this.opaque.size > 0) return false;
    return this.held === NO_KEYS || candidates.surelyMiss(this.place, forms);
  }

  /** Whether no literal of a pattern that has to be run is in any of the forms that were looked up. */
  hasNoEntries(forms: readonly string[]): boolean {
    for (let form = 0; form < forms.length; form++) if (this.hits.entries[form]!.length > 0) return false;
    return true;
  }

  /** The places that a form has to do with. @param placeAt Gives the place of an entry. */
  placesOf(form: number, placeAt: (entry: number) => Place): Place[] {
    const places = [...new Set(this.hits.entries[form])].map(placeAt);
    if (this.held !== NO_KEYS) places.push(this.unfiltered);
    return places;
  }
}

/** The keys behind the literals of a name; those without a literal are run anyway. */
export function keysAt(places: readonly Place[]): Int32Array {
  const filtered = places.filter((place) => !isUnfiltered(place));
  const keys = new Int32Array(filtered.reduce((sum, place) => sum + place.keys.length, 0));
  let at = 0;
  for (const place of filtered) {
    keys.set(place.keys, at);
    at += place.keys.length;
  }
  return keys;
}
