/**
 * Zone files: RFC 1035 section 5, RFC 2308 section 4 ($TTL). Class IN only; $INCLUDE, $GENERATE and unsupported types
 * are refused.
 */

import { readDomainName } from '../rdata/domain-name.ts';
import { RdataError } from '../rdata/rdata-error.ts';
import type { ZoneFileOptions, ZoneFileReading } from './reading.ts';
import { ZoneFileReader } from './zone-file-reader.ts';

/**
 * Reads a zone file that arrives in pieces, or reports the faults by line; never throws. The result does not depend on
 * where the text is cut. The zone is the owner of the only SOA, which must be `origin` if that is given. Relative names
 * are completed with `$ORIGIN`; before the first one with `origin`, or else with the zone. Work between two pauses is
 * small for any file; the caller decides after how many pauses to yield.
 */
export function* readZoneFile(options: ZoneFileOptions = {}): ZoneFileReading {
  try {
    const origin = options.origin === undefined ? null : readDomainName(options.origin, null).text;
    return yield* new ZoneFileReader(origin, options).read();
  } catch (error) {
    if (!(error instanceof RdataError)) throw error;
    const faults = [{ line: 1, reason: error.reason }];
    return { kind: 'faulty', faults, count: 1, isWhole: true, contents: undefined };
  }
}
