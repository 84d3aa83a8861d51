import type { Fqdn, OwnerName } from '../../dns/names.ts';
import type { StoredType } from '../../dns/record-types.ts';
import type { RecordsSize } from '../../dns/records-size.ts';
import type { ListQuery } from '../lists.ts';
import type { Protection, ProtectionRequest } from '../protection/protection.ts';
import type { ZoneAction, ZoneStatus } from '../zones/zone.ts';

export interface Recordset {
  readonly id: string;
  readonly zoneId: string;
  readonly projectId: string;
  /** Canonical, like a zone name; the leftmost label may be `*`. */
  readonly name: OwnerName;
  readonly type: StoredType;
  /** In seconds; null for the zone's TTL. */
  readonly ttl: number | null;
  /** Canonical rdata, in the order given. */
  readonly records: readonly string[];
  /** Records as sent, where they differ from canonical text, by canonical text. Only clients see them. */
  readonly spellings: Readonly<Record<string, string>>;
  /** Its share of the zone's size; 0 if it is managed. */
  readonly bytes: number;
  readonly description: string | null;
  /** A protected recordset can be neither changed nor deleted. */
  readonly protection: Protection | null;
  /** When the service deletes it; null for never. */
  readonly expiresAt: string | null;
  /** True for the SOA and NS at the apex, which the service manages. */
  readonly managed: boolean;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string | null;
}

/** The records as sent, in order. */
export function spelledRecords({
  records,
  spellings,
}: Pick<Recordset, 'records' | 'spellings'>): readonly string[] {
  return records.map((text) => spellings[text] ?? text);
}

export type RecordsetStatus = ZoneStatus;

/** A recordset in a list, with its zone name and its publication status. */
export interface ListedRecordset extends Recordset {
  readonly zoneName: string;
  readonly status: RecordsetStatus;
  readonly action: ZoneAction;
  /**
   * The zone below its own zone that hides it: name servers answer for the name from that zone. Null if there is none,
   * undefined if it was not looked up.
   */
  readonly hiddenBy?: Fqdn | null | undefined;
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
  readonly protection?: ProtectionRequest | undefined;
  readonly expiresAt?: string | null | undefined;
}

/** A draft with parsed records. */
export interface ParsedDraft extends Omit<RecordsetDraft, 'protection'> {
  readonly protection?: Protection | null | undefined;
  /** Undefined for records from a zone file or a transfer. */
  readonly spellings?: Recordset['spellings'] | undefined;
  readonly size: RecordsSize;
}

/** Changes with the records as sent: how they are parsed depends on the type of their recordset. */
export interface RecordsetChanges {
  readonly protection?: ProtectionRequest | undefined;
  readonly records?: readonly string[] | undefined;
  readonly ttl?: number | null | undefined;
  readonly description?: string | null | undefined;
  readonly expiresAt?: string | null | undefined;
}

/** Changes whose records, if any, have been parsed. */
export interface ParsedChanges extends RecordsetChanges {
  readonly spellings?: Recordset['spellings'] | undefined;
  readonly size?: RecordsSize | undefined;
}
