import { parseRdata, trimRdata } from '../../dns/parse-rdata.ts';
import { dnsServiceFault } from '../../dns/rdata/dns-service.ts';
import type { StoredType } from '../../dns/record-types.ts';
import { NO_RECORDS, type RecordsSize, withRecord } from '../../dns/records-size.ts';
import { type Fault, invalidObject } from '../../model/errors.ts';
import { type Limits, limitsOf, requireCapacity } from '../../model/quotas/quota.ts';
import type { Recordset, RecordsetDraft } from '../../model/recordsets/recordset.ts';
import { sizeFault } from '../../model/recordsets/size.ts';
import type { Store } from '../../model/store.ts';
import type { Zone } from '../../model/zones/zone.ts';
import type { TimeSlices } from '../../runtime/cooperative-yield.ts';

const SINGLE: readonly StoredType[] = ['CNAME', 'CSYNC', 'DNAME'];

/** Maximum number of faults listed, so that the answer is not many times larger than the body. */
const MAX_FAULTS = 100;

/** Blanks and escapes may make a text longer than its rdata in wire format, up to this factor and constant. */
const TEXT_PER_WIRE_BYTE = 4;
const TEXT_BESIDE_WIRE = 256;

/** Canonical rdata, in order, with the original spellings that differ from it. */
export interface Records {
  readonly records: readonly string[];
  readonly spellings: Recordset['spellings'];
  readonly size: RecordsSize;
}

/** The recordset that the records belong to. */
interface Owner {
  readonly name: string;
  readonly type: StoredType;
}

/** Why a record in canonical form is not allowed at the name; undefined if it is. */
export function ownerFault(name: string, type: StoredType, rdata: string): string | undefined {
  return type === 'SVCB' ? dnsServiceFault(name, rdata) : undefined;
}

/** Collects distinct records and keeps the first spelling of each. */
class DistinctRecords {
  /** Original spelling by canonical rdata. */
  readonly #read = new Map<string, string>();
  #size = NO_RECORDS;

  /** Adds a record, or drops a duplicate. Returns the fault of the text, if any. */
  add({ name, type }: Owner, text: string): string | undefined {
    const parsed = parseRdata(type, text);
    if (!parsed.ok) return parsed.reason;
    const { rdata, wireLength } = parsed;
    const spelling = trimRdata(text);
    const fault = textFault(spelling, wireLength) ?? ownerFault(name, type, rdata);
    if (fault !== undefined || this.#read.has(rdata)) return fault;
    this.#read.set(rdata, spelling);
    const stored = spelling === rdata ? undefined : spelling;
    this.#size = withRecord(this.#size, { text: rdata, wireLength, spelling: stored });
    return undefined;
  }

  get records(): Records {
    const differing = [...this.#read].filter(([rdata, spelling]) => rdata !== spelling);
    return {
      records: [...this.#read.keys()],
      spellings: Object.fromEntries(differing),
      size: this.#size,
    };
  }
}

export interface ReadRecords {
  readonly read: Records;
  readonly faults: readonly Fault[];
}

/**
 * Parses texts as canonical rdata of the type, and collects the faults of invalid ones. Yields after each text, since
 * there may be thousands.
 */
function* parseRecords(owner: Owner, texts: readonly string[]): Generator<void, ReadRecords> {
  const faults: Fault[] = [];
  const reading = new DistinctRecords();
  for (const [place, text] of texts.entries()) {
    const message = reading.add(owner, text);
    if (message !== undefined) faults.push({ path: ['records', place], message });
    yield;
    if (faults.length < MAX_FAULTS) continue;
    const rest = `Only the first ${MAX_FAULTS} errors are listed; the records after them were not read.`;
    return { read: reading.records, faults: [...faults, { path: ['records'], message: rest }] };
  }
  return { read: reading.records, faults };
}

/** Like `parseRecords`, in turns. */
export async function recordsInTurns(
  owner: Owner,
  texts: readonly string[],
  turns: TimeSlices,
): Promise<ReadRecords> {
  const steps = parseRecords(owner, texts);
  let step = steps.next();
  while (!step.done) {
    if (turns.isOver) await turns.next();
    step = steps.next();
  }
  return step.value;
}

/** Why parsed records cannot be those of one recordset: their number, or their size. */
export function faultsOfWhole(type: StoredType, { records, size }: Records): readonly Fault[] {
  return [...countFaults(type, records.length), ...sizeFaults(size)];
}

/** Like `parseRecords`, at once. */
export function parsedRecords(owner: Owner, texts: readonly string[]): ReadRecords {
  const steps = parseRecords(owner, texts);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

function readRecords(owner: Owner, texts: readonly string[]): ReadRecords {
  const parsed = parsedRecords(owner, texts);
  const { read, faults } = parsed;
  if (faults.length > MAX_FAULTS) return parsed;
  // With faults, the number of distinct records is unknown, so all texts count.
  if (faults.length > 0)
    return { read, faults: [...faults, ...countFaults(owner.type, texts.length), ...sizeFaults(read.size)] };
  return { read, faults: faultsOfWhole(owner.type, read) };
}

function textFault({ length }: string, wireLength: number): string | undefined {
  const most = TEXT_PER_WIRE_BYTE * wireLength + TEXT_BESIDE_WIRE;
  if (length <= most) return undefined;
  return `The text has ${length} characters; a record of ${wireLength} bytes can have ${most}. Remove unneeded blanks and escapes.`;
}

function sizeFaults(size: RecordsSize): readonly Fault[] {
  const message = sizeFault(size);
  return message === undefined ? [] : [{ path: ['records'], message }];
}

/** Faults in the number of records for the type. */
export function countFaults(type: StoredType, count: number): readonly Fault[] {
  if (count === 0) return [{ path: ['records'], message: 'Must have at least one record.' }];
  // RFC 2181, section 10.1; RFC 7477, section 2; RFC 6672, section 2.4.
  if (count > 1 && SINGLE.includes(type))
    return [{ path: ['records'], message: `A ${type} has exactly one record.` }];
  return [];
}

/**
 * Parses records.
 * @returns canonical rdata
 * @throws DomainError `invalid_object` with all faults
 */
export function requireRecords(owner: Owner, texts: readonly string[]): Records {
  const { faults, read } = readRecords(owner, texts);
  if (faults.length > 0) throw invalidObject(faults);
  return read;
}

/**
 * Returns a function that parses records after checking their number against the limits of the zone's owner, unless there
 * is one or there are no more than before: the transaction checks it, too. Takes no lock.
 */
export function recordReader({ store, quotas }: { readonly store: Store; readonly quotas: Limits }) {
  return async (
    zone: Zone,
    { name, type, records }: Pick<RecordsetDraft, 'name' | 'type' | 'records'>,
    before: number,
  ): Promise<Records> => {
    if (records.length > Math.max(before, 1)) {
      const limits = limitsOf(await store.projects.state(zone.projectId), quotas);
      requireCapacity('recordset_records', limits.recordset_records, records.length, records.length - before);
    }
    return requireRecords({ name, type }, records);
  };
}
