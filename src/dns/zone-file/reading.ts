/** What goes into the reading of a zone file, and what comes out. */
import type { Pause } from './entries.ts';
import type { ZoneFileFault } from './faults.ts';
import type { RecordsetTable } from './recordset-table.ts';
import type { SkippedLines } from './skipped.ts';

/** The SOA record of a zone file. */
export interface ZoneFileSoa {
  /** The name of the zone. */
  readonly name: string;
  readonly ttl: number;
  readonly rdata: string;
  readonly line: number;
}

export interface ZoneFileContents {
  readonly soa: ZoneFileSoa;
  readonly table: RecordsetTable;
  readonly outside: SkippedLines;
  /** What a signer has made. */
  readonly signed: SkippedLines;
}

/** How the reading of a zone file ended. */
export type ZoneFileEnd =
  | ({ readonly kind: 'read' } & ZoneFileContents)
  | {
      readonly kind: 'faulty';
      /** The first faults in the order in which they were found. */
      readonly faults: readonly ZoneFileFault[];
      /** How many were found, at least one. */
      readonly count: number;
      /** Whether the file was read to its end, or to where nobody can tell what its lines are. */
      readonly isWhole: boolean;
      /** What the other lines hold; undefined where checks of it could find faults that are none. */
      readonly contents: ZoneFileContents | undefined;
    }
  /** In this line `goesOn` ended it. */
  | { readonly kind: 'stopped'; readonly line: number; readonly soa: ZoneFileSoa | undefined };

export interface ZoneFileOptions {
  /** The name of the zone, if known. */
  readonly origin?: string;
  /** Whether records outside the zone and those that a signer makes are skipped; they are faults unless this is true. */
  readonly skips?: boolean;
  /**
   * Asked after each new record whether to go on: its recordset, and the name of the zone if it is known. Once the zone is known,
   * asked again about each recordset from before.
   */
  readonly goesOn?: (table: RecordsetTable, recordset: number, zone: string | undefined) => boolean;
}

/** A reader takes the next piece of the text when it asks for it, or undefined at its end. */
export type ZoneFileReading = Generator<Pause, ZoneFileEnd, string | undefined>;
