/** The TSIG keys that the owner of a zone makes for it. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { RequestContext } from '../../model/context/request-context.ts';
import { DomainError, type Fault, invalidObject } from '../../model/errors.ts';
import type { Transaction } from '../../model/store.ts';
import {
  isBase64Secret,
  MAX_KEYS_OF_ZONE,
  type NewTsigKey,
  parseZoneKeyName,
  type TsigKey,
  type TsigKeyDraft,
} from '../../model/tsig-keys/tsig-key.ts';
import type { Zone } from '../../model/zones/zone.ts';
import type { AccessControl } from '../access/access-control.ts';
import { isReachedByShare, policyTarget, requireStaying } from '../zones/visible-zone.ts';

/** 256 bits, as many as the default algorithm uses. */
const SECRET_BYTES = 32;

const NOT_BASE64 = 'Use base64 (RFC 4648, padded), or omit it: the service then makes a secret.';
const MANY = `The zone has ${MAX_KEYS_OF_ZONE} TSIG keys, and can have no more. Delete one first.`;

/** The draft with an algorithm and a secret. */
export function completed(draft: NewTsigKey): TsigKeyDraft {
  const { algorithm = 'hmac-sha256', secret = randomBytes(SECRET_BYTES).toString('base64') } = draft;
  return { ...draft, algorithm, secret };
}

/**
 * Locks a zone of the project acted for. One that is shared with it is another project's.
 * @throws DomainError `zone_not_found`, `access_denied`, `zone_leaving`
 */
export async function lockOwnZone(
  tx: Transaction,
  access: AccessControl,
  context: RequestContext,
  id: string,
): Promise<Zone> {
  const zone = await tx.zones.lock(id, context.scope);
  if (zone === undefined || isReachedByShare(context, zone)) throw new DomainError('zone_not_found');
  access.require(context, 'create_zone_tsigkey', policyTarget(context, zone));
  return requireStaying(zone);
}

/** @throws DomainError `invalid_object` with all faults of the name and the secret */
export function keyOfZone(draft: TsigKeyDraft, zone: Zone, now: string): TsigKey {
  const faults: Fault[] = [];
  const name = parseZoneKeyName(draft, zone.name);
  if (!name.ok) faults.push({ path: ['name'], message: name.reason });
  if (!isBase64Secret(draft.secret)) faults.push({ path: ['secret'], message: NOT_BASE64 });
  if (!name.ok || faults.length > 0) throw invalidObject(faults);
  const { projectId } = zone;
  const always = { id: randomUUID(), projectId, createdAt: now, updatedAt: null };
  return { ...draft, ...name.value, ...always };
}

/**
 * @param keys the keys of a locked zone
 * @throws DomainError `over_quota` if the zone can have no more keys of its owner
 */
export function requireFewKeys(keys: readonly TsigKey[]): void {
  const own = keys.filter(({ projectId }) => projectId !== undefined);
  if (own.length >= MAX_KEYS_OF_ZONE) throw new DomainError('over_quota', MANY);
}
