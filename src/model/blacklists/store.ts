import type { Fqdn } from '../../dns/names.ts';
import type { Lists } from '../lists.ts';
import type { Blacklist, BlacklistQuery, Hits, Mode } from './blacklist.ts';
import type { Traits } from './name-index.ts';
import type { Rule } from './rule.ts';

/** The revision of the blacklists: it grows with each entry that is added, removed, or changed in its pattern or terms. */
export type Revision = number;

/** A pattern in the index. Its number is the revision that added it, and so is never reused. */
export interface NumberedPattern {
  readonly number: Revision;
  readonly pattern: string;
  readonly traits: Traits;
}

/** One that is in force. */
export interface AddedPattern extends NumberedPattern {
  readonly mode: Mode;
}

/** The revision, and the time of the store's own clock; undefined if it has none. */
export interface Present {
  readonly revision: Revision;
  readonly instant: string | undefined;
}

/** What is to be added to the counts of an entry. */
export interface MoreHits extends Hits {
  /** Of the entry. */
  readonly id: string;
}

export interface BlacklistReads extends Lists<Blacklist, BlacklistQuery> {
  find(id: string): Promise<Blacklist | undefined>;
  /** The current entry with the pattern of this number, if any. */
  findByNumber(number: number): Promise<Blacklist | undefined>;
  /** The current entries that have these numbers, in the order of the numbers. */
  entries(numbers: readonly number[]): Promise<readonly Blacklist[]>;
  /** The same, as they take part in judgements. */
  rules(numbers: readonly number[]): Promise<readonly Rule[]>;
  /** All that match, in batches. */
  stream(
    query: Omit<BlacklistQuery, 'limit' | 'marker'>,
    onBehalfOf: string,
  ): AsyncIterable<readonly Blacklist[]>;
  /** The number of entries. */
  size(): Promise<number>;
  revision(): Promise<Revision>;
  present(): Promise<Present>;
  /** Whether an entry has expired by then that `expire` has not ended. */
  hasExpired(by: string): Promise<boolean>;
  /** Patterns added after one revision and up to another that still exist, in batches; from 0: every pattern. */
  added(after: Revision, upTo: Revision): AsyncIterable<readonly AddedPattern[]>;
  /** Patterns removed after one revision and up to another, in batches. */
  removed(after: Revision, upTo: Revision): AsyncIterable<readonly NumberedPattern[]>;
}

export interface BlacklistWrites {
  /** As committed; no other transaction raises the revision while this one holds a name. */
  present(): Promise<Present>;
  /** The same; no other transaction raises the revision until this one ends. It comes before the lock on a zone. */
  hold(zoneName: Fqdn): Promise<Present>;
  lock(id: string): Promise<Blacklist | undefined>;
  /** Stores an entry that is held by hand; false when another one has its pattern. */
  insert(blacklist: Blacklist, eventId: string): Promise<boolean>;
  /** False, and nothing changed, when another entry has the new pattern. With another pattern it is held by hand, too. */
  update(current: Blacklist, changed: Blacklist): Promise<boolean>;
  remove(blacklist: Blacklist): Promise<void>;
  /**
   * Takes entries out of the index that have expired by then, each once for each time that it is given an expiry. They stay
   * listed.
   * @param limit the most to take out
   * @returns those that it has taken out
   */
  expire(by: string, limit: number): Promise<readonly Blacklist[]>;
  /** Marks the patterns of these numbers as having used up the budget of one more check. */
  markExhausted(numbers: readonly number[], at: string): void;
  /** Adds to the counts of entries; those that are gone are passed over. */
  addHits(hits: readonly MoreHits[]): void;
}
