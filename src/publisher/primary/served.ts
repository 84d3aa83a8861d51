import { ttlInRdata } from '../../dns/rdata-codecs/signature-ttl.ts';
import type { StoredType } from '../../dns/record-types.ts';
import { typeNumber } from '../../dns/record-types.ts';
import { CLASS } from '../../dns/wire/codes.ts';
import type { WireRecord } from '../../dns/wire/message.ts';
import type { ZoneTransferReads } from '../../model/publication/store.ts';

/** Some records of a transfer, in order. */
export type RecordPage = readonly WireRecord[];

/** A zone or catalog at one serial, as served to name servers. */
export interface Served {
  /** The id of the zone; undefined for a catalog. */
  readonly zoneId: string | undefined;
  readonly serial: number;
  readonly soa: WireRecord;
  /** All records, from SOA to SOA (RFC 5936 section 2.2). */
  all(reads: ZoneTransferReads): AsyncIterable<RecordPage>;
  /** The changes since a serial (RFC 1995 section 4), or undefined if they are not known. */
  since(reads: ZoneTransferReads, serial: number): Promise<AsyncIterable<RecordPage> | undefined>;
}

export function wireRecord(name: string, type: StoredType, ttl: number, rdata: string): WireRecord {
  return { name, type: typeNumber(type), class: CLASS.IN, ttl: ttlInRdata(type, rdata) ?? ttl, rdata };
}
