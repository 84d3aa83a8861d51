/** Totals of a zone without its SOA and apex NS. For a change: the growth, negative if it shrinks. */
export interface Totals {
  readonly recordsets: number;
  readonly records: number;
  /** The size of its names and records, which is the size of the zone. */
  readonly bytes: number;
}

export function sum(one: Totals, other: Totals): Totals {
  return {
    recordsets: one.recordsets + other.recordsets,
    records: one.records + other.records,
    bytes: one.bytes + other.bytes,
  };
}

export const NOTHING: Totals = { recordsets: 0, records: 0, bytes: 0 };

export function totalsOf({ recordsets, records, bytes }: Totals): Totals {
  return { recordsets, records, bytes };
}
