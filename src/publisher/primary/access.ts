/** Who may see what. */
import { BlockList, isIPv6 } from 'node:net';
import type { Pool } from '../../domain/pools/pool.ts';
import type { ServedZone } from '../../domain/publication/publication.ts';
import type { TsigKey } from '../../domain/tsig-keys/tsig-key.ts';

/** Who asks: a key whose signature is right, or, for undefined, an address in a network that is answered without. */
export type Visitor = TsigKey | undefined;

/** An IPv4 address that came by IPv6 as itself, and a link-local one without its interface. */
export function plainAddress(address: string): string {
  return address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '');
}

/** Networks by IP address or CIDR block. */
export class Networks {
  readonly #list = new BlockList();

  constructor(networks: readonly string[]) {
    for (const network of networks) {
      const [host = '', bits] = network.split('/');
      const family = isIPv6(host) ? 'ipv6' : 'ipv4';
      if (bits === undefined) this.#list.addAddress(host, family);
      else this.#list.addSubnet(host, Number(bits), family);
    }
  }

  has(address: string): boolean {
    return this.#list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  }
}

/** A key of a zone opens that zone and nothing else, whatever names it. */
export function maySeeZone(visitor: Visitor, zone: ServedZone, pools: readonly Pool[]): boolean {
  if (visitor === undefined) return true;
  if (visitor.scope === 'ZONE') return visitor.resourceId === zone.id;
  const of = [zone.poolId, ...(zone.formerPoolId === null ? [] : [zone.formerPoolId])];
  if (of.includes(visitor.resourceId)) return true;
  return pools.some(({ id, tsigKey }) => of.includes(id) && tsigKey === visitor.name);
}

export function maySeeCatalog(visitor: Visitor, pool: Pool): boolean {
  if (visitor === undefined) return true;
  if (visitor.scope === 'ZONE') return false;
  if (visitor.resourceId === pool.id) return true;
  return visitor.name === pool.tsigKey || visitor.name === pool.catalogZone?.tsigKey;
}
