import { randomUUID } from 'node:crypto';
import type { Clock } from '../../model/clock.ts';
import type { ParsedDraft, Recordset } from '../../model/recordsets/recordset.ts';
import { recordsetBytes } from '../../model/recordsets/size.ts';
import type { Zone } from '../../model/zones/zone.ts';

/**
 * A new recordset.
 * @param projectId the project it belongs to: the owner of the zone, or a project that the zone is shared with
 */
export function newRecordset(
  draft: ParsedDraft,
  zone: Zone,
  clock: Clock,
  projectId: string = zone.projectId,
): Recordset {
  return {
    id: randomUUID(),
    zoneId: zone.id,
    projectId,
    name: draft.name,
    type: draft.type,
    ttl: draft.ttl ?? null,
    records: draft.records,
    spellings: draft.spellings ?? {},
    bytes: recordsetBytes(draft.name, draft.size),
    description: draft.description ?? null,
    protection: draft.protection ?? null,
    expiresAt: draft.expiresAt ?? null,
    managed: false,
    version: 1,
    createdAt: clock.now(),
    updatedAt: null,
  };
}
