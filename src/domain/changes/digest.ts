import { createHash } from 'node:crypto';
import { type ChangedProperties, type RecordsetState, stateOf } from '../../model/changes/change-set.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { eachInTurns, type TimeSlices } from '../../runtime/cooperative-yield.ts';
import type { PlannedEffect } from './targets.ts';

function members({ ttl, records, description }: RecordsetState): unknown {
  return [ttl, records, description];
}

function side(recordset: Recordset | undefined): unknown {
  return recordset === undefined ? null : members(stateOf(recordset));
}

/** The project that a new recordset belongs to. */
function creatorOf({ effect, after }: PlannedEffect): string | null {
  return effect === 'create' ? (after?.projectId ?? null) : null;
}

/**
 * The digest of what a set does: the same effects on the same zone have the same digest.
 * @param targets in order
 * @param warned names of the guardrails that warned
 */
export async function digestOf(
  zone: Zone,
  targets: readonly PlannedEffect[],
  warned: readonly string[],
  turns: TimeSlices,
  properties: ChangedProperties = zone,
): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([zone.id, [...new Set(warned)].sort()]));
  if (properties.ttl !== zone.ttl) hash.update(JSON.stringify({ ttl: [zone.ttl, properties.ttl] }));
  const add = (target: PlannedEffect): void => {
    const { effect, name, type, before, after } = target;
    if (effect === 'unchanged') return;
    hash.update(JSON.stringify([name, type, side(before), side(after), creatorOf(target)]));
  };
  await eachInTurns(targets, add, turns);
  return `sha256:${hash.digest('hex')}`;
}
