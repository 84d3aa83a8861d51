import type { ZoneFileContents, ZoneFileOptions } from '../../dns/zone-file/reading.ts';
import type { Totals } from '../../model/zones/totals.ts';
import { eachInTurns, TimeSlices } from '../../runtime/cooperative-yield.ts';
import { LineFaults } from '../files/line-faults.ts';
import { atLine } from '../zone-files/imports.ts';
import { RunningCounts, type ZoneFileLimits } from '../zone-files/running-counts.ts';
import { FileRecordsets } from '../zone-files/zone-contents.ts';
import { readText, unreadable, type ZoneFileText } from '../zone-files/zone-file.ts';
import type { ContentsTarget, WantedContents } from './wanted-contents.ts';

/** How many recordsets and records beyond a quota a dry run reads, to show what would happen. */
const SHOWN_BEYOND = 10_000;

/** A zone as it is, and what is asked about it. */
export interface ReadFor {
  /** The size of the zone. */
  readonly present: Totals;
  readonly isDryRun: boolean;
}

/** Limits that even the wanted contents alone exceed. Only growth is refused. */
function boundsFor(limits: ZoneFileLimits, { present, isDryRun }: ReadFor): ZoneFileLimits {
  const bound = (limit: number, held: number) => (limit < 0 ? limit : Math.max(limit, held));
  const read = (limit: number) => (limit < 0 || !isDryRun ? limit : limit + SHOWN_BEYOND);
  const { recordsets, records, bytes } = present;
  return {
    // How large a stored recordset is, only the comparison finds.
    recordset_records: -1,
    zone_recordsets: bound(read(limits.zone_recordsets), recordsets),
    zone_records: bound(read(limits.zone_records), records),
    max_zone_size: bound(limits.max_zone_size, bytes),
  };
}

async function checked(
  { soa, table, outside, signed }: ZoneFileContents,
  { zone, keep }: ContentsTarget,
  faults: LineFaults,
  turns: TimeSlices,
): Promise<WantedContents> {
  // Some were counted again at the end of the file.
  for (let one = 0; one < table.size; one += 1) if (keep.has(table.type(one))) table.leaveOut(one);
  const recordsets = new FileRecordsets(table, zone.name, zone.ttl);
  const check = (one: number): void => {
    const fault = recordsets.ownFault(one);
    if (fault !== undefined) faults.add(recordsets.line(one), fault);
  };
  await eachInTurns(recordsets.all(), check, turns);
  const apexNs = table.find(zone.name, 'NS');
  const managed = (soa === undefined ? 0 : 1) + (apexNs === undefined ? 0 : table.count(apexNs));
  return {
    recordsets,
    spellings: new Map(),
    descriptions: new Map(),
    isSpelled: false,
    ignored: managed + outside.count + signed.count,
  };
}

/**
 * Reads a zone file as the contents of an existing zone. Stops at the first line with which the zone would exceed a
 * limit.
 * @throws DomainError with all invalid lines, or `over_quota` with a line
 */
export async function readZoneFileContents(
  text: ZoneFileText,
  target: ContentsTarget,
  limits: ZoneFileLimits,
  readFor: ReadFor,
): Promise<WantedContents> {
  const { zone, keep, projectId } = target;
  const turns = new TimeSlices(projectId);
  const counts = new RunningCounts(boundsFor(limits, readFor));
  const goesOn: ZoneFileOptions['goesOn'] = (table, recordset, apex) => {
    if (keep.has(table.type(recordset))) table.leaveOut(recordset);
    return counts.add(table, recordset, apex);
  };
  const end = await readText(text, { origin: zone.name, zoneTtl: zone.ttl, skips: true, goesOn }, turns);
  if (end.kind === 'stopped') return refuseAt(end.line, counts, limits);
  const faults = end.kind === 'faulty' ? unreadable(end) : new LineFaults();
  const contents = end.kind === 'faulty' ? end.contents : end;
  const wanted = contents && (await checked(contents, target, faults, turns));
  faults.requireNone();
  return wanted!;
}

/** @throws DomainError `over_quota` */
function refuseAt(line: number, counts: RunningCounts, limits: ZoneFileLimits): never {
  try {
    counts.refuse({ ...limits, recordset_records: -1 });
  } catch (error) {
    throw atLine(line, error);
  }
  throw new Error('A quota ended the reading of a zone file that it allows.');
}
