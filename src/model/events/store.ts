import type { Lists } from '../lists.ts';
import type {
  Audience,
  ChainEnd,
  EventHead,
  SealedEvent,
  StoredEventQuery,
  WrittenEvent,
} from './stored-event.ts';

/** Number of refusals of one kind in one hour. */
export interface RefusalCount {
  /** `YYYY-MM-DDTHH`, UTC. */
  readonly hour: string;
  readonly type: string;
  /** The blacklist that refused; '' if there is none, or if it is unknown. */
  readonly blacklistId: string;
  readonly count: number;
}

export interface NamedRefusalCount extends RefusalCount {
  /** The blacklist's current pattern; null if the blacklist is gone. */
  readonly pattern: string | null;
}

/** Selects sealed events to read in order of position. */
export interface EventSelection {
  readonly after: number;
  readonly limit: number;
  /** The lowest id; '' for any. */
  readonly minId: string;
  /** May contain `*` for any text. */
  readonly type?: string | undefined;
}

export interface EventReads extends Lists<SealedEvent, StoredEventQuery, Audience> {
  find(id: string, audience: Audience): Promise<SealedEvent | undefined>;
  head(): Promise<EventHead>;
  /** The position of the last event before an id, by id order; undefined if there is none. */
  positionBefore(id: string): Promise<number | undefined>;
  /** Like `positionBefore`, of the first event with this id or a later one. */
  positionFrom(id: string): Promise<number | undefined>;
  /** Whether there are committed events that are not sealed. */
  isWaiting(): Promise<boolean>;
  /** The next sealed events, oldest first. */
  next(selection: EventSelection): Promise<readonly SealedEvent[]>;
  /** Refusals since an hour: newest hours first, and the most frequent first within an hour. */
  refusals(since: string, limit: number, onBehalfOf: string): Promise<readonly NamedRefusalCount[]>;
}

/** The new end of the chain; see `EventHead`. */
export type NewEnd = Omit<EventHead, 'removed'>;

export interface EventWrites {
  /** Appends at least one event. */
  append(...events: readonly WrittenEvent[]): void;
  /** Adds to the refusal counts. */
  countRefusals(counts: readonly RefusalCount[]): void;
  /** Both ends of the chain, locked until the transaction ends. */
  lockHead(): Promise<EventHead>;
  /** Events that are not sealed, ordered by id. */
  waiting(limit: number): Promise<readonly WrittenEvent[]>;
  /**
   * Seals waiting events.
   * @param from the position before the first
   * @param hashes the hash of each event by id, ordered by id
   */
  seal(from: number, hashes: ReadonlyMap<string, string>, end: NewEnd): void;
  /** The oldest sealed events. */
  oldest(limit: number): Promise<readonly Pick<SealedEvent, 'position' | 'hash' | 'time'>[]>;
  removeUpTo(last: ChainEnd): void;
  /** Deletes refusal counts from before an hour. */
  forgetRefusals(before: string): void;
}
