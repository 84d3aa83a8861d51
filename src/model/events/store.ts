import type { Lists } from '../lists.ts';
import type {
  Audience,
  ChainEnd,
  EventHead,
  SealedEvent,
  StoredEventQuery,
  WrittenEvent,
} from './stored-event.ts';

/** How many refusals of one kind there were in an hour. */
export interface RefusalCount {
  /** `YYYY-MM-DDTHH`, UTC. */
  readonly hour: string;
  readonly type: string;
  /** The blacklist that refused; '' where it is none, or not known. */
  readonly blacklistId: string;
  readonly count: number;
}

export interface NamedRefusalCount extends RefusalCount {
  /** That of the blacklist as it is now; null where there is none any more. */
  readonly pattern: string | null;
}

/** Which sealed events are read in their order. */
export interface EventSelection {
  readonly after: number;
  readonly limit: number;
  /** The least id; '' for any. */
  readonly leastId: string;
  /** With `*` for any text. */
  readonly type?: string | undefined;
}

export interface EventReads extends Lists<SealedEvent, StoredEventQuery, Audience> {
  find(id: string, audience: Audience): Promise<SealedEvent | undefined>;
  head(): Promise<EventHead>;
  /** The position of the last event before an id, in the order of the ids; undefined for none. */
  positionBefore(id: string): Promise<number | undefined>;
  /** The same of the first one from an id on. */
  positionFrom(id: string): Promise<number | undefined>;
  /** Whether events are committed and not sealed. */
  isWaiting(): Promise<boolean>;
  /** The next sealed events, the oldest first. */
  next(selection: EventSelection): Promise<readonly SealedEvent[]>;
  /** The refusals since an hour: the newest hours first, within one the most frequent. */
  refusals(since: string, limit: number, onBehalfOf: string): Promise<readonly NamedRefusalCount[]>;
}

/** The new end of the chain; see `EventHead`. */
export type NewEnd = Omit<EventHead, 'removed'>;

export interface EventWrites {
  /** At least one. */
  append(...events: readonly WrittenEvent[]): void;
  /** Adds to what was counted. */
  countRefusals(counts: readonly RefusalCount[]): void;
  /** Both ends of the chain, which no other transaction changes until this one ends. */
  lockHead(): Promise<EventHead>;
  /** Events that are not sealed, in the order of their ids. */
  waiting(limit: number): Promise<readonly WrittenEvent[]>;
  /**
   * Gives waiting events their places.
   * @param from the place before the first
   * @param hashes the hash of each by its id, in the order of the ids
   */
  seal(from: number, hashes: ReadonlyMap<string, string>, end: NewEnd): void;
  /** The oldest sealed events. */
  oldest(limit: number): Promise<readonly Pick<SealedEvent, 'position' | 'hash' | 'time'>[]>;
  removeUpTo(last: ChainEnd): void;
  /** Forgets what was counted before an hour. */
  forgetRefusals(before: string): void;
}
