import type { SealedEvent } from '../events/stored-event.ts';
import type { DeliveryFailure, WebhookProgress, WebhookState } from './webhook.ts';

/** Selects the events for a webhook, within a bounded range of positions. */
export interface WantedEvents {
  readonly after: number;
  readonly upTo: number;
  /** Event types, where `*` matches any text. An event must match one of them. */
  readonly types: readonly string[];
  readonly limit: number;
}

export interface WebhookReads {
  find(name: string): Promise<WebhookState | undefined>;
  /** All webhooks, ordered by name. */
  all(): Promise<readonly WebhookState[]>;
  /** Oldest first. */
  events(wanted: WantedEvents): Promise<readonly SealedEvent[]>;
}

export interface WebhookWrites {
  /** Adds a webhook, unless it is known. */
  add(name: string, position: number): void;
  /** Moves positions forward, never back, so that a late process undoes nothing. */
  advance(progress: readonly WebhookProgress[]): void;
  /** Records a failure, unless the event has been delivered in the meantime. */
  fail(failure: DeliveryFailure): void;
  /** Stops a webhook. Returns false if it was at another position or had already stopped. */
  stop(failure: DeliveryFailure): Promise<boolean>;
  /** Resumes a webhook. Returns false if it had not stopped. */
  resume(name: string): Promise<boolean>;
  /** The state of a webhook, locked until the transaction ends. */
  lock(name: string): Promise<WebhookState | undefined>;
  /** Resumes a webhook after skipped events. */
  skip(name: string, to: Pick<WebhookState, 'position' | 'skipTo'>): void;
  /** Deletes the state of a webhook. */
  forget(name: string): void;
}
