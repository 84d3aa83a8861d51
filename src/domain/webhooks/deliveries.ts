/** Which events each receiver is still to be sent. `webhooks/` sends them. */

import { NO_PROJECT } from '../../model/access/caller.ts';
import { type Clock, earlier } from '../../model/clock.ts';
import { serviceContext } from '../../model/context/request-context.ts';
import type { EventHead, SealedEvent } from '../../model/events/stored-event.ts';
import type { Store } from '../../model/store.ts';
import type { DeliveryFailure, WebhookProgress, WebhookState } from '../../model/webhooks/webhook.ts';
import type { UnitOfWork } from '../unit-of-work/unit-of-work.ts';

/** Maximum number of events in memory for one receiver. */
const EVENTS_AT_ONCE = 20;
/** Number of positions that one read covers, however few of their events the receiver wants. */
const SPAN = 1000;

/** The events that a receiver wants. */
export interface ReceiverSelection {
  readonly name: string;
  /** Event types, with `*` for any text. */
  readonly types: readonly string[];
  readonly from: 'head' | 'start';
}

/** The positions, both inclusive, of events that are not sent: they were removed, or an operator skipped them. */
export interface Gap {
  readonly from: number;
  readonly to: number;
}

/** The progress of a receiver. */
interface ReceiverPosition {
  readonly after: number;
  readonly skipTo: number;
  readonly head: number;
}

/** The next events for a receiver, or a gap. */
export type DeliveryBatch =
  | { readonly gap: Gap }
  | {
      readonly gap?: undefined;
      readonly events: readonly SealedEvent[];
      /** The position up to which these are all the wanted events. */
      readonly upTo: number;
    };

export interface DeliveryUseCaseDeps {
  readonly store: Pick<Store, 'transaction' | 'events' | 'webhooks'>;
  readonly clock: Clock;
  readonly unitOfWork: UnitOfWork;
}

export function deliveryUseCases({ store, clock, unitOfWork }: DeliveryUseCaseDeps) {
  return {
    head: (): Promise<EventHead> => store.events.head(),
    find: (name: string): Promise<WebhookState | undefined> => store.webhooks.find(name),

    /** Sets the first position of new receivers. */
    async begin(receivers: readonly ReceiverSelection[]): Promise<void> {
      const known = new Set((await store.webhooks.all()).map(({ name }) => name));
      const added = receivers.filter(({ name }) => !known.has(name));
      if (added.length === 0) return;
      const { position, removed } = await store.events.head();
      await store.transaction(async (tx) => {
        for (const { name, from } of added)
          tx.webhooks.add(name, from === 'start' ? removed.position : position);
      });
    },

    /**
     * The next events after a position, or a gap.
     * @param skipTo the position up to which an operator has skipped events
     * @param head the last known position
     */
    async next(
      { types }: ReceiverSelection,
      { after, skipTo, head }: ReceiverPosition,
    ): Promise<DeliveryBatch> {
      const upTo = Math.min(after + SPAN, head);
      const events = await store.webhooks.events({ after, upTo, types, limit: EVENTS_AT_ONCE });
      // Read after the events, so that a removed event is not mistaken for an unwanted one.
      const { removed } = await store.events.head();
      const missing = Math.max(removed.position, skipTo);
      if (missing > after) return { gap: { from: after + 1, to: missing } };
      const isCut = events.length === EVENTS_AT_ONCE;
      return { events, upTo: isCut ? events.at(-1)!.position : upTo };
    },

    /** Stores the progress of receivers. */
    async keep(progress: readonly WebhookProgress[]): Promise<void> {
      await store.transaction(async (tx) => tx.webhooks.advance(progress));
    },

    /** Stores why a receiver did not accept an event. */
    async fail(failure: Omit<DeliveryFailure, 'at'>): Promise<void> {
      const at = clock.now();
      await store.transaction(async (tx) => tx.webhooks.fail({ ...failure, at }));
    },

    /** Stops a receiver, and emits an event. */
    async stop(failure: Omit<DeliveryFailure, 'at'>): Promise<void> {
      const { name, position, error } = failure;
      await unitOfWork.commit(serviceContext(NO_PROJECT), async (tx, emit) => {
        const isStopped = await tx.webhooks.stop({ ...failure, at: clock.now() });
        if (isStopped)
          emit({ type: 'webhook.stopped', target: { kind: 'webhook', name }, position, reason: error });
      });
    },

    /** True if a receiver has failed for at least the given time, in milliseconds. */
    hasFailedFor: (since: string, ms: number): boolean => since <= earlier(clock.now(), ms),
    now: (): string => clock.now(),
  };
}

export type DeliveryUseCases = ReturnType<typeof deliveryUseCases>;
