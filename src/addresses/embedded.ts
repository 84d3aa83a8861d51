/** IPv4 addresses inside IPv6 ones: a gateway or the kernel may forward packets to them. */
import { isIPv6 } from 'node:net';
import { decodeIpv6, formatIpv4 } from '../dns/rdata/addresses.ts';
import { Networks } from './networks.ts';

interface Embedding {
  readonly networks: Networks;
  /** Offset of the octet at which the IPv4 address begins. */
  readonly at: number;
  /** True if every bit is inverted. */
  readonly inverted?: true;
}

/** Other notations of an IPv4 address (RFC 4291 section 2.5.5.2), and NAT64 (RFC 6052). */
const SAME_PLACE = new Networks(['::ffff:0:0/96', '64:ff9b::/96']);

const EMBEDDINGS: readonly Embedding[] = [
  // IPv4-compatible (RFC 4291 section 2.5.5.1), and IPv4-translated (RFC 2765).
  { networks: new Networks(['::/96', '::ffff:0:0:0/96']), at: 12 },
  // 6to4 (RFC 3056).
  { networks: new Networks(['2002::/16']), at: 2 },
  // Teredo (RFC 4380): the server, and the client.
  { networks: new Networks(['2001::/32']), at: 4 },
  { networks: new Networks(['2001::/32']), at: 12, inverted: true },
];

const LAST = 12;
/** True for :: and ::1, which embed nothing. */
const isBare = (octets: readonly number[]): boolean => octets.slice(0, 15).every((octet) => octet === 0);
/** ISATAP (RFC 5214 section 6.1) occurs in any network. */
const isIsatap = (octets: readonly number[]): boolean =>
  (octets[8]! & 0xfd) === 0 && octets[9] === 0 && octets[10] === 0x5e && octets[11] === 0xfe;

function ipv4At(octets: readonly number[], at: number, inverted?: true): string {
  return formatIpv4(octets.slice(at, at + 4).map((octet) => (inverted ? octet ^ 0xff : octet)));
}

/** Where packets to an address end up. */
export interface Destination {
  /** The address itself, or the IPv4 address that it denotes. */
  readonly address: string;
  /** The IPv4 addresses to which packets may be forwarded from there. */
  readonly embedded: readonly string[];
}

/** @param address an IP address without a zone index */
export function destinationOf(address: string): Destination {
  if (!isIPv6(address)) return { address, embedded: [] };
  const octets = decodeIpv6(address);
  if (SAME_PLACE.has(address)) return { address: ipv4At(octets, LAST), embedded: [] };
  if (isBare(octets)) return { address, embedded: [] };
  const found = EMBEDDINGS.filter(({ networks }) => networks.has(address));
  const embedded = found.map(({ at, inverted }) => ipv4At(octets, at, inverted));
  return { address, embedded: isIsatap(octets) ? [...embedded, ipv4At(octets, LAST)] : embedded };
}
