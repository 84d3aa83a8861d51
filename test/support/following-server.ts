import { RCODE } from '../../src/dns/wire/codes.ts';
import type { Store } from '../../src/model/store.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import type { ScriptedServer } from './name-server.ts';

/** The server fetches the zone whenever it is offered to its pools, as one with a catalog does. */
export function followPools(
  { publications }: Pick<Store, 'publications'>,
  { name }: Pick<Zone, 'name'>,
  server: ScriptedServer,
  poolIds: () => readonly string[],
): void {
  let serial: number | undefined;
  let isLearning = false;
  const learn = async () => {
    isLearning = true;
    const served = await publications.served(name);
    const isOffered = poolIds().some((id) => id === served?.poolId || id === served?.formerPoolId);
    serial = isOffered ? served!.serial : undefined;
  };
  server.answer = () => {
    // One question after the other; the store may be gone by then.
    const end = () => {
      isLearning = false;
    };
    if (!isLearning) void learn().then(end, end);
    return serial === undefined ? { rcode: RCODE.REFUSED } : { serial };
  };
}
