/** Finds zones that a caller may use: they are within its scope, and the policy allows the rule. */

import type { PolicyTarget } from '../../model/access/policy.ts';
import type { RuleName } from '../../model/access/rule-name.ts';
import { type ConditionalOptions, requirePrecondition } from '../../model/context/options.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError } from '../../model/errors.ts';
import type { Store, Transaction } from '../../model/store.ts';
import type { Zone } from '../../model/zones/zone.ts';
import type { AccessControl } from '../access/access-control.ts';

/** True if the caller can access the zone only through a share. */
export function isReachedByShare(context: RequestContext, zone: Pick<Zone, 'projectId'>): boolean {
  return context.scope !== 'all projects' && context.scope.projectId !== zone.projectId;
}

/** A zone as the target of policy rules. */
export function policyTarget(
  context: RequestContext,
  zone: Pick<Zone, 'id' | 'projectId' | 'name' | 'type' | 'shareScope'>,
): PolicyTarget {
  const { id: zoneId, projectId, name, type, shareScope } = zone;
  const zoneShared = isReachedByShare(context, zone) ? 'True' : 'False';
  return { projectId, zoneId, zoneShared, shareScope, zoneName: name, zoneType: type };
}

/** @throws DomainError `zone_not_found` if there is no such zone within the scope of the request */
export function requireSeen(zone: Zone | undefined): Zone {
  if (zone === undefined) throw new DomainError('zone_not_found');
  return zone;
}

export function requireVisible(
  access: AccessControl,
  context: RequestContext,
  rule: RuleName,
  zone: Zone | undefined,
): Zone {
  const seen = requireSeen(zone);
  access.require(context, rule, policyTarget(context, seen));
  return seen;
}

/** @throws DomainError `zone_not_found` or `access_denied` */
export async function getZone(
  store: Pick<Store, 'zones'>,
  access: AccessControl,
  context: RequestContext,
  rule: RuleName,
  id: string,
): Promise<Zone> {
  return requireVisible(access, context, rule, await store.zones.find(id, context.scope));
}

/**
 * Like `getZone`, but locks the zone for this transaction, even if it is pending removal.
 * @throws DomainError also `precondition_failed`
 */
export async function lockAnyZone(
  tx: Transaction,
  access: AccessControl,
  context: RequestContext,
  rule: RuleName,
  id: string,
  options: ConditionalOptions = {},
): Promise<Zone> {
  const zone = requireVisible(access, context, rule, await tx.zones.lock(id, context.scope));
  if (options.precondition === undefined) return zone;
  // While waiting for the lock, data of the zone in other tables may have changed: its masters, its shares.
  const present = requireSeen(await tx.zones.find(id, context.scope));
  requirePrecondition(options, present);
  return present;
}

/**
 * Rejects a zone that is pending removal: it can be seen, but not changed.
 * @throws DomainError `zone_leaving`
 */
export function requireStaying(zone: Zone): Zone {
  if (zone.action === 'DELETE') throw new DomainError('zone_leaving');
  return zone;
}

/**
 * Like `lockAnyZone`, but rejects a zone that is pending removal.
 * @throws DomainError `zone_not_found`, `access_denied`, `precondition_failed` or `zone_leaving`
 */
export async function lockZone(
  tx: Transaction,
  access: AccessControl,
  context: RequestContext,
  rule: RuleName,
  id: string,
  options: ConditionalOptions = {},
): Promise<Zone> {
  return requireStaying(await lockAnyZone(tx, access, context, rule, id, options));
}
