import type { Pool } from '../../model/pools/pool.ts';
import { opensPool, type TsigKey } from '../../model/tsig-keys/tsig-key.ts';
import type { Finding, StoredTsigKey, VerificationReads } from '../../model/verification/stored.ts';

type ReportKeyFindings = (findings: readonly Finding[]) => Promise<void>;

function resourceFindings({ key, resource }: StoredTsigKey): readonly Finding[] {
  const { id, name, scope, resourceId } = key;
  if (resource === 'nothing' || resource === scope) return [];
  const fault = `It has the scope ${scope}, but ${resourceId} is the id of a ${resource.toLowerCase()}: it opens nothing.`;
  return [{ about: 'TSIG key', id, name, fault }];
}

/** Keys that a pool uses for itself or its catalog zone, but that the hidden primary does not accept for it. */
function poolFindings(
  { id, name, tsigKey, catalogZone }: Pool,
  keys: readonly TsigKey[],
): readonly Finding[] {
  const names = new Set([tsigKey, catalogZone?.tsigKey ?? null]);
  return [...names].flatMap((wanted): Finding[] => {
    if (wanted === null) return [];
    const key = keys.find((one) => one.name === wanted);
    if (key !== undefined && opensPool(key, id)) return [];
    const what =
      key === undefined ? 'does not exist' : `is one of the ${key.scope.toLowerCase()} ${key.resourceId}`;
    return [{ about: 'pool', id, name, fault: `Its TSIG key ${wanted} ${what}.` }];
  });
}

/** Verifies that each TSIG key matches its resource, and the pools that use it. */
export async function verifyKeys(
  reads: Pick<VerificationReads, 'pools' | 'tsigKeys'>,
  tell: ReportKeyFindings,
): Promise<void> {
  const stored = await reads.tsigKeys();
  await tell(stored.flatMap(resourceFindings));
  const keys = stored.map(({ key }) => key);
  await tell((await reads.pools()).flatMap((pool) => poolFindings(pool, keys)));
}
