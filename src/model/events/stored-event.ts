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
  /** The greatest id so far; '' before the first. */
  readonly latestId: string;
  /** How far the time of an event was ever behind that of one with a lesser position, in milliseconds. */
  readonly lag: number;
}

/** Who looks at events. */
export interface Audience {
  /** Only the events of this project: those about what it has, and those of its acts. */
  readonly projectId?: string | undefined;
  /** Whether all of an event is shown, and all events. */
  readonly isFull: boolean;
  /** Whether only acts of callers of that project are meant: others' users and requests are not looked for. */
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
/** What the store is asked besides: the type as a project sees it, and between which positions to look. */
type StoredFilter = 'told_type' | 'behind' | 'before';
type EventSortKey = (typeof EVENT_SORT_KEYS)[number];
type EventFilter = (typeof EVENT_FILTERS)[number];
export type EventQuery = ListQuery<EventSortKey, EventFilter>;
/** The same, asked of the store. */
export type StoredEventQuery = ListQuery<EventSortKey, EventFilter | StoredFilter>;

/** What is proven of an event, in two texts: what it is about, and what it tells. */
export interface WrittenEvent {
  readonly id: string;
  /** A JSON list of the fields but the contents and the proof, in the order of `HEAD`. */
  readonly head: string;
  /** `EventContents` as JSON. */
  readonly data: string;
  readonly mac: string;
}

/** The fields of the head of an event, in their order. */
export const HEAD = [
  'id',
  'time',
  'type',
  'error',
  'projectId',
  'actorProjectId',
  'callerProjectId',
  'userId',
  'origin',
  'requestId',
  'address',
  'targetKind',
  'targetId',
  'targetName',
  'isShown',
  'keyId',
] as const satisfies readonly (keyof EventRecord)[];

type Head = Pick<EventRecord, (typeof HEAD)[number]>;

/** Member by member: it is made for each change. */
function headText(event: Head): string {
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
    event.isShown ? 1 : 0,
    event.keyId,
  ]);
}

/** The canonical text of an event. A head has no line break: it is escaped. */
function canonicalText({ head, data }: Pick<WrittenEvent, 'head' | 'data'>): string {
  return `${head}\n${data}`;
}

/** The event with the proof that it was written by who has the key. */
export function proven(event: Omit<Head, 'keyId'> & Pick<EventRecord, 'data'>, key: EventKey): WrittenEvent {
  const { id, data } = event;
  const head = headText({ ...event, keyId: key.id });
  return { id, head, data, mac: key.mac(canonicalText({ head, data })) };
}

/** The event as it was written. */
export function writtenOf(event: EventRecord): WrittenEvent {
  const { id, data, mac } = event;
  return { id, head: headText(event), data, mac };
}

export function isProvenBy(event: WrittenEvent, key: EventKey): boolean {
  return key.mac(canonicalText(event)) === event.mac;
}

/** The next place in the chain, taken by an event. */
export function nextEnd(before: ChainEnd, event: WrittenEvent): ChainEnd {
  const position = before.position + 1;
  const text = `${before.hash}\n${position}\n${canonicalText(event)}\n${event.mac}`;
  return { position, hash: hash('sha256', text) };
}

/** The key of a head; undefined if it is none. */
export function keyIdOf({ head }: WrittenEvent): string | undefined {
  try {
    const fields: unknown = JSON.parse(head);
    const id: unknown = Array.isArray(fields) ? fields[HEAD.indexOf('keyId')] : undefined;
    return typeof id === 'string' ? id : undefined;
  } catch {
    return undefined;
  }
}
