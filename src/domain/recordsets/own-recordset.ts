/** Finds recordsets that a caller may change: any in the zone for its owner; their own for projects it is shared with. */

import { type ConditionalOptions, requirePrecondition } from '../../model/context/options.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError } from '../../model/errors.ts';
import type { ListedRecordset, Recordset } from '../../model/recordsets/recordset.ts';
import type { Store, Transaction } from '../../model/store.ts';
import type { Zone } from '../../model/zones/zone.ts';
import type { AccessControl } from '../access/access-control.ts';
import { policyTarget, requireSeen, requireStaying } from '../zones/visible-zone.ts';

type WritingRule = 'update_recordset' | 'delete_recordset';

/** @throws DomainError `managed_recordset` */
export function requireWritable(
  { type, name, managed }: Pick<Recordset, 'type' | 'name' | 'managed'>,
  zone: Zone,
): void {
  if (managed || type === 'SOA' || (type === 'NS' && name === zone.name)) {
    throw new DomainError('managed_recordset');
  }
}

/**
 * Rejects secondary zones, whose recordsets come from their masters.
 * @throws DomainError `secondary_zone`
 */
export function requirePrimary(zone: Zone): Zone {
  if (zone.type === 'SECONDARY') throw new DomainError('secondary_zone');
  return zone;
}

/** @throws DomainError `recordset_not_found` */
export function requireFound<R extends Recordset>(recordset: R | undefined): R {
  if (recordset === undefined) throw new DomainError('recordset_not_found');
  return recordset;
}

/**
 * Checks the rule for a recordset of a zone. A missing recordset is treated as the caller's own, so that it is reported
 * as not found.
 * @throws DomainError `access_denied`
 */
export function requireRecordsetRule(
  access: AccessControl,
  context: RequestContext,
  rule: WritingRule,
  { zone, recordset }: { readonly zone: Zone; readonly recordset: Recordset | undefined },
): void {
  const recordsetProjectId = recordset?.projectId ?? context.projectId;
  access.require(context, rule, { ...policyTarget(context, zone), recordsetProjectId });
}

/**
 * Finds a recordset, and locks its zone for this transaction.
 * @throws DomainError `zone_not_found`, `access_denied`, `precondition_failed`, `zone_leaving`, `secondary_zone`,
 *   `recordset_not_found` or `managed_recordset`
 */
export async function lockRecordset(
  tx: Transaction,
  access: AccessControl,
  context: RequestContext,
  rule: WritingRule,
  { zoneId, id, precondition }: { readonly zoneId: string; readonly id: string } & ConditionalOptions,
): Promise<{ readonly zone: Zone; readonly recordset: Recordset }> {
  const zone = requireSeen(await tx.zones.lock(zoneId, context.scope));
  const found = await tx.recordsets.find(zone.id, id);
  requireRecordsetRule(access, context, rule, { zone, recordset: found });
  if (found !== undefined && precondition !== undefined)
    requirePrecondition({ precondition }, requireFound(await tx.recordsets.findListed(zone.id, id)));
  requirePrimary(requireStaying(zone));
  const recordset = requireFound(found);
  requireWritable(recordset, zone);
  return { zone, recordset };
}

/** Adds the zone that hides a recordset, if any. */
export async function withHider(
  store: Pick<Store, 'recordsets'>,
  { projectId }: RequestContext,
  recordset: ListedRecordset,
): Promise<ListedRecordset> {
  return (await store.recordsets.withHiders([recordset], projectId))[0]!;
}
