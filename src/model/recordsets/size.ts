/** The size of recordsets, for one DNS message and for the limit of a zone. Bytes. */
import { parseRdata } from '../../dns/parse-rdata.ts';
import type { StoredType } from '../../dns/record-types.ts';
import { NO_RECORDS, type RecordsSize, withRecord } from '../../dns/records-size.ts';
import type { Recordset } from './recordset.ts';

/** A DNS message has at most 65,535 bytes; its header, question, owner name and TSIG need room beside the records. */
const MOST_WIRE_BYTES = 65_000;

interface Stored {
  readonly type: StoredType;
  readonly name: string;
  readonly records: readonly string[];
  readonly spellings?: Recordset['spellings'];
}

/** Why the records cannot be one recordset, or undefined. */
export function sizeFault({ wire }: RecordsSize): string | undefined {
  if (wire <= MOST_WIRE_BYTES) return undefined;
  return `The records take ${wire} bytes in wire form; a recordset has to fit into one DNS message and can take ${MOST_WIRE_BYTES}. Give fewer or shorter records.`;
}

/** The bytes of a recordset in the size of its zone. */
export function recordsetBytes(name: string, { counted }: RecordsSize): number {
  return name.length + counted;
}

/** The bytes of the general form of RFC 3597. */
const GENERAL_FORM = /^\\# (\d+)/;

/** The bytes of stored rdata in wire form; 0 for what is not valid. */
export function wireLengthOf(type: StoredType, text: string): number {
  const general = GENERAL_FORM.exec(text)?.[1];
  if (general !== undefined) return Number(general);
  const parsed = parseRdata(type, text);
  return parsed.ok ? parsed.wireLength : 0;
}

/** The bytes of a stored recordset in the size of its zone. Records that are not valid count by their text. */
export function storedBytes({ type, name, records, spellings = {} }: Stored): number {
  const rdata = (text: string) => ({ text, wireLength: wireLengthOf(type, text), spelling: spellings[text] });
  const size = records.reduce((sum, text) => withRecord(sum, rdata(text)), NO_RECORDS);
  return recordsetBytes(name, size);
}
