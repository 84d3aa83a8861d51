import { randomUUID } from 'node:crypto';
import type { Act } from '../acts/act.ts';
import type { Clock } from '../clock.ts';
import type { Happening, Sink } from './event.ts';

/** The one place from which events go to the sinks. */
export interface Events {
  publish(act: Act, happening: Happening): void;
}

export function eventsTo(sinks: readonly Sink[], clock: Clock): Events {
  return {
    publish(act, happening) {
      const event = { ...happening, id: randomUUID(), time: clock.now(), act };
      for (const sink of sinks) sink(event);
    },
  };
}
