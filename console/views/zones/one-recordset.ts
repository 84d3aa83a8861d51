import { type ApiResponse, api, responseTo } from '../../api/client.ts';
import type { Session } from '../../api/session.ts';
import type { Recordset } from '../../api/types.ts';
import { onBehalf } from './on-behalf.ts';

/** The fields of a recordset that users edit. */
export const RECORDSET_CONTENTS = ['name', 'type', 'records', 'ttl', 'description'] as const;

/** Reads a recordset with its ETag. */
export function readRecordset(
  session: Session,
  { zone_id, id }: Pick<Recordset, 'zone_id' | 'id'>,
  signal?: AbortSignal,
): Promise<ApiResponse<Recordset>> {
  const params = { path: { zone_id, recordset_id: id } };
  const headers = onBehalf(session);
  const given = signal === undefined ? {} : { signal };
  return responseTo(api.GET('/v2/zones/{zone_id}/recordsets/{recordset_id}', { params, headers, ...given }));
}
