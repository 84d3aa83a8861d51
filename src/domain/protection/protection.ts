/** Protected zones and recordsets: who may protect them, and what is refused while they are protected. */
import { isDeepStrictEqual } from 'node:util';
import type { PolicyTarget } from '../../model/access/policy.ts';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError, invalidObject } from '../../model/errors.ts';
import type { Protection, ProtectionRequest } from '../../model/protection/protection.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import type { Transaction } from '../../model/store.ts';
import type { Zone } from '../../model/zones/zone.ts';
import type { AccessControl } from '../access/access-control.ts';

const UNPROTECTED_REASON =
  'Only a protected resource has a reason. Set "protected": true, or omit the reason.';
const WHAT_TO_DO = 'Set "protected": false first, in a request of its own.';

type ProtectedRecordset = Pick<Recordset, 'name' | 'type' | 'protection'>;

function because({ reason }: Protection): string {
  return reason ? ` (${reason})` : '';
}

/** Why a recordset must not be changed or deleted, and what to do about it; undefined if it is not protected. */
export function protectionFault({ name, type, protection }: ProtectedRecordset): string | undefined {
  if (protection === null) return undefined;
  return `The recordset ${name} ${type} is protected${because(protection)}. ${WHAT_TO_DO}`;
}

/** @throws DomainError `protected` */
export function requireUnprotected(recordset: ProtectedRecordset): void {
  const fault = protectionFault(recordset);
  if (fault !== undefined) throw new DomainError('protected', fault);
}

/**
 * Rejects a change of a protected recordset, unless its protection is all that changes.
 * @throws DomainError `protected`
 */
export function requireOnlyProtectionChanges(before: Recordset, after: Recordset): void {
  if (before.protection === null) return;
  const { ttl, description, expiresAt, records, spellings } = after;
  const isSame = isDeepStrictEqual({ ...before, ttl, description, expiresAt, records, spellings }, before);
  if (!isSame) requireUnprotected(before);
}

/** @throws DomainError `protected` */
export function requireUnprotectedZone({ name, protection }: Pick<Zone, 'name' | 'protection'>): void {
  if (protection === null) return;
  throw new DomainError('protected', `The zone ${name} is protected${because(protection)}. ${WHAT_TO_DO}`);
}

/**
 * Rejects the deletion of a locked zone, or its transfer to another project, if it or one of its recordsets is protected.
 * @throws DomainError `protected`
 */
export async function requireNothingProtected(tx: Transaction, zone: Zone): Promise<void> {
  requireUnprotectedZone(zone);
  const recordset = await tx.recordsets.findProtected(zone.id);
  if (recordset !== undefined) requireUnprotected(recordset);
}

/**
 * The protection that a resource gets.
 * @param present its present protection; null for a new resource
 * @param target the resource as the target of `update_protection`, which is checked if the protection changes
 * @throws DomainError `access_denied`; `invalid_object` for a reason without protection
 */
export function requestedProtection(
  access: Pick<AccessControl, 'require'>,
  context: RequestContext,
  target: PolicyTarget,
  present: Protection | null,
  asked: ProtectionRequest = {},
): Protection | null {
  const { isProtected = present !== null } = asked;
  const { reason = isProtected && present !== null ? present.reason : null } = asked;
  if (isProtected === (present !== null) && reason === (present?.reason ?? null)) return present;
  access.require(context, 'update_protection', target);
  if (isProtected) return { reason };
  if (reason !== null) throw invalidObject([{ path: ['protection_reason'], message: UNPROTECTED_REASON }]);
  return null;
}
