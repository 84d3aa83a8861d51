import { hash } from 'node:crypto';
import type { ReadLimits } from '../access/scope.ts';
import type { ListQuery } from '../lists.ts';
import type { EventKey } from './event-key.ts';

/** Fields by their API names. */
export type EventFields = Readonly<Record<string, unknown>>;

/** What an event contains besides its actor and target. */
export interface EventContents {
  /** The changed fields before and after; all fields if one side is undefined. */
  readonly before?: EventFields | undefined;
  readonly after?: EventFields | undefined;
  readonly details?: EventFields | undefined;
  /** Visible only to administrators. */
  readonly restricted?: EventFields | undefined;
}

/** An event as stored. Unknown values are ''. */
export interface EventRecord {
  readonly id: string;
  readonly time: string;
  readonly type: string;
  /** The kind of refusal. */
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
  /** True if the projects concerned may see it too, not only administrators. */
  readonly isShown: boolean;
  readonly keyId: string;
  /** Authenticates all of the fields above. */
  readonly mac: string;
}

/** An event with its position in the chain. */
export interface SealedEvent extends EventRecord {
  /** 1 for the first, without gaps. */
  readonly position: number;
  /** SHA-256 in hexadecimal of the previous hash, the position, the event and its MAC. */
  readonly hash: string;
}

/** A position and its hash; position 0 and hash '' before the first event. */
export interface ChainEnd {
  readonly position: number;
  readonly hash: string;
}

/** Both ends of the chain of sealed events. */
export interface EventHead extends ChainEnd {
  /** The last event removed. */
  readonly removed: ChainEnd;
  /** The greatest id so far; '' before the first. */
  readonly latestId: string;
  /** The longest time, in milliseconds, by which an event was ever older than one at a lower position. */
  readonly lag: number;
}

/** Who is reading events, and what they may see. */
export interface Audience {
  /** Only events about this project's resources, and events of its own operations. */
  readonly projectId?: string | undefined;
  /** True to show all events in full. */
  readonly isFull: boolean;
  /** True for only operations of the project's own callers, so that filters find no users and requests of others. */
  readonly ownCallers: boolean;
  /** Set for a credential with a scope: only events of zones, and of these only what it allows. */
  readonly only?: ReadLimits | undefined;
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
/** Additional filters of the store: the type as a project sees it, and bounds of the position. */
type StoredFilter = 'visible_type' | 'behind' | 'before';
type EventSortKey = (typeof EVENT_SORT_KEYS)[number];
type EventFilter = (typeof EVENT_FILTERS)[number];
export type EventQuery = ListQuery<EventSortKey, EventFilter>;
/** An `EventQuery` for the store. */
export type StoredEventQuery = ListQuery<EventSortKey, EventFilter | StoredFilter>;

/** An event as authenticated: its head and its contents as text. */
export interface WrittenEvent {
  readonly id: string;
  /** A JSON list of all fields except contents and MAC, in the order of `HEAD`. */
  readonly head: string;
  /** `EventContents` as JSON. */
  readonly data: string;
  readonly mac: string;
}

/** The fields of an event's head, in order. */
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

type HashedHead = Pick<EventRecord, (typeof HEAD)[number]>;

/** Written out member by member for speed: it runs for each change. */
function headText(event: HashedHead): string {
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

/** The canonical text of an event. A head never contains a line break, since JSON escapes it. */
function canonicalText({ head, data }: Pick<WrittenEvent, 'head' | 'data'>): string {
  return `${head}\n${data}`;
}

/** Signs an event with the key. */
export function proven(
  event: Omit<HashedHead, 'keyId'> & Pick<EventRecord, 'data'>,
  key: EventKey,
): WrittenEvent {
  const { id, data } = event;
  const head = headText({ ...event, keyId: key.id });
  return { id, head, data, mac: key.mac(canonicalText({ head, data })) };
}

/** The event in the form in which it was written. */
export function writtenOf(event: EventRecord): WrittenEvent {
  const { id, data, mac } = event;
  return { id, head: headText(event), data, mac };
}

export function isProvenBy(event: WrittenEvent, key: EventKey): boolean {
  return key.mac(canonicalText(event)) === event.mac;
}

/** The end of the chain after appending an event. */
export function nextEnd(before: ChainEnd, event: WrittenEvent): ChainEnd {
  const position = before.position + 1;
  const text = `${before.hash}\n${position}\n${canonicalText(event)}\n${event.mac}`;
  return { position, hash: hash('sha256', text) };
}

/** The key id in an event's head; undefined if the head is invalid. */
export function keyIdOf({ head }: WrittenEvent): string | undefined {
  try {
    const fields: unknown = JSON.parse(head);
    const id: unknown = Array.isArray(fields) ? fields[HEAD.indexOf('keyId')] : undefined;
    return typeof id === 'string' ? id : undefined;
  } catch {
    return undefined;
  }
}
