import type { OwnerName } from '../../dns/names.ts';
import type { StoredType } from '../../dns/record-types.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import type { FileRecordsets } from '../zone-files/zone-contents.ts';
import type { ZoneFileText } from '../zone-files/zone-file.ts';

/** A recordset as wanted, with its records as sent. */
export interface GivenRecordset {
  readonly name: OwnerName;
  readonly type: StoredType;
  /** In seconds; null for the zone's TTL. */
  readonly ttl: number | null;
  readonly records: readonly string[];
  /** Undefined to keep what is stored. */
  readonly description: string | null | undefined;
}

/** The whole zone as wanted: a zone file, or a list of recordsets. */
export type GivenContents =
  | { readonly kind: 'text'; readonly text: ZoneFileText }
  | { readonly kind: 'recordsets'; readonly recordsets: readonly GivenRecordset[] };

/** Given contents, parsed. Recordsets are known by their numbers. */
export interface WantedContents {
  /** Their lines are positions in the list, if the contents are a list. */
  readonly recordsets: FileRecordsets;
  /** Spellings of records, where a list has others than the canonical ones. */
  readonly spellings: ReadonlyMap<number, Recordset['spellings']>;
  /** The given descriptions. */
  readonly descriptions: ReadonlyMap<number, string | null>;
  /** True if records are spelled as wanted; false if only their data is given. */
  readonly isSpelled: boolean;
  /** Number of records that are left alone: those that the service manages, and those outside the zone. */
  readonly ignored: number;
}

/** What contents are read for. */
export interface ContentsTarget {
  readonly zone: { readonly name: OwnerName; readonly ttl: number };
  /** Types that are left alone. */
  readonly keep: ReadonlySet<StoredType>;
  /** The project on whose behalf they are read, for fair scheduling. */
  readonly projectId: string;
}
