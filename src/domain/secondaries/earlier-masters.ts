/**
 * Detects masters that all have an earlier serial than the zone, because one was replaced, restored, or restarted its
 * serials.
 */
import { isLaterSerial } from '../../dns/serial.ts';
import type { DueSecondary, IncomingSoa } from '../../model/secondaries/secondary.ts';

const BEGINNING = 'The masters have serial ';

/** What the owner should do; '' if the master's serial is the same, or later. */
export function earlierMastersFault({ serial }: DueSecondary, soa: IncomingSoa): string {
  if (serial === null || serial === soa.serial || isLaterSerial(soa.serial, serial)) return '';
  // RFC 1982, section 3.2: of two serials that are half of all serials apart, neither is later.
  const relation = isLaterSerial(serial, soa.serial) ? 'earlier' : 'neither earlier nor later';
  return `${BEGINNING}${soa.serial}, which is ${relation} than ${serial} here, so the zone was not changed. To accept theirs, POST to its tasks/xfr. Name servers of a catalog then fetch the whole zone again, and those that sign it lose its keys.`;
}

/** True if the stored fault of a zone is this one. */
export function isOfEarlierMasters(fault: string): boolean {
  return fault.startsWith(BEGINNING);
}
