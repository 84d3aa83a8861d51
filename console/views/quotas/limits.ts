import type { Quotas } from '../../api/types.ts';

export type Key = keyof Quotas;

/** Each limit of a project, with its label. */
export const LIMITS: readonly (readonly [Key, string])[] = [
  ['zones', 'Zones'],
  ['zone_recordsets', 'Recordsets per zone'],
  ['zone_records', 'Records per zone'],
  ['recordset_records', 'Records per recordset'],
  ['api_export_size', 'Recordsets per export'],
];
