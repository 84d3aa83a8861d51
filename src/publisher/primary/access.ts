/** Who may see what. */
import type { Pool } from '../../model/pools/pool.ts';
import type { ServedZone } from '../../model/publication/publication.ts';
import { opensPool, opensZone, type TsigKey } from '../../model/tsig-keys/tsig-key.ts';

/** Who asks: a key whose signature is right, or, for undefined, an address in a network that is answered without. */
export type Visitor = TsigKey | undefined;

/** What a key opens is in the key alone, whatever names it. */
export function maySeeZone(visitor: Visitor, zone: ServedZone): boolean {
  if (visitor === undefined || opensZone(visitor, zone.id) || opensPool(visitor, zone.poolId)) return true;
  return zone.formerPoolId !== null && opensPool(visitor, zone.formerPoolId);
}

export function maySeeCatalog(visitor: Visitor, pool: Pool): boolean {
  return visitor === undefined || opensPool(visitor, pool.id);
}
