/** Deleted zones as rows. */
import type { Selectable } from 'kysely';
import { canonicalName } from '../../dns/names.ts';
import type { DeletedZone, KeptDeletedZone } from '../../model/deleted-zones/deleted-zone.ts';
import type { Schema } from '../database/schema.ts';

export type DeletedZoneRow = Selectable<Schema['deleted_zones']>;
type DeletedZoneText = Pick<KeptDeletedZone, 'totals' | 'largest' | 'former'>;

export function deletedZoneFromRow(row: Omit<DeletedZoneRow, 'zone'>): DeletedZone {
  return {
    id: row.id,
    name: canonicalName(row.name),
    projectId: row.project_id,
    type: row.type,
    serial: row.serial,
    recordsets: row.recordsets,
    deletedAt: row.deleted_at,
  };
}

export function keptZoneFromRow(row: DeletedZoneRow): KeptDeletedZone {
  const text: DeletedZoneText = JSON.parse(row.zone);
  return { ...deletedZoneFromRow(row), contentsId: row.contents_id, ...text };
}

/** @param bytes the size of its contents */
export function toDeletedZoneRow(zone: KeptDeletedZone, bytes: number): DeletedZoneRow {
  const { totals, largest, former } = zone;
  const text: DeletedZoneText = { totals, largest, former };
  const json = JSON.stringify(text);
  return {
    id: zone.id,
    name: zone.name,
    project_id: zone.projectId,
    type: zone.type,
    serial: zone.serial,
    recordsets: zone.recordsets,
    deleted_at: zone.deletedAt,
    contents_id: zone.contentsId,
    zone: json,
    size: json.length + bytes,
    settled: 0,
  };
}
