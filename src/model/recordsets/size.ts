/** The size of recordsets in bytes, for one DNS message and for the size limit of a zone. */
import { parseRdata } from '../../dns/parse-rdata.ts';
import type { StoredType } from '../../dns/record-types.ts';
import { NO_RECORDS, type RecordsSize, withRecord } from '../../dns/records-size.ts';
import type { Recordset } from './recordset.ts';

/** A DNS message has at most 65,535 bytes and also holds a header, a question, an owner name and a TSIG. */
const MAX_WIRE_BYTES = 65_000;

interface SizedRecordset {
  readonly type: StoredType;
  readonly name: string;
  readonly records: readonly string[];
  readonly spellings?: Recordset['spellings'];
}

/** Why the records do not fit into one recordset, or undefined. */
export function sizeFault({ wire }: RecordsSize): string | undefined {
  if (wire <= MAX_WIRE_BYTES) return undefined;
  return `The records take ${wire} bytes in wire form. To fit in one DNS message, a recordset can take at most ${MAX_WIRE_BYTES}. Use fewer or shorter records.`;
}

/** A recordset's share of its zone's size, in bytes. */
export function recordsetBytes(name: string, { counted }: RecordsSize): number {
  return name.length + counted;
}

/** The general form of RFC 3597, with its length in bytes. */
const GENERAL_FORM = /^\\# (\d+)/;

/** The wire length of stored rdata in bytes; 0 if it is invalid. */
export function wireLengthOf(type: StoredType, text: string): number {
  const general = GENERAL_FORM.exec(text)?.[1];
  if (general !== undefined) return Number(general);
  const parsed = parseRdata(type, text);
  return parsed.ok ? parsed.wireLength : 0;
}

/** A stored recordset's share of its zone's size, in bytes. Invalid records count by the length of their text. */
export function storedBytes({ type, name, records, spellings = {} }: SizedRecordset): number {
  const rdata = (text: string) => ({ text, wireLength: wireLengthOf(type, text), spelling: spellings[text] });
  const size = records.reduce((sum, text) => withRecord(sum, rdata(text)), NO_RECORDS);
  return recordsetBytes(name, size);
}
