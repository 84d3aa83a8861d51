/** What a create reports of blacklists that its name matches, and that did not block it. */
import type { OwnerName } from '../../dns/names.ts';
import { NOTHING_NON_ENFORCING } from '../../model/blacklists/noted.ts';
import type { AppliedUpdate } from '../../model/changes/zone-change.ts';
import type { GuardrailOutcome } from '../../model/guardrails/guardrail.ts';
import type { Surroundings } from '../../model/recordsets/recordset-location.ts';
import type { Zone } from '../../model/zones/zone.ts';
import type { Admission } from '../blacklists/name-admission.ts';
import { zoneTarget } from '../events/zone-target.ts';
import { type Emit, StaleRevision } from '../unit-of-work/unit-of-work.ts';

interface OwnerNameMatches extends Pick<Admission, 'noted'> {
  readonly bypassed?: string | undefined;
}

export const NO_MATCHES: OwnerNameMatches = { noted: NOTHING_NON_ENFORCING };

/** @throws StaleRevision if the name was in use when it was checked, but is no longer */
export function matchesOf(admission: Admission | undefined, isNew: boolean): OwnerNameMatches {
  if (admission === undefined || !isNew) return NO_MATCHES;
  if (admission.isInUse) throw new StaleRevision();
  return admission;
}

export function isNewName(name: OwnerName, { atOrAbove }: Surroundings): boolean {
  return atOrAbove.every((other) => other.name !== name);
}

export function emitCreated(
  emit: Emit,
  zone: Zone,
  applied: AppliedUpdate & GuardrailOutcome,
  { bypassed, noted }: OwnerNameMatches,
): void {
  const target = zoneTarget(zone);
  if (bypassed !== undefined)
    emit({ type: 'recordset.created_blacklisted', target, ...applied, blacklistId: bypassed });
  else if (noted.found > 0) emit({ type: 'recordset.created_noted', target, ...applied, noted });
  else emit({ type: 'recordset.created', target, ...applied });
}
