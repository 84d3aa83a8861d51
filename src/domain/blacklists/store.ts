import type { Lists } from '../lists.ts';
import type { Blacklist, BlacklistQuery } from './blacklist.ts';

/** The revision of the blacklists: it grows with each pattern that is added, changed or removed. */
export type Revision = number;

/** A pattern in the index. Its number is the revision that added it, and so is never reused. */
export interface NumberedPattern {
  readonly number: Revision;
  readonly pattern: string;
}

export interface BlacklistReads extends Lists<Blacklist, BlacklistQuery> {
  find(id: string): Promise<Blacklist | undefined>;
  /** The current entry with the pattern of this number, if any. */
  findByNumber(number: number): Promise<Blacklist | undefined>;
  /** All that match, in batches. */
  stream(
    query: Omit<BlacklistQuery, 'limit' | 'marker'>,
    onBehalfOf: string,
  ): AsyncIterable<readonly Blacklist[]>;
  /** The number of entries. */
  size(): Promise<number>;
  revision(): Promise<Revision>;
  /** Patterns added after one revision and up to another that still exist, in batches; from 0: every pattern. */
  added(after: Revision, upTo: Revision): AsyncIterable<readonly NumberedPattern[]>;
  /** Patterns removed after one revision and up to another, in batches. */
  removed(after: Revision, upTo: Revision): AsyncIterable<readonly NumberedPattern[]>;
}

export interface BlacklistWrites {
  /** The committed revision; no other transaction raises it while this one holds a name. */
  revision(): Promise<Revision>;
  lock(id: string): Promise<Blacklist | undefined>;
  /** Stores the entries whose pattern is new, and returns their number. */
  insert(blacklists: readonly Blacklist[]): Promise<number>;
  /**
   * The same for very many; `stored` is told of so many more as they are stored. It is fastest when their ids are in
   * ascending order.
   */
  insertMany(blacklists: Iterable<Blacklist>, count: number, stored: (more: number) => void): Promise<number>;
  /** False, and nothing changed, when another entry has the new pattern. */
  update(current: Blacklist, changed: Blacklist): Promise<boolean>;
  remove(blacklist: Blacklist): Promise<void>;
  /** Marks the patterns of these numbers as having used up the budget of one more check. */
  markExhausted(numbers: readonly number[], at: string): void;
}
