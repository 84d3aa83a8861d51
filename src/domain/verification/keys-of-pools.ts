import { keyNamesOf, type Pool } from '../../model/pools/pool.ts';
import { isKeyNameOf, opensPool, type TsigKey } from '../../model/tsig-keys/tsig-key.ts';
import type { Finding, StoredTsigKey, VerificationReads } from '../../model/verification/stored.ts';
import { paged } from './pages.ts';

type ReportKeyFindings = (findings: readonly Finding[]) => Promise<void>;

/** A key of a project belongs to one of its zones, and ends with it. */
function ownerFault({ key: { projectId, scope, name }, zone }: StoredTsigKey): string | undefined {
  if (projectId === undefined) return undefined;
  if (scope !== 'ZONE' || zone?.projectId !== projectId)
    return `It is a key of the project ${projectId}, but not of one of its zones: delete it.`;
  return isKeyNameOf(name, zone.name) ? undefined : `Its name is not a label below ${zone.name}: delete it.`;
}

function keyFindings(stored: StoredTsigKey): readonly Finding[] {
  const { id, name } = stored.key;
  const fault = ownerFault(stored);
  if (fault !== undefined) return [{ about: 'TSIG key', id, name, fault }];
  return resourceFindings(stored);
}

function resourceFindings({ key, resource }: StoredTsigKey): readonly Finding[] {
  const { id, name, scope, resourceId } = key;
  if (resource === 'nothing' || resource === scope) return [];
  const fault = `It has the scope ${scope}, but ${resourceId} is the id of a ${resource.toLowerCase()}: it opens nothing.`;
  return [{ about: 'TSIG key', id, name, fault, isNotice: true }];
}

/** Keys that a pool uses for itself or its catalog zone, but that the hidden primary does not accept for it. */
function poolFindings(pool: Pool, keys: readonly TsigKey[]): readonly Finding[] {
  const { id, name } = pool;
  return keyNamesOf(pool).flatMap((wanted): Finding[] => {
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
  const pools = await reads.pools();
  const named = new Set(pools.flatMap(keyNamesOf));
  const keys: TsigKey[] = [];
  for await (const stored of paged(reads.tsigKeys)) {
    await tell(keyFindings(stored));
    if (named.has(stored.key.name)) keys.push(stored.key);
  }
  await tell(pools.flatMap((pool) => poolFindings(pool, keys)));
}
