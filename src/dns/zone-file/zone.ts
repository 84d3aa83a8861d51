import type { OwnerName } from '../names.ts';
import type { StoredType } from '../record-types.ts';
import type { RecordsSize } from '../records-size.ts';

/** A recordset whose name and rdata are canonical. */
export interface ZoneFileRecordset {
  readonly name: OwnerName;
  readonly type: StoredType;
  /** In seconds; null for the zone's TTL. */
  readonly ttl: number | null;
  /** In file order. */
  readonly records: readonly string[];
}

/** A recordset as read, with the size of its records. */
export interface ReadZoneFileRecordset extends ZoneFileRecordset {
  readonly ttl: number;
  /** True if its own lines set the TTL. Otherwise it comes from `$TTL` or from an earlier record. */
  readonly hasOwnTtl: boolean;
  readonly size: RecordsSize;
}

/** The input for writing a zone file. */
export interface WrittenZone {
  readonly origin: string;
  /** The zone's TTL is that of its SOA. */
  readonly soa: { readonly ttl: number; readonly rdata: string };
  /** All recordsets except the SOA. */
  readonly recordsets: Iterable<ZoneFileRecordset>;
}

export interface ZoneFile<R extends ZoneFileRecordset = ZoneFileRecordset> {
  /** The zone name: the owner of the SOA. */
  readonly origin: string;
  readonly soa: { readonly ttl: number; readonly rdata: string };
  /** All recordsets except the SOA, ordered by first record in the file. */
  readonly recordsets: readonly R[];
}
