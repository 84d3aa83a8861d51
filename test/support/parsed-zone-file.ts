import { readZoneFile } from '../../src/dns/zone-file/parse.ts';
import type { ZoneFileEnd, ZoneFileOptions } from '../../src/dns/zone-file/reading.ts';
import type { ZoneFile, ZoneFileRecordset } from '../../src/dns/zone-file/zone.ts';

type ParsedZoneFile =
  | { readonly ok: true; readonly zone: ZoneFile; readonly lines: readonly number[] }
  | { readonly ok: false; readonly line: number; readonly reason: string }
  | { readonly ok: 'stopped'; readonly line: number };

/** Reads a zone file that comes in these pieces, and counts the turns that it gives others. */
export function readPieces(pieces: Iterable<string>, options: ZoneFileOptions = {}) {
  const rest = pieces[Symbol.iterator]();
  const reading = readZoneFile(options);
  let turns = 0;
  let step = reading.next();
  while (!step.done) {
    if (step.value === 'turn') turns += 1;
    step = reading.next(step.value === 'text' ? (rest.next().value ?? undefined) : undefined);
  }
  return { end: step.value, turns };
}

function withoutSize({ name, type, ttl, records }: ZoneFileRecordset): ZoneFileRecordset {
  return { name, type, ttl, records };
}

function parsed(end: ZoneFileEnd): ParsedZoneFile {
  if (end.kind === 'faulty') return { ok: false, ...end.faults[0]! };
  if (end.kind === 'stopped') return { ok: 'stopped', line: end.line };
  const { soa, table } = end;
  const numbers = Array.from({ length: table.size }, (_, at) => at);
  const { name: origin, ttl, rdata } = soa!;
  return {
    ok: true,
    zone: { origin, soa: { ttl, rdata }, recordsets: numbers.map((at) => withoutSize(table.recordset(at))) },
    lines: [soa!.line, ...numbers.map((at) => table.line(at))],
  };
}

/** The faults of a zone file, line by line. */
export function faultsOf(text: string | readonly string[]): (readonly [number, string])[] {
  const { end } = readPieces(typeof text === 'string' ? [text] : text);
  return end.kind === 'faulty' ? end.faults.map(({ line, reason }) => [line, reason]) : [];
}

/** What a zone file holds, or its first fault. */
export function parseZoneFile(text: string | readonly string[], options?: ZoneFileOptions): ParsedZoneFile {
  return parsed(readPieces(typeof text === 'string' ? [text] : text, options).end);
}
