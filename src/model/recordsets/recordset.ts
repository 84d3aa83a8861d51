import type { Fqdn, OwnerName } from '../../dns/names.ts';
import type { StoredType } from '../../dns/record-types.ts';
import type { RecordsSize } from '../../dns/records-size.ts';
import type { ListQuery } from '../lists.ts';
import type { ZoneAction, ZoneStatus } from '../zones/zone.ts';

export interface Recordset {
  readonly id: string;
  readonly zoneId: string;
  readonly projectId: string;
  /** Canonical, like a zone's; the leftmost label may be `*`. */
  readonly name: OwnerName;
  readonly type: StoredType;
  /** Seconds; null means the zone's TTL. */
  readonly ttl: number | null;
  /** Canonical rdata, in the order in which they were given. */
  readonly records: readonly string[];
  /** How records were sent whose canonical text is another one, by that text. Only clients see them. */
  readonly spellings: Readonly<Record<string, string>>;
  /** What it adds to the size of its zone; 0 if it is managed. */
  readonly bytes: number;
  readonly description: string | null;
  /** Managed by the service: the SOA and NS at the apex. */
  readonly managed: boolean;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string | null;
}

/** The records as they were sent, in their order. */
export function spelledRecords({
  records,
  spellings,
}: Pick<Recordset, 'records' | 'spellings'>): readonly string[] {
  return records.map((text) => spellings[text] ?? text);
}

export type RecordsetStatus = ZoneStatus;

/** A recordset as a list shows it, with the name of its zone and what its name servers have of it. */
export interface ListedRecordset extends Recordset {
  readonly zoneName: string;
  readonly status: RecordsetStatus;
  readonly action: ZoneAction;
  /** The zone below its own that hides it: name servers answer for its name from there. */
  readonly hiddenBy?: Fqdn | undefined;
}

export const RECORDSET_SORT_KEYS = [
  'created_at',
  'id',
  'updated_at',
  'zone_id',
  'tenant_id',
  'name',
  'type',
  'ttl',
  'records',
] as const;
export const RECORDSET_FILTERS = ['name', 'type', 'ttl', 'data', 'description', 'status', 'action'] as const;
export type RecordsetQuery = ListQuery<
  (typeof RECORDSET_SORT_KEYS)[number],
  (typeof RECORDSET_FILTERS)[number]
>;

export interface RecordsetDraft {
  readonly name: OwnerName;
  readonly type: StoredType;
  readonly records: readonly string[];
  readonly ttl?: number | null | undefined;
  readonly description?: string | null | undefined;
}

/** A draft whose records were parsed. */
export interface ParsedDraft extends RecordsetDraft {
  /** None where the records come from a zone file or a transfer. */
  readonly spellings?: Recordset['spellings'] | undefined;
  readonly size: RecordsSize;
}

/** The records as sent: they are parsed by the type of their recordset. */
export interface RecordsetChanges {
  readonly records?: readonly string[] | undefined;
  readonly ttl?: number | null | undefined;
  readonly description?: string | null | undefined;
}

/** Changes whose records, if any, were parsed. */
export interface ParsedChanges extends RecordsetChanges {
  readonly spellings?: Recordset['spellings'] | undefined;
  readonly size?: RecordsSize | undefined;
}
