/** What the scope of the caller's credential hides of a set of changes. */
import type { OwnerName } from '../../dns/names.ts';
import type { RuleName } from '../../model/access/rule-name.ts';
import { limitsIn } from '../../model/access/scope.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { allowsRecordset, refusingKey } from '../../model/scopes/credential-scope.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { pathOf } from './faults.ts';
import type { Intent } from './intents.ts';
import type { StoredNames } from './stored-names.ts';
import { type PlannedEffect, withFault } from './targets.ts';

function scopeMessage(key: string): string {
  return `The scope of the credential does not allow this change: "${key}" refuses it.`;
}

/** @param key the key of the scope that refuses; undefined if the rule does */
export function messageOfDenial(rule: RuleName, key: string | undefined): string {
  return key === undefined ? `The rule ${rule} does not allow this change.` : scopeMessage(key);
}

/** The stored recordsets at a name, without those that the scope of the caller's credential hides. */
export function visibleAt({ scope }: RequestContext, zone: Zone, stored: StoredNames) {
  const limits = limitsIn(scope);
  if (limits === undefined) return (name: OwnerName) => stored.at(name);
  return (name: OwnerName) => stored.at(name).filter((one) => allowsRecordset(limits, one, zone.name));
}

/** The refusal of what the scope of the caller's credential hides. It tells nothing of what is there. */
export function hiddenTarget(
  { scope }: RequestContext,
  zone: Zone,
  { name, type, positions, mayCreate }: Intent,
): PlannedEffect | undefined {
  const limits = limitsIn(scope);
  if (limits === undefined) return undefined;
  const key = refusingKey(limits, { zone, name, type });
  if (key === undefined) return undefined;
  const target = { name, type: type ?? null, positions, before: undefined, after: undefined, wanted: null };
  const fault = { kind: 'access_denied', message: scopeMessage(key), path: pathOf(positions[0]) } as const;
  const effect = mayCreate ? 'create' : 'delete';
  return withFault({ ...target, effect, faults: [], warnings: [] }, fault);
}
