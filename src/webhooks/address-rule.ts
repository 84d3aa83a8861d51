/** Which addresses events may be sent to. */
import { BlockList, isIP } from 'node:net';

/** Never anybody's: unspecified, multicast, reserved. */
const NEVER = ['0.0.0.0/8', '224.0.0.0/4', '240.0.0.0/4', '::/128', 'ff00::/8'];
/** What the registries of special-purpose addresses (RFC 6890) do not have for the Internet at large. */
const NEAR = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
];
/** All others are not given out (RFC 4291). */
const GLOBAL_UNICAST = ['2000::/3'];
/** An IPv4 address is written in the last 32 bits (RFC 4291, RFC 6052): it decides. */
const EMBEDDING = ['::ffff:0:0/96', '64:ff9b::/96'];

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [host = '', bits] = network.split('/');
    list.addSubnet(host, Number(bits), isIP(host) === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}

const never = listOf(NEVER);
const near = listOf(NEAR);
const global = listOf(GLOBAL_UNICAST);
const embedding = listOf(EMBEDDING);

/** The IPv4 address in the last 32 bits of an IPv6 address. */
function embedded(address: string): string {
  // One spelling, whose last two groups are hexadecimal.
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':');
  const [high = 0, low = 0] = groups.slice(-2).map((group) => Number.parseInt(group || '0', 16));
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}

function isRefusedV6(address: string, allowPrivate: boolean): boolean {
  if (embedding.check(address, 'ipv6')) return isRefused(embedded(address), allowPrivate);
  if (never.check(address, 'ipv6')) return true;
  return !allowPrivate && (near.check(address, 'ipv6') || !global.check(address, 'ipv6'));
}

function isRefused(address: string, allowPrivate: boolean): boolean {
  if (isIP(address) === 6) return isRefusedV6(address, allowPrivate);
  return never.check(address, 'ipv4') || (!allowPrivate && near.check(address, 'ipv4'));
}

/**
 * Why nothing is sent to an IP address, as a phrase; undefined if it may be.
 * @param allowPrivate whether it may be one of this machine, of a private network or of a link
 */
export function addressFault(address: string, allowPrivate: boolean): string | undefined {
  const isKnown = isIP(address) !== 0 && !address.includes('%');
  if (isKnown && !isRefused(address, allowPrivate)) return undefined;
  const advice = isKnown && !isRefused(address, true) ? ': set allow_private to send there' : '';
  return `${address} is no address on the Internet${advice}`;
}
