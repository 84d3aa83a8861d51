/** Finds recordsets that a caller may change: any in the zone for its owner; their own for projects it is shared with. */

import { canonicalName } from '../../dns/names.ts';
import type { PolicyTarget } from '../../model/access/policy.ts';
import { hasHiddenRecordsets, limitsIn, limitsInZone } from '../../model/access/scope.ts';
import type { Clock } from '../../model/clock.ts';
import { type ConditionalOptions, requirePrecondition } from '../../model/context/options.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError, invalidObject } from '../../model/errors.ts';
import type { Protection, ProtectionRequest } from '../../model/protection/protection.ts';
import type {
  ListedRecordset,
  Recordset,
  RecordsetChanges,
  RecordsetDraft,
} from '../../model/recordsets/recordset.ts';
import { allowsZone, everyAllowsRecordset } from '../../model/scopes/credential-scope.ts';
import type { Store, Transaction } from '../../model/store.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { pipelined } from '../../runtime/pipelined.ts';
import type { AccessControl } from '../access/access-control.ts';
import { requestedProtection } from '../protection/protection.ts';
import { policyTarget, requireSeen, requireStaying } from '../zones/visible-zone.ts';

type RecordsetRule = 'get_recordset' | 'update_recordset' | 'delete_recordset';
type WritingRule = Exclude<RecordsetRule, 'get_recordset'>;

/** True for the recordsets at the apex that the service manages, and for any SOA. */
export function isManaged({ type, name }: Pick<Recordset, 'type' | 'name'>, zoneName: string): boolean {
  return type === 'SOA' || (type === 'NS' && name === zoneName);
}

/** @throws DomainError `managed_recordset` */
export function requireWritable(recordset: Pick<Recordset, 'type' | 'name' | 'managed'>, zone: Zone): void {
  if (recordset.managed || isManaged(recordset, zone.name)) throw new DomainError('managed_recordset');
}

/**
 * Rejects secondary zones, whose recordsets come from their masters.
 * @throws DomainError `secondary_zone`
 */
export function requirePrimary(zone: Zone): Zone {
  if (zone.type === 'SECONDARY') throw new DomainError('secondary_zone');
  return zone;
}

/** The recordset, unless a scope of the caller hides it. */
export function readable<R extends Recordset>(
  { scope }: RequestContext,
  zone: Zone,
  recordset: R | undefined,
): R | undefined {
  if (recordset === undefined) return undefined;
  return everyAllowsRecordset(limitsInZone(scope, zone), recordset, zone.name) ? recordset : undefined;
}

const HIDDEN_LOCATION = 'Other records, which your scope hides, do not allow a recordset here.';

/** Why a recordset is not allowed at its name. */
export interface Misplacement {
  readonly message: string;
  /** The separate zone to which the name belongs, if any. */
  readonly childZone: string | undefined;
}

/** Whether a scope of the caller's credential shows a zone that is known by its name alone. */
function showsZone({ scope }: RequestContext, name: string): boolean {
  const limits = limitsIn(scope);
  // Its id is not known here, so only patterns can allow it.
  return limits?.zones === undefined || allowsZone(limits, { id: '', name: canonicalName(name) });
}

/** Why a recordset is not allowed at its name, without the records and zones that a scope of the caller hides. */
export function shownMisplacement(
  context: RequestContext,
  zone: Zone,
  { message, childZone }: Misplacement,
): string {
  const isHidden = childZone !== undefined && !showsZone(context, childZone);
  return isHidden || hasHiddenRecordsets(context.scope, zone) ? HIDDEN_LOCATION : message;
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
  rule: RecordsetRule,
  { zone, recordset }: { readonly zone: Zone; readonly recordset: Recordset | undefined },
): void {
  const target = recordsetTarget(context, zone, recordset);
  if (recordset === undefined) access.requirePossible(context, rule, target);
  else access.require(context, rule, target);
}

function recordsetTarget(
  context: RequestContext,
  zone: Zone,
  recordset: Recordset | undefined,
): PolicyTarget {
  const recordsetProjectId = recordset?.projectId ?? context.projectId;
  const { name, type } = recordset ?? {};
  return {
    recordsetProjectId,
    recordsetName: name,
    recordsetType: type,
    ...policyTarget(context, zone),
  };
}

/**
 * Checks the rule for a new recordset in a zone, which it returns.
 * @throws DomainError `zone_not_found` or `access_denied`
 */
export function requireCreatable(
  access: AccessControl,
  context: RequestContext,
  found: Zone | undefined,
  { name, type }: Pick<RecordsetDraft, 'name' | 'type'>,
): Zone {
  const zone = requireSeen(found);
  const target = policyTarget(context, zone);
  access.require(context, 'create_recordset', { recordsetName: name, recordsetType: type, ...target });
  return zone;
}

/**
 * The protection that a recordset gets.
 * @param recordset undefined for a new one
 * @throws DomainError `access_denied`; `invalid_object` for a reason without protection
 */
export function protectionOf(
  access: AccessControl,
  context: RequestContext,
  { zone, recordset }: { readonly zone: Zone; readonly recordset?: Recordset },
  asked: ProtectionRequest | undefined,
): Protection | null {
  const target = recordsetTarget(context, zone, recordset);
  return requestedProtection(access, context, target, recordset?.protection ?? null, asked);
}

/**
 * @param present when it expires now
 * @throws DomainError `invalid_object` if a recordset would expire in the past
 */
export function requireFuture(
  { expiresAt }: Pick<RecordsetChanges, 'expiresAt'>,
  clock: Clock,
  present: string | null = null,
): void {
  if (expiresAt == null || expiresAt === present || expiresAt > clock.now()) return;
  throw invalidObject([{ path: ['expires_at'], message: 'Must be in the future, or null.' }]);
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
  // In this order: the recordset is read once the zone is locked.
  const [locked, stored] = await pipelined(
    tx.zones.lock(zoneId, context.scope),
    tx.recordsets.find(zoneId, id),
  );
  const zone = requireSeen(locked);
  const found = readable(context, zone, stored);
  requireRecordsetRule(access, context, rule, { zone, recordset: found });
  if (found !== undefined && precondition !== undefined)
    requirePrecondition({ precondition }, requireFound(await tx.recordsets.findListed(zone.id, id)));
  requirePrimary(requireStaying(zone));
  const recordset = requireFound(found);
  requireWritable(recordset, zone);
  return { zone, recordset };
}

/** Without the name of the zone that hides the recordset, if the scope of the caller's credential hides that zone. */
export function shownHider<R extends ListedRecordset>(context: RequestContext, recordset: R): R {
  const { hiddenBy } = recordset;
  return !hiddenBy || showsZone(context, hiddenBy) ? recordset : { ...recordset, hiddenBy: null };
}

/** Adds the zone that hides a recordset, if any. */
export async function withHider(
  store: Pick<Store, 'recordsets'>,
  context: RequestContext,
  recordset: ListedRecordset,
): Promise<ListedRecordset> {
  const [found] = await store.recordsets.withHiders([recordset], context.projectId);
  return shownHider(context, found!);
}
