import type { Lists } from '../lists.ts';
import type { Blacklist, BlacklistQuery } from './blacklist.ts';

/** Where the blacklists stand: it grows with each pattern that is added, changed or removed. */
export type Revision = number;

/** A pattern as the index knows it. Its number is the revision that brought it, and so is never used again. */
export interface NumberedPattern {
  readonly number: Revision;
  readonly pattern: string;
}

export interface BlacklistReads extends Lists<Blacklist, BlacklistQuery> {
  find(id: string): Promise<Blacklist | undefined>;
  /** The entry that holds the pattern of this number now, if any still does. */
  findByNumber(number: number): Promise<Blacklist | undefined>;
  /** All that match, in batches. */
  stream(query: Omit<BlacklistQuery, 'limit' | 'marker'>): AsyncIterable<readonly Blacklist[]>;
  revision(): Promise<Revision>;
  /** What was added after one revision and up to another and is there still, in batches; from 0: every pattern. */
  added(after: Revision, upTo: Revision): AsyncIterable<readonly NumberedPattern[]>;
  /** What was removed after one revision and up to another, in batches. */
  removed(after: Revision, upTo: Revision): AsyncIterable<readonly NumberedPattern[]>;
}

export interface BlacklistWrites {
  /** The revision as it is committed now; nobody else raises it while this transaction holds a name. */
  revision(): Promise<Revision>;
  lock(id: string): Promise<Blacklist | undefined>;
  /** Stores the entries whose pattern is not there yet and returns how many those were. */
  insert(blacklists: readonly Blacklist[]): Promise<number>;
  /** False, and nothing changed, when another entry has the new pattern. */
  update(current: Blacklist, changed: Blacklist): Promise<boolean>;
  remove(blacklist: Blacklist): Promise<void>;
  /** Marks the patterns of these numbers as having used up the budget of one more check. */
  markExhausted(numbers: readonly number[], at: string): void;
}
