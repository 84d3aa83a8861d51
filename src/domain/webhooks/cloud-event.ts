/** CloudEvents 1.0 in JSON. */

import type { SealedEvent } from '../../model/events/stored-event.ts';
import { eventJson } from '../events/event-json.ts';
import { fullyShown } from '../history/past-events.ts';
import type { Gap } from './deliveries.ts';

const TYPE_PREFIX = 'org.zonewarden.';
/** Digits of a position: padded texts sort like numbers. */
const DIGITS = 16;

/** A message to a receiver. */
export interface Message {
  /** The id, equal in each attempt to send the message. */
  readonly id: string;
  /** JSON, in UTF-8. */
  readonly body: string;
}

function message(id: string, attributes: object, position: number, data: object): Message {
  const sequence = String(position).padStart(DIGITS, '0');
  const event = {
    specversion: '1.0',
    id,
    ...attributes,
    sequence,
    datacontenttype: 'application/json',
    data,
  };
  return { id, body: JSON.stringify(event) };
}

/** An event as administrators see it. */
export function cloudEvent(event: SealedEvent, source: string): Message {
  const { id, type, time, targetId, targetName, position } = event;
  const subject = targetId || targetName;
  const attributes = {
    source,
    type: `${TYPE_PREFIX}${type}`,
    ...(subject === '' ? {} : { subject }),
    time: `${time}Z`,
  };
  return message(id, attributes, position, eventJson(fullyShown(event)));
}

/** An event that reports that others were removed before they could be sent. */
export function gapEvent({ from, to }: Gap, source: string, now: string): Message {
  const attributes = { source, type: `${TYPE_PREFIX}events.gap`, time: `${now}Z` };
  return message(`gap-${from}-${to}`, attributes, to, { from, to });
}
