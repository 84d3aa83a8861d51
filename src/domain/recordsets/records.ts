import { parseRdata, type RecordType } from '../../dns/rdata.ts';
import { type Fault, invalidObject } from '../errors.ts';

const SINGLE: readonly RecordType[] = ['CNAME', 'DNAME'];

/** The maximum number of faults listed: with more, the answer would be many times larger than the body. */
const MOST_FAULTS = 100;

/** The texts as canonical rdata of the type, in order, and the faults of those that are not valid. */
export function readRecords(
  type: RecordType,
  texts: readonly string[],
): { readonly records: readonly string[]; readonly faults: readonly Fault[] } {
  const records: string[] = [];
  const faults: Fault[] = [];
  const seen = new Set<string>();
  for (const [place, text] of texts.entries()) {
    const parsed = parseRdata(type, text);
    const message = parsed.ok ? repeatFault(parsed.rdata, seen) : parsed.reason;
    if (message !== undefined) faults.push({ path: ['records', place], message });
    else if (parsed.ok) records.push(parsed.rdata);
    if (faults.length < MOST_FAULTS) continue;
    const rest = `These are the first ${MOST_FAULTS} faults; the records after them were not read.`;
    return { records, faults: [...faults, { path: ['records'], message: rest }] };
  }
  return { records, faults: [...faults, ...countFaults(type, texts.length)] };
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
export function requireRecords(type: RecordType, texts: readonly string[]): readonly string[] {
  const { records, faults } = readRecords(type, texts);
  if (faults.length > 0) throw invalidObject(faults);
  return records;
}
