import { BlockList, isIPv6 } from 'node:net';

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');

/** Turns an IPv4-mapped address into IPv4, and strips the zone index from a link-local one. */
export function plainAddress(address: string): string {
  return address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '');
}

/**
 * The network that counts as one client: an IPv4 address, or the /64 of an IPv6 address, since one customer has all of
 * it.
 */
export function clientNetwork(given: string): string {
  const address = plainAddress(given);
  if (!isIPv6(address) || address.includes('.')) return address;
  const [head = '', tail = ''] = address.split('::');
  const front = head.split(':').filter(Boolean);
  const back = tail.split(':').filter(Boolean);
  const zeros = Array.from({ length: 8 - front.length - back.length }, () => '0');
  const groups = [...front, ...zeros, ...back].slice(0, 4);
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':');
}

/** A set of networks, given as IP addresses or CIDR blocks. */
export class Networks {
  /** One per family: a single BlockList would also find every IPv4 address in ::/8. */
  readonly #lists = { ipv4: new BlockList(), ipv6: new BlockList() };

  constructor(networks: readonly string[]) {
    for (const network of networks) {
      const [host = '', bits] = network.split('/');
      const family = familyOf(host);
      if (bits === undefined) this.#lists[family].addAddress(host, family);
      else this.#lists[family].addSubnet(host, Number(bits), family);
    }
  }

  has(address: string): boolean {
    const family = familyOf(address);
    return this.#lists[family].check(address, family);
  }
}
