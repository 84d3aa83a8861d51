import type { EventRecord, HEAD, SealedEvent } from '../../model/events/stored-event.ts';
import type { EventColumns, EventSchema } from '../database/event-schema.ts';

function eventFromRow(row: EventColumns): EventRecord {
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
  return Object.assign(eventFromRow(row), { position: row.position, hash: row.hash });
}

/** The columns for the fields of a head. */
export const COLUMN_OF: Readonly<Record<(typeof HEAD)[number], keyof EventColumns>> = {
  id: 'id',
  time: 'time',
  type: 'type',
  error: 'error',
  projectId: 'project_id',
  actorProjectId: 'actor_project_id',
  callerProjectId: 'caller_project_id',
  userId: 'user_id',
  origin: 'origin',
  requestId: 'request_id',
  address: 'address',
  targetKind: 'target_kind',
  targetId: 'target_id',
  targetName: 'target_name',
  isShown: 'shown',
  keyId: 'key_id',
};
