/** Access rules of the hidden primary. */
import type { Pool } from '../../model/pools/pool.ts';
import type { ServedZone } from '../../model/publication/publication.ts';
import { maySeeAll, opensPool, opensZone, type TsigKey } from '../../model/tsig-keys/tsig-key.ts';

/** The client: a key with a valid signature, or undefined for an address in a network that needs no key. */
export type KnownClient = TsigKey | undefined;

/** The key alone decides which zones it opens, regardless of what refers to it. */
export function maySeeZone(visitor: KnownClient, zone: ServedZone): boolean {
  if (visitor !== undefined && !maySeeAll(visitor)) return false;
  if (visitor === undefined || opensZone(visitor, zone.id) || opensPool(visitor, zone.poolId)) return true;
  return zone.formerPoolId !== null && opensPool(visitor, zone.formerPoolId);
}

export function maySeeCatalog(visitor: KnownClient, pool: Pool): boolean {
  return visitor === undefined || opensPool(visitor, pool.id);
}
