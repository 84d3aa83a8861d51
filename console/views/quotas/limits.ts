import type { Quotas } from '../../api/types.ts';

export type Key = keyof Quotas;

/** Each limit of a project, and what it limits. */
export const LIMITS: readonly (readonly [Key, string])[] = [
  ['zones', 'Zones'],
  ['zone_recordsets', 'Recordsets of a zone'],
  ['zone_records', 'Records of a zone'],
  ['recordset_records', 'Records of a recordset'],
  ['api_export_size', 'Recordsets of an export'],
];
