import { parseRdata, type RecordType } from '../../dns/rdata.ts';
import { NO_RECORDS, type RecordsSize, withRecord } from '../../dns/records-size.ts';
import { type Fault, invalidObject } from '../errors.ts';
import { sizeFault } from './size.ts';

const SINGLE: readonly RecordType[] = ['CNAME', 'DNAME'];

/** The maximum number of faults listed: with more, the answer would be many times larger than the body. */
const MOST_FAULTS = 100;

/** A text may be longer than its rdata in wire form by blanks and escapes, but not by any amount. */
const TEXT_PER_WIRE_BYTE = 4;
const TEXT_BESIDE_WIRE = 256;

/** Canonical rdata, in order. */
export interface Records {
  readonly records: readonly string[];
  readonly size: RecordsSize;
}

/** The texts as canonical rdata of the type, and the faults of those that are not valid. */
function readRecords(
  type: RecordType,
  texts: readonly string[],
): Records & { readonly faults: readonly Fault[] } {
  const records: string[] = [];
  const faults: Fault[] = [];
  const seen = new Set<string>();
  let size = NO_RECORDS;
  for (const [place, text] of texts.entries()) {
    const parsed = parseRdata(type, text);
    const message = parsed.ok ? (textFault(text, parsed) ?? repeatFault(parsed.rdata, seen)) : parsed.reason;
    if (message !== undefined) faults.push({ path: ['records', place], message });
    else if (parsed.ok) {
      records.push(parsed.rdata);
      size = withRecord(size, { text: parsed.rdata, wireLength: parsed.wireLength });
    }
    if (faults.length < MOST_FAULTS) continue;
    const rest = `These are the first ${MOST_FAULTS} faults; the records after them were not read.`;
    return { records, size, faults: [...faults, { path: ['records'], message: rest }] };
  }
  return { records, size, faults: [...faults, ...countFaults(type, texts.length), ...sizeFaults(size)] };
}

function textFault(text: string, { wireLength }: { readonly wireLength: number }): string | undefined {
  const most = TEXT_PER_WIRE_BYTE * wireLength + TEXT_BESIDE_WIRE;
  const { length } = text.trim();
  if (length <= most) return undefined;
  return `The text has ${length} characters; a record of ${wireLength} bytes can have ${most}. Remove blanks and escapes that are not needed.`;
}

function sizeFaults(size: RecordsSize): readonly Fault[] {
  const message = sizeFault(size);
  return message === undefined ? [] : [{ path: ['records'], message }];
}

function repeatFault(rdata: string, seen: Set<string>): string | undefined {
  if (seen.has(rdata)) return 'The record is a duplicate. Remove it.';
  seen.add(rdata);
  return undefined;
}

/** The faults in the number of records of the type. */
export function countFaults(type: RecordType, count: number): readonly Fault[] {
  if (count === 0) return [{ path: ['records'], message: 'Give at least one record.' }];
  // RFC 2181, section 10.1; RFC 6672, section 2.4.
  if (count > 1 && SINGLE.includes(type))
    return [{ path: ['records'], message: `A ${type} has exactly one record.` }];
  return [];
}

/** Canonical rdata, or `invalid_object` with every fault. */
export function requireRecords(type: RecordType, texts: readonly string[]): Records {
  const { faults, ...read } = readRecords(type, texts);
  if (faults.length > 0) throw invalidObject(faults);
  return read;
}
