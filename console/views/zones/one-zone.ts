import { type ApiResponse, api, responseTo } from '../../api/client.ts';
import type { Session } from '../../api/session.ts';
import type { Zone } from '../../api/types.ts';
import { onBehalf } from './on-behalf.ts';

/** The fields of a zone that users edit; the serial stands for its recordsets. */
export const ZONE_CONTENTS = [
  'name',
  'email',
  'ttl',
  'description',
  'project_id',
  'serial',
  'shared',
] as const;

/** Reads a zone with its ETag. */
export function readZone(session: Session, id: string, signal?: AbortSignal): Promise<ApiResponse<Zone>> {
  const params = { path: { zone_id: id } };
  const given = signal === undefined ? {} : { signal };
  return responseTo(api.GET('/v2/zones/{zone_id}', { params, headers: onBehalf(session), ...given }));
}
