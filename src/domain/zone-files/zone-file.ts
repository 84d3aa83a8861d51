import { canonicalName, parseZoneName } from '../../dns/names.ts';
import { soaFields } from '../../dns/rdata/hosts.ts';
import { readZoneFile } from '../../dns/zone-file/parse.ts';
import type {
  ZoneFileContents,
  ZoneFileEnd,
  ZoneFileOptions,
  ZoneFileSoa,
} from '../../dns/zone-file/reading.ts';
import type { SkippedLines } from '../../dns/zone-file/skipped.ts';
import { parseRname } from '../../model/zones/mailbox.ts';
import { adjustedTimers, type SoaTimers } from '../../model/zones/soa-timers.ts';
import type { ZoneDraft } from '../../model/zones/zone.ts';
import { TimeSlices } from '../../runtime/cooperative-yield.ts';
import { LineFaults } from '../files/line-faults.ts';
import type { SupportedTypes } from '../recordsets/supported-types.ts';
import { RunningCounts, type ZoneFileLimits } from './running-counts.ts';
import { checkContents, FileRecordsets, ttlFault, type ZoneContents } from './zone-contents.ts';

/** The text of a zone file, in chunks of any size. */
export type ZoneFileText = AsyncIterator<string, unknown, undefined>;

/** The zone as the SOA of a zone file defines it. */
interface FileZone extends ZoneDraft {
  readonly ttl: number;
  readonly serial: number;
  readonly soa: SoaTimers;
  /** How the timers in the file were adjusted to their bounds, as text. */
  readonly adjustments: string | undefined;
}

/** The contents of a zone file, as far as it was read. */
export type ImportedZoneFile =
  | {
      readonly kind: 'read';
      readonly zone: FileZone;
      readonly contents: ZoneContents;
      /** The lines that were skipped. */
      readonly outside: SkippedLines;
      readonly signed: SkippedLines;
    }
  | {
      readonly kind: 'refused';
      /** The line at which a quota is exceeded. */
      readonly line: number;
      readonly counts: RunningCounts;
      /** Undefined if the SOA follows later. */
      readonly zone: FileZone | undefined;
    };

type ReadZoneFile = Extract<ImportedZoneFile, { kind: 'read' }>;

/** Reads a text as a zone file, in turns. */
export async function readText(
  text: ZoneFileText,
  options: ZoneFileOptions,
  turns: TimeSlices,
): Promise<ZoneFileEnd> {
  const reading = readZoneFile(options);
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

/** The zone of an SOA; undefined if it has faults. */
function readZone(soa: ZoneFileSoa, faults: LineFaults): FileZone | undefined {
  const name = parseZoneName(soa.name);
  if (!name.ok) faults.add(soa.line, name.reason);
  const { rname, serial, refresh, retry, expire, minimum } = soaFields(soa.rdata);
  // RFC 2142 section 7: the default mailbox for an SOA without one.
  const email = parseRname(rname === '.' ? `hostmaster.${soa.name}` : rname);
  if (email === undefined) {
    faults.add(
      soa.line,
      'The mailbox of the SOA is not a mail address. Write hostmaster.example.com. for hostmaster@example.com.',
    );
  }
  const fault = ttlFault(soa.ttl);
  if (fault !== undefined) faults.add(soa.line, fault);
  if (!name.ok || email === undefined || fault !== undefined) return undefined;
  const { timers, adjustments } = adjustedTimers({ refresh, retry, expire, minimum });
  return { name: name.value, email, ttl: soa.ttl, serial, soa: timers, adjustments };
}

/** The contents of a file; undefined if its SOA has faults. */
async function readContents(
  { soa: found, table, outside, signed }: ZoneFileContents,
  faults: LineFaults,
  supported: SupportedTypes,
  turns: TimeSlices,
): Promise<ReadZoneFile | undefined> {
  const soa = found!;
  const zone = readZone(soa, faults);
  const apex = canonicalName(soa.name);
  const contents = await checkContents(
    apex,
    new FileRecordsets(table, apex, soa.ttl),
    faults,
    supported,
    turns,
  );
  return zone && { kind: 'read', zone, contents, outside, signed };
}

/** The faults of unreadable lines. */
export function unreadable({ faults, count, isWhole }: Extract<ZoneFileEnd, { kind: 'faulty' }>): LineFaults {
  const lines = new LineFaults();
  for (const { line, reason } of faults) lines.add(line, reason);
  lines.addUnknown(count - faults.length, isWhole);
  return lines;
}

export interface ZoneFileRules {
  /** True to refuse records outside the zone and records of DNSSEC signers; otherwise they are skipped. */
  readonly isStrict: boolean;
  readonly supportedTypes: SupportedTypes;
  /** The project on whose behalf the file is read, for fair scheduling. */
  readonly projectId: string;
}

/**
 * Reads a zone file: the zone to create and its contents. The TTL of the zone is that of the SOA. Stops at the first
 * line that exceeds a limit.
 * @throws DomainError with all invalid lines
 */
export async function requireZoneFile(
  text: ZoneFileText,
  limits: ZoneFileLimits,
  { isStrict, supportedTypes, projectId }: ZoneFileRules,
): Promise<ImportedZoneFile> {
  const turns = new TimeSlices(projectId);
  const counts = new RunningCounts(limits);
  const goesOn: ZoneFileOptions['goesOn'] = (...added) => counts.add(...added);
  const end = await readText(text, { skips: !isStrict, goesOn }, turns);
  const faults = end.kind === 'faulty' ? unreadable(end) : new LineFaults();
  if (end.kind === 'stopped') {
    const zone = end.soa && readZone(end.soa, faults);
    faults.requireNone();
    return { kind: 'refused', line: end.line, counts, zone };
  }
  const contents = end.kind === 'faulty' ? end.contents : end;
  const file = contents && (await readContents(contents, faults, supportedTypes, turns));
  faults.requireNone();
  return file!;
}
