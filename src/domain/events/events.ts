import type { Clock } from '../../model/clock.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import type { Event, EventDraft, Sink } from '../../model/event-types/event.ts';
import { eventIdAt } from '../../model/events/event-id.ts';
import type { Stamp } from '../../model/events/stamp.ts';

/** Creates all events, and publishes them to the sinks. */
export interface Events {
  /** Creates the event for an event draft. */
  make(context: RequestContext, draft: EventDraft): Event;
  publish(event: Event): void;
}

/** The id and time of an event that happens now. */
export function newStamp(clock: Clock): Stamp {
  const time = clock.now();
  return { id: eventIdAt(time), time };
}

export function eventsTo(sinks: readonly Sink[], clock: Clock): Events {
  return {
    make: (context, draft) => ({ context, ...(draft.stamp ?? newStamp(clock)), ...draft }),
    publish(event) {
      for (const sink of sinks) sink(event);
    },
  };
}
