/** What goes into the reading of a zone file, and what comes out. */
import type { Pause } from './entries.ts';
import type { RecordsetTable } from './recordset-table.ts';

/** The SOA record of a zone file. */
export interface ZoneFileSoa {
  /** The name of the zone. */
  readonly name: string;
  readonly ttl: number;
  readonly rdata: string;
  readonly line: number;
}

/** How the reading of a zone file ended. */
export type ZoneFileEnd =
  | { readonly kind: 'read'; readonly soa: ZoneFileSoa; readonly table: RecordsetTable }
  | { readonly kind: 'faulty'; readonly line: number; readonly reason: string }
  /** In this line `goesOn` ended it. */
  | { readonly kind: 'stopped'; readonly line: number; readonly soa: ZoneFileSoa | undefined };

export interface ZoneFileOptions {
  /** The name of the zone, if known. */
  readonly origin?: string;
  /** Asked after each new record whether to go on: its recordset, and the name of the zone if it is known. */
  readonly goesOn?: (table: RecordsetTable, recordset: number, zone: string | undefined) => boolean;
}

/** A reader takes the next piece of the text when it asks for it, or undefined at its end. */
export type ZoneFileReading = Generator<Pause, ZoneFileEnd, string | undefined>;
