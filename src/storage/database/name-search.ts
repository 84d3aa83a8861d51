/** Finds zones by a part of their name: an index of the trigrams of all names gives candidates, which the filter then compares. */
import type { RawBuilder } from 'kysely';
import { wildcardParts } from '../../model/name-filter.ts';

/** Shorter parts of a name have no trigram. */
const LENGTH = 3;
/** Names are ASCII. Anything else in a filter matches none, which needs no index. */
const ASCII = /^[\x21-\x7e]*$/;

/** One search, as parts of a statement. */
export interface NameSearch {
  /**
   * How many candidates there are, or `most` if there are more; null while the index is not complete, or where there is none.
   * It costs no more than `most` rows do.
   */
  count(most: number): RawBuilder<number | null>;
  /** More candidates are not looked at one by one, as that would take longer than a search may. */
  readonly mostCandidates: number;
  /** The candidates alone, in the place of the table of zones and under its name. */
  readonly rows: RawBuilder<unknown>;
}

/** The trigrams that every name has which matches the filter; none if an index of trigrams does not help. */
export function trigramsOf(filter: string): readonly string[] {
  if (!ASCII.test(filter)) return [];
  const found = wildcardParts(filter).flatMap((part) =>
    Array.from({ length: Math.max(0, part.length - LENGTH + 1) }, (_, at) => part.slice(at, at + LENGTH)),
  );
  return [...new Set(found)];
}
