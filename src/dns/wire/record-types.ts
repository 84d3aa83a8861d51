/** The numbers of the IANA registry "Domain Name System (DNS) Parameters" that are used here. */
import { isRecordType, type RecordType } from '../rdata.ts';

export const TYPE = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  LOC: 29,
  SRV: 33,
  NAPTR: 35,
  CERT: 37,
  DNAME: 39,
  OPT: 41,
  DS: 43,
  SSHFP: 44,
  TLSA: 52,
  OPENPGPKEY: 61,
  SVCB: 64,
  HTTPS: 65,
  SPF: 99,
  TSIG: 250,
  IXFR: 251,
  AXFR: 252,
  ANY: 255,
  URI: 256,
  CAA: 257,
} as const satisfies Record<RecordType, number> & Record<string, number>;

export const CLASS = { IN: 1, NONE: 254, ANY: 255 } as const;

/** RFC 1035 section 4.1.1, RFC 1996, RFC 2136. */
export const OPCODE = { QUERY: 0, IQUERY: 1, STATUS: 2, NOTIFY: 4, UPDATE: 5 } as const;

/** RFC 6895 section 2.3. Those above 15 need EDNS, or stand in a TSIG. */
export const RCODE = {
  NOERROR: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
  YXDOMAIN: 6,
  YXRRSET: 7,
  NXRRSET: 8,
  NOTAUTH: 9,
  NOTZONE: 10,
  BADVERS: 16,
  BADSIG: 16,
  BADKEY: 17,
  BADTIME: 18,
  BADTRUNC: 22,
} as const;

const NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(TYPE).map(([name, number]) => [number, name]),
);

function isTypeName(type: string): type is keyof typeof TYPE {
  return Object.hasOwn(TYPE, type);
}

/** The number of a mnemonic, or of `TYPEn` (RFC 3597 section 5). */
export function typeNumber(type: keyof typeof TYPE | `TYPE${number}`): number {
  return isTypeName(type) ? TYPE[type] : Number(type.slice('TYPE'.length));
}

/** The mnemonic, or `TYPEn` for a type that has none here (RFC 3597 section 5). */
export function typeName(number: number): string {
  return NAMES.get(number) ?? `TYPE${number}`;
}

/** The type of a record that can be in a zone here, or undefined. */
export function findRecordType(number: number): RecordType | undefined {
  const name = typeName(number);
  return isRecordType(name) ? name : undefined;
}
