/** What of the events is still to be sent to whom. Sending is not done here. */

import { NO_PROJECT } from '../../model/access/caller.ts';
import { type Clock, earlier } from '../../model/clock.ts';
import { serviceContext } from '../../model/context/request-context.ts';
import type { EventHead, SealedEvent } from '../../model/events/stored-event.ts';
import type { Store } from '../../model/store.ts';
import type { DeliveryFailure, WebhookProgress, WebhookState } from '../../model/webhooks/webhook.ts';
import type { UnitOfWork } from '../unit-of-work/unit-of-work.ts';

/** Events that are held for one receiver. */
const EVENTS_AT_ONCE = 20;
/** Positions that one read goes over, however few of their events are wanted. */
const SPAN = 1000;

/** What a receiver wants. */
export interface ReceiverSelection {
  readonly name: string;
  /** With `*` for any text. */
  readonly types: readonly string[];
  readonly from: 'head' | 'start';
}

/** The positions, both inclusive, of events that are not sent: they were removed before, or an operator has passed them over. */
export interface Gap {
  readonly from: number;
  readonly to: number;
}

/** Where a receiver is. */
interface ReceiverPosition {
  readonly after: number;
  readonly skipTo: number;
  readonly head: number;
}

/** What comes next for a receiver. */
export type DeliveryBatch =
  | { readonly gap: Gap }
  | {
      readonly gap?: undefined;
      readonly events: readonly SealedEvent[];
      /** The position up to which these are all that is wanted. */
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

    /** Gives new receivers the place where they begin. */
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
     * What comes after a position.
     * @param skipTo up to where an operator has passed over events
     * @param head the last position that is known
     */
    async next(
      { types }: ReceiverSelection,
      { after, skipTo, head }: ReceiverPosition,
    ): Promise<DeliveryBatch> {
      const upTo = Math.min(after + SPAN, head);
      const events = await store.webhooks.events({ after, upTo, types, limit: EVENTS_AT_ONCE });
      // Read afterwards: nothing that was removed until now passes for an event that is not wanted.
      const { removed } = await store.events.head();
      const missing = Math.max(removed.position, skipTo);
      if (missing > after) return { gap: { from: after + 1, to: missing } };
      const isCut = events.length === EVENTS_AT_ONCE;
      return { events, upTo: isCut ? events.at(-1)!.position : upTo };
    },

    /** Keeps how far receivers have got. */
    async keep(progress: readonly WebhookProgress[]): Promise<void> {
      await store.transaction(async (tx) => tx.webhooks.advance(progress));
    },

    /** Keeps why an event was not taken. */
    async fail(failure: Omit<DeliveryFailure, 'at'>): Promise<void> {
      const at = clock.now();
      await store.transaction(async (tx) => tx.webhooks.fail({ ...failure, at }));
    },

    /** Stops a receiver, which is an event. */
    async stop(failure: Omit<DeliveryFailure, 'at'>): Promise<void> {
      const { name, position, error } = failure;
      await unitOfWork.commit(serviceContext(NO_PROJECT), async (tx, emit) => {
        const isStopped = await tx.webhooks.stop({ ...failure, at: clock.now() });
        if (isStopped)
          emit({ type: 'webhook.stopped', target: { kind: 'webhook', name }, position, reason: error });
      });
    },

    /** Whether a receiver has failed for so long, in milliseconds. */
    hasFailedFor: (since: string, ms: number): boolean => since <= earlier(clock.now(), ms),
    now: (): string => clock.now(),
  };
}

export type DeliveryUseCases = ReturnType<typeof deliveryUseCases>;
