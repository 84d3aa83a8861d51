import { hash } from 'node:crypto';
import type { ListQuery } from '../lists.ts';
import type { EventKey } from './event-key.ts';

/** Fields in the words of the API. */
export type Fields = Readonly<Record<string, unknown>>;

/** What an event tells besides its actor and target. */
export interface EventContents {
  /** The changed fields before and after; all of them where one is missing. */
  readonly before?: Fields | undefined;
  readonly after?: Fields | undefined;
  readonly details?: Fields | undefined;
  /** What only administrators see. */
  readonly restricted?: Fields | undefined;
}

/** An event as it is stored. Texts that are not known are empty. */
export interface EventRecord {
  readonly id: string;
  readonly time: string;
  readonly type: string;
  /** The kind of the refusal. */
  readonly error: string;
  /** The project of the target. */
  readonly projectId: string;
  /** The project acted for. */
  readonly actorProjectId: string;
  /** The project of the caller. */
  readonly callerProjectId: string;
  readonly userId: string;
  readonly origin: string;
  readonly requestId: string;
  readonly address: string;
  readonly targetKind: string;
  readonly targetId: string;
  readonly targetName: string;
  /** `EventContents` as JSON. */
  readonly data: string;
  /** Whether its projects may see it, and not only administrators. */
  readonly isShown: boolean;
  readonly keyId: string;
  /** Proves all of the above. */
  readonly mac: string;
}

/** An event with its place among all events. */
export interface SealedEvent extends EventRecord {
  /** 1 for the first; none is left out. */
  readonly position: number;
  /** SHA-256, hexadecimal, over the hash before it, the position, the event and its proof. */
  readonly hash: string;
}

/** The newest position and its hash; position 0 and the hash '' before the first. */
export interface ChainEnd {
  readonly position: number;
  readonly hash: string;
}

/** Both ends of the chain of sealed events. */
export interface EventHead extends ChainEnd {
  /** The last one that was removed. */
  readonly removed: ChainEnd;
}

/** Who looks at events. */
export interface Audience {
  /** Only the events of this project: those about what it has, and those of its acts. */
  readonly projectId?: string | undefined;
  /** Whether all of an event is shown, and all events. */
  readonly isFull: boolean;
  /** Whether only acts of callers of that project are meant: others' users are not looked for. */
  readonly ownCallers: boolean;
}

export const EVENT_SORT_KEYS = ['position'] as const;
export const EVENT_FILTERS = [
  'type',
  'target',
  'target_id',
  'target_name',
  'user_id',
  'request_id',
  'project_id',
  'since',
  'until',
] as const;
export type EventQuery = ListQuery<(typeof EVENT_SORT_KEYS)[number], (typeof EVENT_FILTERS)[number]>;

type Unproven = Omit<EventRecord, 'mac'>;

/** The canonical text of an event: a JSON list of its fields in this order. */
function canonicalText(event: Unproven): string {
  return JSON.stringify([
    event.id,
    event.time,
    event.type,
    event.error,
    event.projectId,
    event.actorProjectId,
    event.callerProjectId,
    event.userId,
    event.origin,
    event.requestId,
    event.address,
    event.targetKind,
    event.targetId,
    event.targetName,
    event.data,
    event.isShown ? 1 : 0,
    event.keyId,
  ]);
}

/** The event with the proof that it was written by who has the key. */
export function proven(event: Omit<Unproven, 'keyId'>, key: EventKey): EventRecord {
  const unproven = { ...event, keyId: key.id };
  return { ...unproven, mac: key.mac(canonicalText(unproven)) };
}

export function isProvenBy(event: EventRecord, key: EventKey): boolean {
  return key.mac(canonicalText(event)) === event.mac;
}

/** The next place in the chain, taken by an event. */
export function nextEnd(before: ChainEnd, event: EventRecord): ChainEnd {
  const position = before.position + 1;
  const text = `${before.hash}\n${position}\n${canonicalText(event)}\n${event.mac}`;
  return { position, hash: hash('sha256', text) };
}
