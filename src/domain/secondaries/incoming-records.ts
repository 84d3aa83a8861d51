/** Validates the records that a master sends, one by one and for a whole zone. */
import { canonicalName, type Fqdn, type OwnerName } from '../../dns/names.ts';
import { parseRdata, type RdataResult } from '../../dns/parse-rdata.ts';
import { soaFields } from '../../dns/rdata/hosts.ts';
import { ttlInRdata } from '../../dns/rdata-codecs/signature-ttl.ts';
import { isMeta, isRecordType, type StoredType, storedType } from '../../dns/record-types.ts';
import { RecordsetTable } from '../../dns/zone-file/recordset-table.ts';
import { sizeFault } from '../../model/recordsets/size.ts';
import { type IncomingRecord, type IncomingSoa, TransferFault } from '../../model/secondaries/secondary.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { TimeSlices } from '../../runtime/cooperative-yield.ts';
import { RunningCounts, type ZoneFileLimits } from '../zone-files/running-counts.ts';

/** RFC 2181 section 8: a TTL with the most significant bit set is 0. */
const MAX_TTL = 2147483647;
/** Number of repeated records allowed in addition to one for each new record. */
const MAX_REPEATED = 1000;
const GENERAL_FORM = /^\\# ([1-9]\d{0,4}) ([0-9a-f]+)$/;
const EMPTY = '\\# 0';

/** A record that is valid in the zone. */
export interface ReadRecord {
  readonly name: OwnerName;
  readonly type: StoredType;
  readonly ttl: number;
  readonly rdata: { readonly text: string; readonly wireLength: number };
}

export function incomingTtl(ttl: number): number {
  return ttl > MAX_TTL ? 0 : ttl;
}

/** True if the name is the zone's or lies below it. An escaped dot does not separate labels. */
function isInside(name: string, zone: Fqdn): boolean {
  if (name === zone) return true;
  if (!name.endsWith(`.${zone}`)) return false;
  let at = name.length - zone.length - 2;
  let escapes = 0;
  // No regular expression: with many escapes, it would take quadratic time.
  for (; name[at] === '\\'; at -= 1) escapes += 1;
  return escapes % 2 === 0;
}

function readRdata(type: StoredType, text: string): RdataResult {
  const isKnown = isRecordType(type);
  const [, length, hex = ''] = GENERAL_FORM.exec(text) ?? [];
  if (length !== undefined && hex.length === 2 * Number(length))
    return { ok: true, rdata: text, wireLength: Number(length) };
  if (text === EMPTY && !isKnown) return { ok: true, rdata: text, wireLength: 0 };
  if (!isKnown || text.startsWith('\\#')) return { ok: false, reason: 'The rdata is malformed.' };
  return parseRdata(type, text);
}

/** @throws TransferFault if the record is not valid in the zone */
export function requireRecord({ name, type, ttl, rdata }: IncomingRecord, zone: Fqdn): ReadRecord {
  const stored = storedType(type);
  const refuse = (reason: string): never => {
    throw new TransferFault(`A master sent the record ${name} ${stored}: ${reason}`);
  };
  if (!isInside(name, zone)) refuse('its name is outside the zone.');
  if (isMeta(type)) refuse('a zone cannot have records of this type.');
  if (stored === 'SOA') refuse('a zone has one SOA, at its apex.');
  const read = readRdata(stored, rdata);
  if (!read.ok) return refuse(read.reason);
  const { rdata: text, wireLength } = read;
  // Such TTLs differ within a recordset, so none of them is stored for it.
  const ownTtl = ttlInRdata(stored, text) === undefined ? incomingTtl(ttl) : 0;
  return { name: canonicalName(name), type: stored, ttl: ownTtl, rdata: { text, wireLength } };
}

/** @throws TransferFault if the rdata is malformed or its serial differs */
export function requireSoa(soa: IncomingSoa): IncomingSoa {
  const read = parseRdata('SOA', soa.rdata);
  if (!read.ok || soaFields(read.rdata).serial !== soa.serial)
    throw new TransferFault('A master sent an SOA that is malformed.');
  return { ...soa, ttl: incomingTtl(soa.ttl), rdata: read.rdata };
}

/**
 * Checked for each record, because the NS records at the apex are not subject to a quota.
 * @throws TransferFault
 */
function requireSize(table: RecordsetTable, recordset: number): void {
  const fault = sizeFault(table.sizeOf(recordset));
  if (fault === undefined) return;
  throw new TransferFault(`${table.name(recordset)} ${table.type(recordset)}: ${fault}`);
}

/**
 * Some masters send a record twice, but none repeats most of them.
 * @throws TransferFault
 */
function requireNews(table: RecordsetTable, repeated: number): void {
  if (repeated <= MAX_REPEATED + table.totals.records) return;
  throw new TransferFault(`A master sent ${repeated} duplicate records.`);
}

type SizeCheck = (recordset: number) => void;

/** Returns the limit check for each new record. */
function capacityIn(table: RecordsetTable, zone: Fqdn, limits: ZoneFileLimits): SizeCheck {
  const counts = new RunningCounts(limits);
  return (recordset) => {
    if (!counts.add(table, recordset, zone)) counts.refuse();
    requireSize(table, recordset);
  };
}

/**
 * Collects the records of a whole zone outside the heap, and stops at the first one that exceeds a limit.
 * @throws TransferFault, and DomainError `over_quota`
 */
export async function collectRecords(
  records: AsyncIterable<readonly IncomingRecord[]>,
  { name: apex, projectId }: Pick<Zone, 'name' | 'projectId'>,
  limits: ZoneFileLimits,
): Promise<RecordsetTable> {
  const table = new RecordsetTable();
  const requireCapacity = capacityIn(table, apex, limits);
  const turns = new TimeSlices(projectId);
  let repeated = 0;
  for await (const some of records) {
    for (const record of some) {
      const { name, type, ttl, rdata } = requireRecord(record, apex);
      const recordset = table.add(name, type, { seconds: ttl, isOwn: true }, rdata, 0);
      if (recordset !== undefined) requireCapacity(recordset);
      else requireNews(table, ++repeated);
      if (turns.isOver) await turns.next();
    }
  }
  return table;
}
