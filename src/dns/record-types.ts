/**
 * Record types of the IANA registry "Domain Name System (DNS) Parameters", with their numbers, and the subset that
 * zones may contain.
 */
import type { Parsed } from './parsed.ts';

/** Types with their own rdata form. Others use the general form. */
export const RECORD_TYPES = [
  'A',
  'AAAA',
  'AFSDB',
  'CAA',
  'CDNSKEY',
  'CDS',
  'CERT',
  'CNAME',
  'CSYNC',
  'DNAME',
  'DNSKEY',
  'DS',
  'HINFO',
  'HTTPS',
  'LOC',
  'MX',
  'NAPTR',
  'NS',
  'OPENPGPKEY',
  'PTR',
  'RP',
  'SMIMEA',
  'SOA',
  'SPF',
  'SRV',
  'SSHFP',
  'SVCB',
  'TLSA',
  'TXT',
  'URI',
] as const;

export type RecordType = (typeof RECORD_TYPES)[number];

/** The type of a recordset. A type without its own form is named by its number (RFC 3597). */
export type StoredType = RecordType | `TYPE${number}`;

/** Stands for all numbered types in lists of types. */
export const NUMBERED_TYPES = 'TYPE*';

/**
 * Types that a DNSSEC signer generates, including those of RFC 2535. They are stale after the next change of the zone.
 */
const SIGNER_TYPES = ['RRSIG', 'NSEC', 'NSEC3', 'NSEC3PARAM', 'ZONEMD', 'SIG', 'NXT'] as const;

export type SignerType = (typeof SIGNER_TYPES)[number];

export const TYPE = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  HINFO: 13,
  MX: 15,
  TXT: 16,
  RP: 17,
  AFSDB: 18,
  SIG: 24,
  AAAA: 28,
  LOC: 29,
  NXT: 30,
  SRV: 33,
  NAPTR: 35,
  CERT: 37,
  DNAME: 39,
  OPT: 41,
  DS: 43,
  SSHFP: 44,
  RRSIG: 46,
  NSEC: 47,
  DNSKEY: 48,
  NSEC3: 50,
  NSEC3PARAM: 51,
  TLSA: 52,
  SMIMEA: 53,
  CDS: 59,
  CDNSKEY: 60,
  OPENPGPKEY: 61,
  CSYNC: 62,
  ZONEMD: 63,
  SVCB: 64,
  HTTPS: 65,
  SPF: 99,
  TSIG: 250,
  IXFR: 251,
  AXFR: 252,
  ANY: 255,
  URI: 256,
  CAA: 257,
} as const satisfies Record<RecordType | SignerType, number> & Record<string, number>;

type TypeName = keyof typeof TYPE | `TYPE${number}`;

const NAMES: ReadonlyMap<number, keyof typeof TYPE> = new Map(
  Object.entries(TYPE).map(([name, number]) => [number, name as keyof typeof TYPE]),
);

const NUMBERED = /^TYPE([0-9]{1,5})$/;
const MAX_TYPE = 65_535;

const KNOWN: ReadonlySet<string> = new Set(RECORD_TYPES);
const SIGNED: ReadonlySet<string> = new Set(SIGNER_TYPES);

export function isRecordType(text: string): text is RecordType {
  return KNOWN.has(text);
}

export function isSignerType(text: string): text is SignerType {
  return SIGNED.has(text);
}

/** QTYPEs, meta-types and reserved types (RFC 6895 section 3.1), which no record of a zone can have. */
export function isMeta(number: number): boolean {
  return number === 0 || number === TYPE.OPT || (number >= 128 && number <= 255) || number === MAX_TYPE;
}

function isTypeName(type: string): type is keyof typeof TYPE {
  return Object.hasOwn(TYPE, type);
}

/** The number of a mnemonic or of `TYPEn` (RFC 3597 section 5). */
export function typeNumber(type: TypeName): number {
  return isTypeName(type) ? TYPE[type] : Number(type.slice('TYPE'.length));
}

/** The number of the type named by a text, or undefined. */
export function findTypeNumber(text: string): number | undefined {
  if (isTypeName(text)) return TYPE[text];
  const number = Number(NUMBERED.exec(text)?.[1] ?? Number.NaN);
  return number <= MAX_TYPE ? number : undefined;
}

/** The mnemonic of a type, or `TYPEn` if it has none here (RFC 3597 section 5). */
export function typeName(number: number): TypeName {
  return NAMES.get(number) ?? `TYPE${number}`;
}

/** The type with this number, if it has its own rdata form. */
export function findRecordType(number: number): RecordType | undefined {
  const name = typeName(number);
  return isRecordType(name) ? name : undefined;
}

/** The type of recordsets whose records have this number. */
export function storedType(number: number): StoredType {
  return findRecordType(number) ?? `TYPE${number}`;
}

/** The canonical name of a type: CAA for `TYPE257`. Text that names no type is returned unchanged. */
export function canonicalType(text: string): string {
  const number = findTypeNumber(text);
  return number === undefined ? text : storedType(number);
}

/** The type named by a text, if users may create recordsets of it. */
export function parseRecordType(text: string): Parsed<StoredType> {
  const number = findTypeNumber(text);
  if (number === undefined) {
    const reason = `The type must be one of: ${RECORD_TYPES.join(', ')}, or TYPE and its number, such as TYPE65280 (RFC 3597).`;
    return { ok: false, reason };
  }
  const name = typeName(number);
  if (isMeta(number)) {
    return {
      ok: false,
      reason: `A zone cannot have records of the type ${name} (RFC 6895). Use another type.`,
    };
  }
  if (isSignerType(name)) {
    const reason = `A DNSSEC signer generates ${name} records. Leave them to the name servers that sign the zone.`;
    return { ok: false, reason };
  }
  return { ok: true, value: storedType(number) };
}
