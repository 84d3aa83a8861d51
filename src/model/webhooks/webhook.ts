/** The delivery state of one webhook. */
export interface WebhookState {
  readonly name: string;
  /** Every event up to this position was delivered, or is not meant for this webhook. */
  readonly position: number;
  /** True if nothing is sent until an operator resumes it. */
  readonly isStopped: boolean;
  /** When requests began to fail; '' if the last one succeeded. */
  readonly failingSince: string;
  /** The last failure and its time; '' if an event was delivered since. */
  readonly lastError: string;
  readonly lastErrorAt: string;
  /** When the last event was delivered; '' before the first. */
  readonly deliveredAt: string;
  /**
   * An operator skipped undelivered events up to here, and a gap reports them. No effect unless greater than
   * `position`.
   */
  readonly skipTo: number;
}

/** Events skipped by an operator; both positions are inclusive. */
export interface Skipped {
  readonly from: number;
  readonly to: number;
  /** True if the webhook receives a gap in their place. A gap that was not accepted is not sent again. */
  readonly hasGapNotice: boolean;
}

/** A webhook as shown to operators. */
export interface ListedWebhook extends WebhookState {
  /** Number of events after its position. */
  readonly waiting: number;
  /** True if it is in the configuration. */
  readonly isConfigured: boolean;
}

/** A failed attempt to deliver an event. */
export interface DeliveryFailure {
  readonly name: string;
  /** The position before the event. */
  readonly position: number;
  readonly error: string;
  readonly at: string;
}

/** The progress of one webhook, and when it last accepted an event. */
export interface WebhookProgress {
  readonly name: string;
  readonly position: number;
  /** '' if nothing was sent, since no event was meant for this webhook. */
  readonly deliveredAt: string;
}
