/**
 * The rdata of types that have a form in an RFC, but are named by their number here. A name server that knows such a type refuses
 * a zone in which its rdata has another form.
 */
import { decodeName } from '../encoding/names.ts';
import { FormError, WireReader } from '../encoding/reader.ts';

/** Reads one part of rdata. @throws FormError */
type Part = (reader: WireReader) => void;

interface NumberedType {
  readonly name: string;
  readonly parts: readonly Part[];
}

const name: Part = (reader) => decodeName(reader);
const string: Part = (reader) => reader.bytes(reader.u8());
const octets =
  (count: number): Part =>
  (reader) =>
    reader.skip(count);
const anything: Part = (reader) => reader.rest();

function something(reader: WireReader): void {
  if (reader.rest().length === 0) throw new FormError('The last field is empty.');
}

function strings(reader: WireReader): void {
  do string(reader);
  while (reader.remaining > 0);
}

const optionalString: Part = (reader) => {
  if (reader.remaining > 0) string(reader);
};

function check(condition: boolean, reason: string): void {
  if (!condition) throw new FormError(reason);
}

const isDigits = (some: Buffer): boolean => /^[0-9]*$/.test(some.toString('latin1'));

/** A protocol, and the bit map of its ports. */
const wks: Part = (reader) => {
  reader.skip(5);
  check(reader.rest().at(-1) !== 0, 'The bit map ends with zeros, which are left out.');
};

/** An X.121 address. */
const x121: Part = (reader) => {
  const address = reader.bytes(reader.u8());
  check(address.length >= 4 && isDigits(address), 'The address is not at least four digits.');
};

/** An ATM address: a format, of which 1 stands for digits, and the address. */
const atmAddress: Part = (reader) => {
  const format = reader.u8();
  const address = reader.rest();
  check(address.length > 0 && (format !== 1 || isDigits(address)), 'The address has the wrong form.');
};

const NO_KEY = 0xc000;
/** The algorithm PRIVATEDNS, whose keys begin with a name (RFC 4034, appendix A.1.1). */
const PRIVATE_DNS = 253;

/** A protocol, an algorithm and a public key. */
function publicKey(reader: WireReader): void {
  reader.skip(1);
  if (reader.u8() === PRIVATE_DNS) {
    name(reader);
    reader.rest();
  } else {
    something(reader);
  }
}

const key: Part = (reader) => {
  if ((reader.u16() & NO_KEY) === NO_KEY) reader.skip(2);
  else publicKey(reader);
};

const rkey: Part = (reader) => {
  check(reader.u16() === 0, 'The flags are not 0.');
  publicKey(reader);
};

/** The part of an IPv6 address after a prefix, and the name that has the prefix. */
const a6: Part = (reader) => {
  const prefix = reader.u8();
  check(prefix <= 128, 'The prefix is too long.');
  const [first = 0] = reader.bytes(16 - Math.floor(prefix / 8));
  check(first < 2 ** (8 - (prefix % 8)), 'Bits of the prefix are set.');
  if (prefix > 0) name(reader);
};

/** Maximum length of a prefix in bits and of an address in octets, by address family. */
const FAMILIES: ReadonlyMap<number, readonly [number, number]> = new Map([
  [1, [32, 4]],
  [2, [128, 16]],
]);

const addressPrefixes: Part = (reader) => {
  while (reader.remaining > 0) {
    const [bits, length] = FAMILIES.get(reader.u16()) ?? [255, 127];
    const prefix = reader.u8();
    const address = reader.bytes(reader.u8() & 0x7f);
    check(prefix <= bits && address.length <= length, 'The prefix is too long.');
    check(address.at(-1) !== 0, 'The address ends with zeros, which are left out.');
  }
};

/** A gateway or relay, whose kind was read before. */
const HOSTS: readonly Part[] = [octets(0), octets(4), octets(16), name];

const ipsecKey: Part = (reader) => {
  reader.skip(1);
  const gateway = HOSTS[reader.u8()];
  reader.skip(1);
  check(gateway !== undefined, 'There is no such type of gateway.');
  gateway!(reader);
  // RFC 4025 allows no key; BIND does not.
  something(reader);
};

const amtRelay: Part = (reader) => {
  reader.skip(1);
  const relay = HOSTS[reader.u8() & 0x7f] ?? anything;
  relay(reader);
};

const hip: Part = (reader) => {
  const tag = reader.u8();
  reader.skip(1);
  const length = reader.u16();
  check(tag > 0 && length > 0, 'The host identity is empty.');
  reader.skip(tag + length);
  while (reader.remaining > 0) name(reader);
};

/** Octets of a digest, by its type. */
const DIGESTS: ReadonlyMap<number, number> = new Map([
  [1, 20],
  [2, 32],
  [4, 48],
]);

const digest: Part = (reader) => {
  reader.skip(3);
  const length = DIGESTS.get(reader.u8());
  if (length === undefined) something(reader);
  else reader.skip(length);
};

/** RFC 1035, 1183, 1348, 1706, 1712, 2163, 2230, 2535, 2874, 3123, 4025, 4701, 6742, 7043, 8005, 8777, 9606, and the IANA registry. */
const TYPES: ReadonlyMap<number, NumberedType> = new Map([
  [3, { name: 'MD', parts: [name] }],
  [4, { name: 'MF', parts: [name] }],
  [7, { name: 'MB', parts: [name] }],
  [8, { name: 'MG', parts: [name] }],
  [9, { name: 'MR', parts: [name] }],
  [11, { name: 'WKS', parts: [wks] }],
  [14, { name: 'MINFO', parts: [name, name] }],
  [19, { name: 'X25', parts: [x121] }],
  [20, { name: 'ISDN', parts: [string, optionalString] }],
  [21, { name: 'RT', parts: [octets(2), name] }],
  [22, { name: 'NSAP', parts: [something] }],
  [23, { name: 'NSAP-PTR', parts: [name] }],
  [25, { name: 'KEY', parts: [key] }],
  [26, { name: 'PX', parts: [octets(2), name, name] }],
  [27, { name: 'GPOS', parts: [string, string, string] }],
  [31, { name: 'EID', parts: [something] }],
  [32, { name: 'NIMLOC', parts: [something] }],
  [34, { name: 'ATMA', parts: [atmAddress] }],
  [36, { name: 'KX', parts: [octets(2), name] }],
  [38, { name: 'A6', parts: [a6] }],
  [40, { name: 'SINK', parts: [octets(3), anything] }],
  [42, { name: 'APL', parts: [addressPrefixes] }],
  [45, { name: 'IPSECKEY', parts: [ipsecKey] }],
  [49, { name: 'DHCID', parts: [something] }],
  [55, { name: 'HIP', parts: [hip] }],
  [56, { name: 'NINFO', parts: [strings] }],
  [57, { name: 'RKEY', parts: [rkey] }],
  [58, { name: 'TALINK', parts: [name, name] }],
  [66, { name: 'DSYNC', parts: [octets(5), name] }],
  [67, { name: 'HHIT', parts: [something] }],
  [68, { name: 'BRID', parts: [something] }],
  [104, { name: 'NID', parts: [octets(10)] }],
  [105, { name: 'L32', parts: [octets(6)] }],
  [106, { name: 'L64', parts: [octets(10)] }],
  [107, { name: 'LP', parts: [octets(2), name] }],
  [108, { name: 'EUI48', parts: [octets(6)] }],
  [109, { name: 'EUI64', parts: [octets(8)] }],
  [258, { name: 'AVC', parts: [strings] }],
  [259, { name: 'DOA', parts: [octets(9), string, anything] }],
  [260, { name: 'AMTRELAY', parts: [amtRelay] }],
  [261, { name: 'RESINFO', parts: [strings] }],
  [262, { name: 'WALLET', parts: [strings] }],
  [32_768, { name: 'TA', parts: [digest] }],
  [32_769, { name: 'DLV', parts: [digest] }],
]);

function hasForm({ parts }: NumberedType, rdata: Buffer): boolean {
  const reader = new WireReader(rdata, 0, false);
  try {
    reader.within(rdata.length, () => {
      for (const read of parts) read(reader);
    });
    return true;
  } catch (error) {
    if (error instanceof FormError) return false;
    throw error;
  }
}

/** The name of a type whose form the rdata does not have; undefined if it has it, or if the type is unknown. */
export function malformedType(type: number, rdata: Buffer): string | undefined {
  const known = TYPES.get(type);
  return known === undefined || hasForm(known, rdata) ? undefined : known.name;
}
