import type { OwnerName } from '../names.ts';
import type { StoredType } from '../record-types.ts';
import type { RecordsSize } from '../records-size.ts';

/** All names and rdata are canonical. */
export interface ZoneFileRecordset {
  readonly name: OwnerName;
  readonly type: StoredType;
  /** Seconds; null means that of the zone. */
  readonly ttl: number | null;
  /** In the order of the file. */
  readonly records: readonly string[];
}

/** A recordset as it was read, with the size of its records. */
export interface ReadZoneFileRecordset extends ZoneFileRecordset {
  readonly ttl: number;
  /** Whether its own lines give the TTL. Otherwise it is that of `$TTL`, or of a record before it. */
  readonly hasOwnTtl: boolean;
  readonly size: RecordsSize;
}

/** What a zone file is written from. */
export interface WrittenZone {
  readonly origin: string;
  /** The TTL of the zone is that of its SOA. */
  readonly soa: { readonly ttl: number; readonly rdata: string };
  /** All but the SOA. */
  readonly recordsets: Iterable<ZoneFileRecordset>;
}

export interface ZoneFile<R extends ZoneFileRecordset = ZoneFileRecordset> {
  /** The name of the zone, which is the owner of its SOA. */
  readonly origin: string;
  readonly soa: { readonly ttl: number; readonly rdata: string };
  /** All but the SOA, in the order of their first record in the file. */
  readonly recordsets: readonly R[];
}
