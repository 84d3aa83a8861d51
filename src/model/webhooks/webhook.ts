/** How far events have got to one receiver. */
export interface WebhookState {
  readonly name: string;
  /** The position up to which every event was taken, or is none that is sent there. */
  readonly position: number;
  /** Nothing is sent until an operator lets it go on. */
  readonly isStopped: boolean;
  /** When requests began to fail; '' if the last one did not. */
  readonly failingSince: string;
  /** What the last failure was, and when; '' where an event was taken since. */
  readonly lastError: string;
  readonly lastErrorAt: string;
  /** When the last event was taken; '' before the first. */
  readonly deliveredAt: string;
  /** Up to here an operator has passed over what is not taken: a gap tells of it. No greater than the position for nothing. */
  readonly skipTo: number;
}

/** What an operator has passed over, both positions inclusive. */
export interface Skipped {
  readonly from: number;
  readonly to: number;
  /** Whether the receiver is told a gap instead; a gap that it did not take is not told again. */
  readonly isTold: boolean;
}

/** A webhook as operators see it. */
export interface ListedWebhook extends WebhookState {
  /** How many events there are after its position. */
  readonly waiting: number;
  /** Whether the configuration has it. */
  readonly isConfigured: boolean;
}

/** What is written of an attempt that failed. */
export interface Failure {
  readonly name: string;
  /** The position before the event. */
  readonly position: number;
  readonly error: string;
  readonly at: string;
}

/** How far one receiver has got, and when it took the last event. */
export interface Progress {
  readonly name: string;
  readonly position: number;
  /** '' where nothing was sent: the events are none for this receiver. */
  readonly deliveredAt: string;
}
