/** The difference that a change makes to the records of a zone, for IXFR (RFC 1995). */
import type { Recordset } from '../recordsets/recordset.ts';
import type { JournalRecord } from './publication.ts';

interface RecordsDifference {
  readonly removed: readonly JournalRecord[];
  readonly added: readonly JournalRecord[];
}

function recordsOf(recordset: Recordset | undefined, zoneTtl: number): readonly JournalRecord[] {
  if (recordset === undefined) return [];
  const { name, type, ttl, records } = recordset;
  return records.map((rdata) => [name, type, ttl ?? zoneTtl, rdata]);
}

function without(records: readonly JournalRecord[], others: readonly JournalRecord[]) {
  if (others.length === 0) return records;
  const known = new Set(others.map(([, , ttl, rdata]) => `${ttl} ${rdata}`));
  return records.filter(([, , ttl, rdata]) => !known.has(`${ttl} ${rdata}`));
}

/**
 * The records that a change of one recordset removes and adds.
 * @param zoneTtl the TTL of the zone, in seconds, for records without their own
 */
export function recordsDifference(
  before: Recordset | undefined,
  after: Recordset | undefined,
  zoneTtl: number,
): RecordsDifference {
  const [removed, added] = [recordsOf(before, zoneTtl), recordsOf(after, zoneTtl)];
  return { removed: without(removed, added), added: without(added, removed) };
}
