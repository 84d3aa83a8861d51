import type { RequestContext } from '../../model/context/request-context.ts';
import { contentsOf } from '../../model/event-types/contents.ts';
import type { Event } from '../../model/event-types/event.ts';
import type { EventKey } from '../../model/events/event-key.ts';
import { proven, type WrittenEvent } from '../../model/events/stored-event.ts';
import { boundedJson } from './bounded-json.ts';

/** Maximum length of a stored text. Names are bounded, but texts taken from a request, such as its path, may not be. */
const LONGEST_TEXT = 512;
/** Characters that no database stores unchanged. */
const NO_TEXT = /[\0\p{Surrogate}]/gu;

function text(value = ''): string {
  return value.slice(0, LONGEST_TEXT).replace(NO_TEXT, '\ufffd');
}

/** Who acts, as it is stored. */
export function actorOf({ caller, projectId, origin }: RequestContext) {
  const request = origin.kind === 'request' ? origin : { requestId: '', address: '' };
  return {
    actorProjectId: text(projectId),
    callerProjectId: text(caller.projectId),
    userId: text(caller.userId),
    origin: origin.kind,
    requestId: text(request.requestId),
    address: text(request.address),
  };
}

/**
 * The project that the event belongs to. The transfer of a zone belongs to the previous owner, since the new one is the
 * actor. An event about an unowned target belongs to the actor's project, if projects may see it.
 */
function projectOf(event: Event, isShown: boolean): string | undefined {
  const { kind, id, projectId } = event.target;
  if (event.type === 'zone.transferred') return event.request.projectId;
  if (kind === 'project') return id;
  return projectId ?? (isShown ? event.context.projectId : '');
}

/** The event as it is stored, authenticated with the key. */
export function recordOf(event: Event, key: EventKey): WrittenEvent {
  const { contents, isShown } = contentsOf(event);
  const { kind, id, name } = event.target;
  return proven(
    {
      id: event.id,
      time: event.time,
      type: event.type,
      error: 'error' in event ? event.error.kind : '',
      projectId: text(projectOf(event, isShown)),
      ...actorOf(event.context),
      targetKind: kind,
      targetId: text(id),
      targetName: text(name),
      data: boundedJson(contents),
      isShown,
    },
    key,
  );
}
