/** The guardrails about new targets: `dangling_target` and `lame_delegation`. */
import type { OwnerName } from '../../dns/names.ts';
import type { ContentChange } from '../../model/changes/contents.ts';
import { isPointingType } from '../../model/guardrails/targets.ts';
import type { CheckScope } from './check-scope.ts';
import { naming } from './in-use.ts';
import { newTargets } from './zone-after.ts';

export function pointsAnywhere({ kind, recordset: { type } }: ContentChange): boolean {
  return kind !== 'removed' && isPointingType(type);
}

/** @param part one that points anywhere */
export async function danglingTargets(scope: CheckScope, part: ContentChange): Promise<readonly string[]> {
  const check = async (target: OwnerName): Promise<readonly string[]> => {
    const found = await scope.nameAfter(target);
    if (found === undefined || (await found.hasAnything(scope.reads))) return [];
    return [
      `${naming(part.recordset)} points at "${target}", but the zone "${found.zone.name}" has nothing at that name. Create a recordset there first, or correct the target.`,
    ];
  };
  return (await Promise.all(newTargets(part).map(check))).flat();
}

/** Whether the part makes or changes a delegation. */
export function delegates({ kind, recordset: { type } }: ContentChange): boolean {
  return kind !== 'removed' && type === 'NS';
}

/** @param part one that delegates */
export async function lameDelegation(
  { reads, zone, nameServers }: CheckScope,
  part: ContentChange,
): Promise<readonly string[]> {
  const { name } = part.recordset;
  if (name === zone.name) return [];
  const own = newTargets(part).find((target) => nameServers.includes(target));
  if (own === undefined || (await reads.hasZone(zone.projectId, name))) return [];
  return [
    `${naming(part.recordset)} names "${own}", a name server of this service, but the project has no zone "${name}" here. Create that zone first, or name the servers that have it.`,
  ];
}
