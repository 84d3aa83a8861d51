import { decodeA, decodeAaaa } from './addresses.ts';
import type { RdataDecoder } from './decoder.ts';
import { decodeAfsdb, decodeDname, decodeMx, decodeRp, decodeSoa, decodeSrv, decodeTarget } from './hosts.ts';
import { decodeCert, decodeDnskey, decodeDs, decodeOpenpgpkey, decodeSshfp, decodeTlsa } from './keys.ts';
import { decodeLoc } from './loc.ts';
import { decodeCaa, decodeHinfo, decodeNaptr, decodeTxt, decodeUri } from './strings.ts';
import { decodeSvcb } from './svcb.ts';
import { decodeCsync } from './type-bitmap.ts';

/** Wire decoders by type. */
export const DECODERS = {
  A: decodeA,
  AAAA: decodeAaaa,
  AFSDB: decodeAfsdb,
  CAA: decodeCaa,
  CDNSKEY: decodeDnskey,
  CDS: decodeDs,
  CERT: decodeCert,
  CNAME: decodeTarget,
  CSYNC: decodeCsync,
  DNAME: decodeDname,
  DNSKEY: decodeDnskey,
  DS: decodeDs,
  HINFO: decodeHinfo,
  HTTPS: decodeSvcb,
  LOC: decodeLoc,
  MX: decodeMx,
  NAPTR: decodeNaptr,
  NS: decodeTarget,
  OPENPGPKEY: decodeOpenpgpkey,
  PTR: decodeTarget,
  RP: decodeRp,
  SMIMEA: decodeTlsa,
  SOA: decodeSoa,
  SPF: decodeTxt,
  SRV: decodeSrv,
  SSHFP: decodeSshfp,
  SVCB: decodeSvcb,
  TLSA: decodeTlsa,
  TXT: decodeTxt,
  URI: decodeUri,
} satisfies Readonly<Record<string, RdataDecoder>>;
