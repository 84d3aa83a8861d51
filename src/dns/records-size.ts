/**
 * Bytes of a record besides its rdata (RFC 1035, section 3.2.1): owner name as a pointer, type, class, TTL and length.
 */
const RECORD_HEAD = 12;

/** One record: its rdata as text, and the length of its wire form in bytes. */
export interface Rdata {
  readonly text: string;
  readonly wireLength: number;
  /** The spelling as sent, if it is stored in addition to the text. */
  readonly spelling?: string | undefined;
}

/** The size of a list of records in bytes. */
export interface RecordsSize {
  /** Size in one DNS message. */
  readonly wire: number;
  /** For each record, the larger of its wire form and its stored text, including its spelling. */
  readonly counted: number;
}

export const NO_RECORDS: RecordsSize = { wire: 0, counted: 0 };

export function withRecord(size: RecordsSize, { text, wireLength, spelling = '' }: Rdata): RecordsSize {
  return {
    wire: size.wire + RECORD_HEAD + wireLength,
    counted: size.counted + Math.max(wireLength, text.length + Buffer.byteLength(spelling)),
  };
}
