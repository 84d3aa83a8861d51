/** The types that hold keys, certificates and their digests. */
import { readBase64, readHex } from './binary.ts';
import type { Fields } from './fields.ts';

/** RFC 4034 appendix A.1 and the registry that grew from it, with the spellings that BIND prints. */
const ALGORITHMS: ReadonlyMap<string, number> = new Map([
  ['RSAMD5', 1],
  ['DH', 2],
  ['DSA', 3],
  ['ECC', 4],
  ['RSASHA1', 5],
  ['NSEC3DSA', 6],
  ['DSA-NSEC3-SHA1', 6],
  ['NSEC3RSASHA1', 7],
  ['RSASHA1-NSEC3-SHA1', 7],
  ['RSASHA256', 8],
  ['RSASHA512', 10],
  ['ECCGOST', 12],
  ['ECC-GOST', 12],
  ['ECDSAP256SHA256', 13],
  ['ECDSAP384SHA384', 14],
  ['ED25519', 15],
  ['ED448', 16],
  ['INDIRECT', 252],
  ['PRIVATEDNS', 253],
  ['PRIVATEOID', 254],
]);

/** RFC 4398 section 2.1. */
const CERTIFICATE_TYPES: ReadonlyMap<string, number> = new Map([
  ['PKIX', 1],
  ['SPKI', 2],
  ['PGP', 3],
  ['IPKIX', 4],
  ['ISPKI', 5],
  ['IPGP', 6],
  ['ACPKIX', 7],
  ['IACPKIX', 8],
  ['URI', 253],
  ['OID', 254],
]);

/** CERT: RFC 4398 section 2.2. */
export function readCert(fields: Fields): void {
  fields.readMnemonic('certificate type', 2, CERTIFICATE_TYPES);
  fields.readNumber('key tag', 2);
  fields.readMnemonic('algorithm', 1, ALGORITHMS);
  readBase64(fields, 'certificate');
}

/** Digest type to length: RFC 4034 (SHA-1), 4509 (SHA-256), 5933 and 9558 (GOST), 6605 (SHA-384), 9563 (SM3). */
const DS_DIGEST_LENGTHS: ReadonlyMap<number, number> = new Map([
  [1, 20],
  [2, 32],
  [3, 32],
  [4, 48],
  [5, 32],
  [6, 32],
]);

/** DS: RFC 4034 section 5. */
export function readDs(fields: Fields): void {
  fields.readNumber('key tag', 2);
  fields.readMnemonic('algorithm', 1, ALGORITHMS);
  const type = fields.readNumber('digest type', 1);
  readHex(fields, 'digest', DS_DIGEST_LENGTHS.get(type));
}

/** RFC 4255 section 3.1.2 (SHA-1), RFC 6594 section 4 (SHA-256). */
const SSHFP_LENGTHS: ReadonlyMap<number, number> = new Map([
  [1, 20],
  [2, 32],
]);

/** SSHFP: RFC 4255 section 3; algorithms by RFC 6594, 7479 and 8709 are numbers like any other. */
export function readSshfp(fields: Fields): void {
  fields.readNumber('algorithm', 1);
  const type = fields.readNumber('fingerprint type', 1);
  readHex(fields, 'fingerprint', SSHFP_LENGTHS.get(type));
}

/** RFC 6698 section 2.1.3: SHA-256 and SHA-512; 0 is the whole certificate or key. */
const TLSA_LENGTHS: ReadonlyMap<number, number> = new Map([
  [1, 32],
  [2, 64],
]);

/** TLSA: RFC 6698 section 2.2. */
export function readTlsa(fields: Fields): void {
  fields.readNumber('certificate usage', 1);
  fields.readNumber('selector', 1);
  const type = fields.readNumber('matching type', 1);
  readHex(fields, 'certificate association data', TLSA_LENGTHS.get(type));
}

/** OPENPGPKEY: RFC 7929 section 2.3. */
export function readOpenpgpkey(fields: Fields): void {
  readBase64(fields, 'OpenPGP key');
}
