import type { EventRecord, SealedEvent } from '../domain/events/stored-event.ts';
import type { EventColumns, EventSchema } from './event-schema.ts';

export function toEventRow(event: EventRecord): EventColumns {
  return {
    id: event.id,
    time: event.time,
    type: event.type,
    error: event.error,
    project_id: event.projectId,
    actor_project_id: event.actorProjectId,
    caller_project_id: event.callerProjectId,
    user_id: event.userId,
    origin: event.origin,
    request_id: event.requestId,
    address: event.address,
    target_kind: event.targetKind,
    target_id: event.targetId,
    target_name: event.targetName,
    data: event.data,
    key_id: event.keyId,
    mac: event.mac,
    shown: event.isShown ? 1 : 0,
  };
}

export function eventFromRow(row: EventColumns): EventRecord {
  return {
    id: row.id,
    time: row.time,
    type: row.type,
    error: row.error,
    projectId: row.project_id,
    actorProjectId: row.actor_project_id,
    callerProjectId: row.caller_project_id,
    userId: row.user_id,
    origin: row.origin,
    requestId: row.request_id,
    address: row.address,
    targetKind: row.target_kind,
    targetId: row.target_id,
    targetName: row.target_name,
    data: row.data,
    keyId: row.key_id,
    mac: row.mac,
    isShown: row.shown === 1,
  };
}

export function sealedFromRow(row: EventSchema['events']): SealedEvent {
  return { ...eventFromRow(row), position: row.position, hash: row.hash };
}
