import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError } from '../../model/errors.ts';
import { visibleType } from '../../model/event-types/visible-types.ts';
import { minIdAt } from '../../model/events/event-id.ts';
import type { EventReads } from '../../model/events/store.ts';
import type {
  Audience,
  EventContents,
  EventFields,
  EventQuery,
  SealedEvent,
  StoredEventQuery,
} from '../../model/events/stored-event.ts';
import type { Page } from '../../model/lists.ts';
import type { Store } from '../../model/store.ts';
import type { AccessControl } from '../access/access-control.ts';
import type { ShownEvent } from '../events/event-json.ts';
import { beforeAll, behindAll } from '../events/time-bounds.ts';

/** Page size for event streams. */
const PAGE = 500;

export interface PastEventDeps {
  readonly store: Pick<Store, 'events'>;
  readonly access: AccessControl;
}

/** Which events to stream. */
export interface Following {
  /** Only events at or after this time. */
  readonly since?: string | undefined;
  /** Event type; `*` matches any text. */
  readonly type?: string | undefined;
  /** Called when no more events are stored. Resolves to false to end the stream. */
  wait(): Promise<boolean>;
}

/** Without the number of recordsets in the zone, which only its owner may know. */
function uncounted({ before, after, ...others }: EventContents): EventContents {
  const without = ({ recordsets: _, records: __, ...fields }: EventFields) => fields;
  return { ...(before && { before: without(before) }), ...(after && { after: without(after) }), ...others };
}

/** Without the texts that name records of other zones, which the scope of a credential may hide. */
function withinZones({ details, ...others }: EventContents): EventContents {
  if (details === undefined) return others;
  const { warnings: _, hides: __, ...fields } = details;
  return { details: fields, ...others };
}

function shown({ data: text, ...event }: SealedEvent, { projectId, isFull, only }: Audience): ShownEvent {
  const data: EventContents = JSON.parse(text);
  if (isFull) return { ...event, data: { ...data }, namesCaller: true };
  const { restricted: _, ...others } = only?.zones === undefined ? data : withinZones(data);
  const isOfOther = event.type === 'recordsets.changed' && event.projectId !== projectId;
  const seen = isOfOther ? uncounted(others) : others;
  const type = visibleType(event.type);
  return { ...event, type, data: { ...seen }, namesCaller: event.callerProjectId === projectId };
}

/**
 * True if the query filters by user or request. Then a project sees only its own callers, so that it cannot guess
 * others.
 */
function namesCallers({ user_id: user, request_id: request }: EventQuery['filters']): boolean {
  return user !== undefined || request !== undefined;
}

/** The type filter matches the type that the audience sees. */
function storedFilters(
  { type, project_id: _, ...others }: EventQuery['filters'],
  { isFull }: Audience,
): StoredEventQuery['filters'] {
  if (type === undefined) return others;
  return isFull ? { ...others, type } : { ...others, visible_type: type };
}

/** The positions that bound the requested time span, so that a page scans no others. */
async function positionsOf(
  reads: EventReads,
  { since, until }: EventQuery['filters'],
): Promise<StoredEventQuery['filters']> {
  const behind = since === undefined ? undefined : await behindAll(reads, since);
  const before = until === undefined ? undefined : await beforeAll(reads, until);
  return {
    ...(behind === undefined ? {} : { behind: String(behind) }),
    ...(before === undefined ? {} : { before: String(before) }),
  };
}

/** An event as administrators see it. */
export const fullyShown = (event: SealedEvent): ShownEvent =>
  shown(event, { isFull: true, ownCallers: false });

async function* inOrder(
  events: EventReads,
  { since, type, wait }: Following,
): AsyncGenerator<readonly SealedEvent[], void> {
  const minId = since === undefined ? '' : minIdAt(since);
  for (let after = since === undefined ? 0 : await behindAll(events, since); ; ) {
    const page = await events.next({ limit: PAGE, minId, type, after });
    after = page.at(-1)?.position ?? after;
    if (page.length > 0) yield page;
    else if (!(await wait())) return;
  }
}

/** The use cases of stored events. */
export function pastEventUseCases({ store, access }: PastEventDeps) {
  /** A caller who may see all events sees them by default; naming another project narrows them down. */
  function audienceOf(context: RequestContext, filters: EventQuery['filters'] = {}): Audience {
    const { projectId, scope } = context;
    const only = scope === 'all projects' ? undefined : scope.only;
    if (!access.allows(context, 'find_all_events', {}))
      return { projectId, isFull: false, ownCallers: namesCallers(filters), only };
    const named = projectId === context.caller.projectId ? undefined : projectId;
    return { projectId: filters.project_id ?? named, isFull: true, ownCallers: false };
  }

  return {
    /** Sealed events. */
    async list(context: RequestContext, query: EventQuery): Promise<Page<ShownEvent>> {
      access.require(context, 'find_events', { projectId: context.projectId });
      const audience = audienceOf(context, query.filters);
      const { project_id: project } = query.filters;
      // A project sees only its own events, whichever project it filters by.
      if (!audience.isFull && project !== undefined && project !== audience.projectId)
        return { items: [], more: false };
      const positions = await positionsOf(store.events, query.filters);
      const filters = { ...storedFilters(query.filters, audience), ...positions };
      const page = await store.events.list({ ...query, filters }, audience, context.caller.projectId);
      return { ...page, items: page.items.map((event) => shown(event, audience)) };
    },

    async get(context: RequestContext, id: string): Promise<ShownEvent> {
      access.require(context, 'get_event', { projectId: context.projectId });
      const audience = audienceOf(context);
      const event = await store.events.find(id, audience);
      if (event === undefined) throw new DomainError('event_not_found');
      return shown(event, audience);
    },

    /** Streams all sealed events in order, a page at a time, then new ones. */
    async *follow(
      context: RequestContext,
      following: Following,
    ): AsyncGenerator<readonly ShownEvent[], void> {
      access.require(context, 'find_all_events', {});
      for await (const events of inOrder(store.events, following)) {
        yield events.map(fullyShown);
      }
    },
  };
}

export type PastEventUseCases = ReturnType<typeof pastEventUseCases>;
