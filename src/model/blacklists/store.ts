import type { Fqdn } from '../../dns/names.ts';
import type { Lists } from '../lists.ts';
import type { Blacklist, BlacklistQuery, Hits, Mode } from './blacklist.ts';
import type { Traits } from './name-index.ts';
import type { RequestedName, Rule } from './rule.ts';

/** The revision of the blacklists. It grows when an entry is added, is removed, or changes its pattern or terms. */
export type Revision = number;

/** A pattern in the index. Its number is the revision that added it, and is never reused. */
export interface NumberedPattern {
  readonly number: Revision;
  readonly pattern: string;
  readonly traits: Traits;
}

/** A pattern in force. */
export interface AddedPattern extends NumberedPattern {
  readonly mode: Mode;
}

/** The revision and the time of the store's own clock; `instant` is undefined if it has none. */
export interface RevisionSnapshot {
  readonly revision: Revision;
  readonly instant: string | undefined;
}

/** An increment of an entry's hit counts. */
export interface MoreHits extends Hits {
  /** The entry's id. */
  readonly id: string;
}

export interface BlacklistReads extends Lists<Blacklist, BlacklistQuery> {
  find(id: string): Promise<Blacklist | undefined>;
  /** The current entry whose pattern has this number, if any. */
  findByNumber(number: number): Promise<Blacklist | undefined>;
  /** The current entries with these numbers, ordered by number. */
  entries(numbers: readonly number[]): Promise<readonly Blacklist[]>;
  /** Like `entries`, in the form used in decisions on a name, with the exceptions that are about it. */
  rules(numbers: readonly number[], asked: RequestedName): Promise<readonly Rule[]>;
  /** All matching entries, in batches. */
  stream(
    query: Omit<BlacklistQuery, 'limit' | 'marker'>,
    onBehalfOf: string,
  ): AsyncIterable<readonly Blacklist[]>;
  /** Number of entries. */
  size(): Promise<number>;
  revision(): Promise<Revision>;
  present(): Promise<RevisionSnapshot>;
  /** Whether an entry has expired by this time that `expire` has not processed. */
  hasExpired(by: string): Promise<boolean>;
  /** The patterns added after one revision, up to another, that still exist, in batches. From 0: every pattern. */
  added(after: Revision, upTo: Revision): AsyncIterable<readonly AddedPattern[]>;
  /** The patterns removed after one revision, up to another, in batches. */
  removed(after: Revision, upTo: Revision): AsyncIterable<readonly NumberedPattern[]>;
}

export interface BlacklistWrites {
  /** The committed state. While this transaction holds a name, no other one raises the revision. */
  present(): Promise<RevisionSnapshot>;
  /**
   * Like `present`, and keeps other transactions from raising the revision until this one ends. Call it before locking
   * a zone.
   */
  hold(zoneName: Fqdn): Promise<RevisionSnapshot>;
  lock(id: string): Promise<Blacklist | undefined>;
  /** Stores an entry that no list holds. Returns false if another entry has its pattern. */
  insert(blacklist: Blacklist, eventId: string): Promise<boolean>;
  /**
   * Returns false, and changes nothing, if another entry has the new pattern. An entry whose pattern changes no longer
   * depends on its lists to stay.
   */
  update(current: Blacklist, changed: Blacklist): Promise<boolean>;
  remove(blacklist: Blacklist): Promise<void>;
  /**
   * Takes entries that have expired by this time out of the index, once for each expiry set. They remain listed.
   * @param limit maximum number of entries
   * @returns the entries taken out
   */
  expire(by: string, limit: number): Promise<readonly Blacklist[]>;
  /** Records one more check that exhausted its budget on the patterns with these numbers. */
  markExhausted(numbers: readonly number[], at: string): void;
  /** Adds to the hit counts of entries, ignoring those that are gone. */
  addHits(hits: readonly MoreHits[]): void;
}
