/**
 * Zone files: RFC 1035 section 5, RFC 2308 section 4 ($TTL). Class IN only; $INCLUDE, $GENERATE and unsupported types
 * are refused.
 */

import { readDomainName } from '../rdata/domain-name.ts';
import { RdataError } from '../rdata/rdata-error.ts';
import type { ZoneFileOptions, ZoneFileReading } from './reading.ts';
import { ZoneFileReader } from './zone-file-reader.ts';

/**
 * Reads a zone file that comes in pieces, or says in which lines it is wrong and why; never throws. The outcome is the
 * same wherever the text is cut. The zone is the owner of the one SOA, and must be `origin` where that is given. Relative
 * names are taken under `$ORIGIN`; before the first one under `origin`, or else the zone. Whatever the file holds, the
 * work between two pauses is small; the caller decides how many of them make a turn.
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
