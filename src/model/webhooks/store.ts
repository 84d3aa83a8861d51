import type { SealedEvent } from '../events/stored-event.ts';
import type { Failure, Progress, WebhookState } from './webhook.ts';

/** Which events are read for a receiver: those of a bounded span of positions. */
export interface WantedEvents {
  readonly after: number;
  readonly upTo: number;
  /** With `*` for any text; an event of any of these types. */
  readonly types: readonly string[];
  readonly limit: number;
}

export interface WebhookReads {
  find(name: string): Promise<WebhookState | undefined>;
  /** All, by their names. */
  all(): Promise<readonly WebhookState[]>;
  /** The oldest first. */
  events(wanted: WantedEvents): Promise<readonly SealedEvent[]>;
}

export interface WebhookWrites {
  /** Adds a receiver, unless it is known. */
  add(name: string, position: number): void;
  /** Moves positions forward, never back: a process that is late undoes nothing. */
  advance(progress: readonly Progress[]): void;
  /** Notes a failure, unless the event was taken meanwhile. */
  fail(failure: Failure): void;
  /** Stops a receiver; whether it was at that position and had not stopped. */
  stop(failure: Failure): Promise<boolean>;
  /** Lets a receiver go on; whether it had stopped. */
  resume(name: string): Promise<boolean>;
  /** How far a receiver has got, which no other transaction changes until this one ends. */
  lock(name: string): Promise<WebhookState | undefined>;
  /** Lets a receiver go on after what was passed over. */
  skip(name: string, to: Pick<WebhookState, 'position' | 'skipTo'>): void;
  /** Forgets how far a receiver has got. */
  forget(name: string): void;
}
