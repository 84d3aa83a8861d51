/** Types that hold keys, certificates and digests. */
import { readBase64, readHex } from './binary.ts';
import type { RdataFields } from './fields.ts';
import { RdataError } from './rdata-error.ts';

/** RFC 4034 appendix A.1 and its IANA registry, plus the spellings that BIND prints. */
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
export function readCert(fields: RdataFields): void {
  const type = fields.readMnemonic('certificate type', 2, CERTIFICATE_TYPES);
  if (type === 0) throw new RdataError('The certificate type 0 is reserved (RFC 4398, section 2.1).');
  fields.readNumber('key tag', 2);
  fields.readMnemonic('algorithm', 1, ALGORITHMS);
  readBase64(fields, 'certificate');
}

/** RFC 4034 section 2.1.2: a key with another protocol is invalid. */
const DNSKEY_PROTOCOL = 3;

/** RFC 4034 appendix A.1.1. */
const [PRIVATE_DNS, PRIVATE_OID] = [253, 254];

/** DNSKEY: RFC 4034 section 2. CDNSKEY: RFC 7344 section 3.2; `0 3 0 AA==` requests deletion (RFC 8078 section 4). */
export function readDnskey(fields: RdataFields): void {
  fields.readNumber('flags field', 2);
  const protocol = fields.readNumber('protocol', 1);
  if (protocol !== DNSKEY_PROTOCOL)
    throw new RdataError(`The protocol must be ${DNSKEY_PROTOCOL}, not ${protocol}.`);
  const algorithm = fields.readMnemonic('algorithm', 1, ALGORITHMS);
  const start = fields.wire.length;
  readBase64(fields, 'public key');
  if (!mayBePrivate(algorithm, fields.wire.slice(start))) {
    throw new RdataError(
      `A public key of algorithm ${algorithm} must begin with the ${algorithm === PRIVATE_DNS ? 'domain name' : 'object identifier'} of its algorithm, followed by the key (RFC 4034, appendix A.1.1).`,
    );
  }
}

/** The length of the uncompressed domain name at the start; 0 if there is none. */
function lengthOfName(octets: readonly number[]): number {
  let at = 0;
  for (let label = octets[0]; label !== undefined && label <= 63 && at < 255; label = octets[at]) {
    at += 1 + label;
    if (label === 0) return at;
  }
  return 0;
}

/** The length of the DER-encoded object identifier at the start; 0 if there is none. */
function lengthOfOid([tag, length = 0, ...rest]: readonly number[]): number {
  const contents = rest.slice(0, length);
  const isOid = tag === 6 && length >= 1 && length < 128 && contents.length === length;
  const isWhole = isOid && contents.at(-1)! < 128;
  // No number in it starts with a padding byte.
  const isShort = contents.every((byte, at) => byte !== 128 || (at > 0 && contents[at - 1]! >= 128));
  return isWhole && isShort ? 2 + length : 0;
}

/**
 * Whether the key is plausible for its algorithm: a private one starts with a name or an identifier, and more follows.
 */
function mayBePrivate(algorithm: number, key: readonly number[]): boolean {
  if (algorithm !== PRIVATE_DNS && algorithm !== PRIVATE_OID) return true;
  const length = algorithm === PRIVATE_DNS ? lengthOfName(key) : lengthOfOid(key);
  return length > 0 && key.length > length;
}

/**
 * Digest length in bytes by type: RFC 4034 (SHA-1), 4509 (SHA-256), 5933 and 9558 (GOST), 6605 (SHA-384), 9563 (SM3).
 */
const DS_DIGEST_LENGTHS: ReadonlyMap<number, number> = new Map([
  [1, 20],
  [2, 32],
  [3, 32],
  [4, 48],
  [5, 32],
  [6, 32],
]);

/** DS: RFC 4034 section 5. CDS: RFC 7344 section 3.1; `0 0 0 00` requests deletion (RFC 8078 section 4). */
export function readDs(fields: RdataFields): void {
  fields.readNumber('key tag', 2);
  fields.readMnemonic('algorithm', 1, ALGORITHMS);
  const type = fields.readNumber('digest type', 1);
  readHex(fields, 'digest', DS_DIGEST_LENGTHS.get(type));
}

/** In bytes, by type: RFC 4255 section 3.1.2 (SHA-1), RFC 6594 section 4 (SHA-256). */
const SSHFP_LENGTHS: ReadonlyMap<number, number> = new Map([
  [1, 20],
  [2, 32],
]);

/** SSHFP: RFC 4255 section 3. Algorithms of RFC 6594, 7479 and 8709 need no special handling. */
export function readSshfp(fields: RdataFields): void {
  fields.readNumber('algorithm', 1);
  const type = fields.readNumber('fingerprint type', 1);
  readHex(fields, 'fingerprint', SSHFP_LENGTHS.get(type));
}

/** In bytes, by matching type: SHA-256 and SHA-512 (RFC 6698 section 2.1.3); type 0 is the whole certificate or key. */
const TLSA_LENGTHS: ReadonlyMap<number, number> = new Map([
  [1, 32],
  [2, 64],
]);

/** TLSA: RFC 6698 section 2.2. SMIMEA: RFC 8162 section 2. */
export function readTlsa(fields: RdataFields): void {
  fields.readNumber('certificate usage', 1);
  fields.readNumber('selector', 1);
  const type = fields.readNumber('matching type', 1);
  readHex(fields, 'certificate association data', TLSA_LENGTHS.get(type));
}

/** OPENPGPKEY: RFC 7929 section 2.3. */
export function readOpenpgpkey(fields: RdataFields): void {
  readBase64(fields, 'OpenPGP key');
}
