/** Delivery progress of each webhook. */
export interface WebhookSchema {
  /** See `WebhookState`. */
  webhooks: {
    name: string;
    position: number;
    stopped: number;
    failing_since: string;
    last_error: string;
    last_error_at: string;
    delivered_at: string;
    skip_to: number;
  };
}
