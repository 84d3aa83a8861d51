import { parseZoneName } from '../../dns/names.ts';
import { soaFields } from '../../dns/rdata/hosts.ts';
import { readZoneFile } from '../../dns/zone-file/parse.ts';
import type { ZoneFileEnd, ZoneFileSoa } from '../../dns/zone-file/reading.ts';
import { lineFault } from '../errors.ts';
import { Turns } from '../yield.ts';
import { parseRname } from '../zones/mailbox.ts';
import type { ZoneDraft } from '../zones/zone.ts';
import { RunningCounts, type ZoneFileLimits } from './running-counts.ts';
import { FileRecordsets, requireContents, ttlFault, type ZoneContents } from './zone-contents.ts';

/** The text of a zone file, in pieces of any size. */
export type ZoneFileText = AsyncIterator<string, unknown, undefined>;

/** The zone of a zone file as its SOA gives it. */
interface FileZone extends ZoneDraft {
  readonly ttl: number;
  readonly serial: number;
}

/** What a zone file holds, as far as it was read. */
export type ZoneFile =
  | { readonly kind: 'read'; readonly zone: FileZone; readonly contents: ZoneContents }
  | {
      readonly kind: 'refused';
      /** Here a quota does not allow what has come. */
      readonly line: number;
      readonly counts: RunningCounts;
      /** Undefined if its SOA comes later. */
      readonly zone: FileZone | undefined;
    };

async function read(text: ZoneFileText, counts: RunningCounts): Promise<ZoneFileEnd> {
  const turns = new Turns();
  const reading = readZoneFile({ goesOn: (...added) => counts.add(...added) });
  let step = reading.next();
  while (!step.done) {
    if (step.value === 'text') {
      const { done, value } = await text.next();
      step = done ? reading.next() : reading.next(value);
    } else {
      if (turns.isOver) await turns.next();
      step = reading.next();
    }
  }
  return step.value;
}

function requireZone(soa: ZoneFileSoa): FileZone {
  const name = parseZoneName(soa.name);
  if (!name.ok) throw lineFault(soa.line, name.reason);
  const { rname, serial } = soaFields(soa.rdata);
  const email = parseRname(rname);
  if (email === undefined) {
    throw lineFault(
      soa.line,
      'The mailbox of the SOA is not a mail address. Write hostmaster.example.com. for hostmaster@example.com.',
    );
  }
  const fault = ttlFault(soa.ttl);
  if (fault !== undefined) throw lineFault(soa.line, fault);
  return { name: name.value, email, ttl: soa.ttl, serial };
}

/**
 * Reads a zone file: the zone to be created and its contents. The TTL of the zone is that of the SOA. Reads no further
 * than the first line that these limits refuse.
 * @throws DomainError with the line that cannot be taken
 */
export async function requireZoneFile(text: ZoneFileText, limits: ZoneFileLimits): Promise<ZoneFile> {
  const counts = new RunningCounts(limits);
  const end = await read(text, counts);
  switch (end.kind) {
    case 'faulty':
      throw lineFault(end.line, end.reason);
    case 'stopped': {
      const zone = end.soa === undefined ? undefined : requireZone(end.soa);
      return { kind: 'refused', line: end.line, counts, zone };
    }
    case 'read': {
      const zone = requireZone(end.soa);
      const recordsets = new FileRecordsets(end.table, zone.name, zone.ttl);
      return { kind: 'read', zone, contents: await requireContents(zone.name, recordsets) };
    }
  }
}
