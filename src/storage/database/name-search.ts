/**
 * Finds zones by a part of their name: a trigram index of all names yields candidates, which the filter then
 * compares.
 */
import type { RawBuilder } from 'kysely';
import { wildcardParts } from '../../model/name-filter.ts';

/** Shorter parts of a name have no trigram. */
const LENGTH = 3;
/** Names are ASCII. A filter with any other character matches none, and needs no index. */
const ASCII = /^[\x21-\x7e]*$/;

/** One search, as parts of a statement. */
export interface NameSearch {
  /**
   * Number of candidates, or `most` if there are more; null while there is no complete index. Reads at most `most`
   * rows.
   */
  count(most: number): RawBuilder<number | null>;
  /** Maximum number of candidates to compare; more would exceed the time of a search. */
  readonly maxCandidates: number;
  /** The candidates, in place of the table of zones and under its name. */
  readonly rows: RawBuilder<unknown>;
}

/** The trigrams that every matching name contains; none if a trigram index does not help. */
export function trigramsOf(filter: string): readonly string[] {
  if (!ASCII.test(filter)) return [];
  const found = wildcardParts(filter).flatMap((part) =>
    Array.from({ length: Math.max(0, part.length - LENGTH + 1) }, (_, at) => part.slice(at, at + LENGTH)),
  );
  return [...new Set(found)];
}
