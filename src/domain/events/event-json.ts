import { errorType } from '../../model/errors.ts';
import type { SealedEvent } from '../../model/events/stored-event.ts';

/** An event as it is shown: who may not see everything sees no caller of another project, and nothing of blacklists. */
export interface ShownEvent extends Omit<SealedEvent, 'data'> {
  readonly data: Readonly<Record<string, unknown>>;
  /** Whether the caller is one that may be named. */
  readonly namesCaller: boolean;
}

function actorOf(event: ShownEvent) {
  const { userId, requestId, address } = event;
  const caller = { user_id: userId || null, request_id: requestId || null, address: address || null };
  return {
    kind: event.origin,
    project_id: event.actorProjectId || null,
    ...(event.namesCaller ? caller : {}),
  };
}

/** An event as the API and the command line show it. */
export function eventJson(event: ShownEvent) {
  return {
    id: event.id,
    position: event.position,
    time: event.time,
    type: event.type,
    outcome: event.error === '' ? 'done' : 'refused',
    error: event.error === '' ? null : errorType(event.error),
    actor: actorOf(event),
    target: {
      kind: event.targetKind,
      id: event.targetId || null,
      name: event.targetName || null,
      project_id: event.projectId || null,
    },
    ...event.data,
    hash: event.hash,
  };
}
