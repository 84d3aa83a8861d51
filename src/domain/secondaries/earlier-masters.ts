/**
 * Detects masters that all have an earlier serial than the zone, because one was replaced, restored, or restarted its
 * serials.
 */
import { isLaterSerial } from '../../dns/serial.ts';
import type { DueSecondary, IncomingSoa } from '../../model/secondaries/secondary.ts';

const BEGINNING = 'The masters have serial ';

/** What the owner should do; '' if the master's serial is not earlier. */
export function earlierMastersFault({ serial }: DueSecondary, soa: IncomingSoa): string {
  if (serial === null || !isLaterSerial(serial, soa.serial)) return '';
  return `${BEGINNING}${soa.serial}, which is earlier than ${serial} here, so the zone was not changed. To accept theirs, POST to its tasks/xfr. Name servers of a catalog then fetch the whole zone again, and those that sign it lose its keys.`;
}

/** True if the stored fault of a zone is this one. */
export function isOfEarlierMasters(fault: string): boolean {
  return fault.startsWith(BEGINNING);
}
