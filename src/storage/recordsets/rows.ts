/** Recordsets as rows, with the status that follows from the publication of their zone. */
import { type Selectable, sql } from 'kysely';
import { canonicalName, subtreeKey } from '../../dns/names.ts';
import type { Recordset, RecordsetStatus } from '../../model/recordsets/recordset.ts';
import type { ZoneAction } from '../../model/zones/zone.ts';
import type { Schema } from '../database/schema.ts';
import { protectionColumns, protectionFromRow } from '../protection-columns.ts';
import { IS_AWAITED, IS_EXPIRED, isBehind } from '../publication-status.ts';

export type RecordsetRow = Selectable<Schema['recordsets']>;

export function recordsetFromRow(row: Omit<RecordsetRow, 'subtree_key' | 'serial'>): Recordset {
  return {
    id: row.id,
    zoneId: row.zone_id,
    projectId: row.project_id,
    name: canonicalName(row.name),
    type: row.type,
    ttl: row.ttl,
    records: JSON.parse(row.records),
    spellings: row.spellings === null ? {} : JSON.parse(row.spellings),
    bytes: row.bytes,
    description: row.description,
    protection: protectionFromRow(row),
    expiresAt: row.expires_at,
    managed: row.managed === 1,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at || null,
  };
}

function spellingsOf({ spellings }: Recordset): string | null {
  return Object.keys(spellings).length === 0 ? null : JSON.stringify(spellings);
}

/** @param serial the zone's serial with this change */
export function toRecordsetRow(recordset: Recordset, serial: number): RecordsetRow {
  return {
    id: recordset.id,
    zone_id: recordset.zoneId,
    project_id: recordset.projectId,
    name: recordset.name,
    subtree_key: subtreeKey(recordset.name),
    type: recordset.type,
    ttl: recordset.ttl,
    records: JSON.stringify(recordset.records),
    spellings: spellingsOf(recordset),
    bytes: recordset.bytes,
    description: recordset.description,
    ...protectionColumns(recordset.protection),
    expires_at: recordset.expiresAt,
    managed: recordset.managed ? 1 : 0,
    version: recordset.version,
    created_at: recordset.createdAt,
    updated_at: recordset.updatedAt ?? '',
    serial,
  };
}

const behind = isBehind(sql.ref('recordsets.serial'));

export const RECORDSET_STATUS = sql<RecordsetStatus>`case when ${IS_EXPIRED} then 'ERROR' when ${IS_AWAITED} then 'PENDING'
  when not ${behind} then 'ACTIVE'
  when publications.error <> '' then 'ERROR' else 'PENDING' end`;
export const RECORDSET_ACTION = sql<ZoneAction>`case when ${IS_AWAITED} then 'CREATE' when not ${behind} then 'NONE'
  when publications.moving <> '' then 'UPDATE'
  when recordsets.version = 1 and (recordsets.managed = 0 or publications.published_serial is null)
    then 'CREATE' else 'UPDATE' end`;
