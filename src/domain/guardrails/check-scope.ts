import type { OwnerName } from '../../dns/names.ts';
import type { GuardrailModes } from '../../model/guardrails/guardrail.ts';
import type { GuardrailReads } from '../../model/guardrails/store.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { NameAfter } from './existence.ts';
import type { ZoneAfter } from './zone-after.ts';

/** What the checks of one change have in common. */
export interface CheckScope {
  readonly reads: GuardrailReads;
  readonly zone: Zone;
  readonly after: ZoneAfter;
  readonly modes: GuardrailModes;
  /** The targets of the zone's own NS records. */
  readonly nameServers: readonly string[];
  /** True if the caller may only see this zone of its owner's. */
  readonly isByShare: boolean;
  /** The names that stored recordsets may need, among those of the parts that are checked; undefined if it is not known. */
  readonly needed?: ReadonlySet<OwnerName> | undefined;
  /** A name after the change; undefined if it is in no zone of the project that the caller may know of. */
  nameAfter(name: OwnerName): Promise<NameAfter | undefined>;
}

/** Number of names whose surroundings are kept. */
const MAX_KEPT = 1000;

/** Completes a scope with `nameAfter`, which remembers the last names. */
export function scopeOver(common: Omit<CheckScope, 'nameAfter'>): CheckScope {
  const { reads, zone, after, isByShare } = common;
  const found = new Map<OwnerName, Promise<NameAfter | undefined>>();

  async function lookUp(name: OwnerName): Promise<NameAfter | undefined> {
    const around = await reads.around(name);
    if (around === undefined || around.zone.projectId !== zone.projectId) return undefined;
    return isByShare && around.zone.id !== zone.id ? undefined : new NameAfter(name, around, after);
  }

  return {
    ...common,
    nameAfter(name) {
      const known = found.get(name) ?? lookUp(name);
      if (found.size >= MAX_KEPT) found.clear();
      found.set(name, known);
      return known;
    },
  };
}
