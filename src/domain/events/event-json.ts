import { errorType } from '../../model/errors.ts';
import type { SealedEvent } from '../../model/events/stored-event.ts';

/**
 * An event as shown to an audience. With restricted visibility, callers of other projects and blacklist details are
 * left out.
 */
export interface ShownEvent extends Omit<SealedEvent, 'data'> {
  readonly data: Readonly<Record<string, unknown>>;
  /** True if the audience may see the caller. */
  readonly namesCaller: boolean;
}

/** Who acted, as an audience sees it. */
export function actorJson(
  event: Pick<ShownEvent, 'userId' | 'requestId' | 'address' | 'origin' | 'actorProjectId' | 'namesCaller'>,
) {
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
    actor: actorJson(event),
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
