/** What the scopes of the caller hide of a set of changes: that of its credential, and of the share of the zone. */
import type { OwnerName } from '../../dns/names.ts';
import type { RuleName } from '../../model/access/rule-name.ts';
import { limitsIn, limitsInZone } from '../../model/access/scope.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import {
  everyAllowsRecordset,
  refusingKey,
  type ScopedRequest,
} from '../../model/scopes/credential-scope.ts';
import type { Zone } from '../../model/zones/zone.ts';
import type { RefusalByScope } from '../access/scoped-rules.ts';
import { pathOf } from './faults.ts';
import type { Intent } from './intents.ts';
import type { StoredNames } from './stored-names.ts';
import { type PlannedEffect, withFault } from './targets.ts';

function scopeMessage({ key, isOfShare }: RefusalByScope): string {
  const what = isOfShare ? 'share' : 'credential';
  return `The scope of the ${what} does not allow this change: "${key}" refuses it.`;
}

/** @param refusal undefined if the rule refuses */
export function messageOfDenial(rule: RuleName, refusal: RefusalByScope | undefined): string {
  return refusal === undefined ? `The rule ${rule} does not allow this change.` : scopeMessage(refusal);
}

/** The stored recordsets at a name, without those that the scopes of the caller hide. */
export function visibleAt({ scope }: RequestContext, zone: Zone, stored: StoredNames) {
  const limits = limitsInZone(scope, zone);
  if (limits.length === 0) return (name: OwnerName) => stored.at(name);
  return (name: OwnerName) => stored.at(name).filter((one) => everyAllowsRecordset(limits, one, zone.name));
}

/** The key that hides a name or a type from the caller. */
function hidingKey({ scope }: RequestContext, zone: Zone, about: ScopedRequest): RefusalByScope | undefined {
  const ofCredential = refusingKey(limitsIn(scope) ?? {}, about);
  if (ofCredential !== undefined) return { key: ofCredential, isOfShare: false };
  const ofShare = refusingKey(zone.shareScope ?? {}, about);
  return ofShare && { key: ofShare, isOfShare: true };
}

/** The refusal of what the scopes of the caller hide. It tells nothing of what is there. */
export function hiddenTarget(
  context: RequestContext,
  zone: Zone,
  { name, type, positions, mayCreate }: Intent,
): PlannedEffect | undefined {
  const refusal = hidingKey(context, zone, { zone, name, type });
  if (refusal === undefined) return undefined;
  const target = { name, type: type ?? null, positions, before: undefined, after: undefined, wanted: null };
  const fault = {
    kind: 'access_denied',
    message: scopeMessage(refusal),
    path: pathOf(positions[0]),
  } as const;
  const effect = mayCreate ? 'create' : 'delete';
  return withFault({ ...target, effect, faults: [], warnings: [] }, fault);
}
