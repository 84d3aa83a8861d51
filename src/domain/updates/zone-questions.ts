/** What the holder of a key for updates may ask about its zone. */
import { canonicalName, type Fqdn, type OwnerName } from '../../dns/names.ts';
import { parseOwnerName } from '../../dns/owner-name.ts';
import { isMeta, storedType, TYPE } from '../../dns/record-types.ts';
import { CLASS } from '../../dns/wire/codes.ts';
import type { WireRecord } from '../../dns/wire/record.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import { refusingKey } from '../../model/scopes/credential-scope.ts';
import type { ZoneAnswer, ZoneQuestion } from '../../model/updates/update.ts';
import type { Zone } from '../../model/zones/zone.ts';
import type { OpenUpdate } from './update-change.ts';

/** A zone that a key may change, and its scope. */
export type OpenedZone = Omit<OpenUpdate, 'update'>;

export function isInside(name: string, zone: Fqdn): boolean {
  return name === zone || name.endsWith(`.${zone}`);
}

/**
 * Whether a key may read the records of a name and type. The SOA leads to the zone; other records in the scope can be
 * found out by prerequisites.
 */
export function mayRead({ zone, scope }: OpenedZone, { name, type, address }: ZoneQuestion): boolean {
  if (!isInside(name, zone.name)) return false;
  if (type === TYPE.SOA) return true;
  if (isMeta(type) || !parseOwnerName(name).ok) return false;
  const request = { zone, name: name as OwnerName, type: storedType(type), address };
  return refusingKey(scope, request) === undefined;
}

/** The names whose recordsets the answer needs. */
export function namesFor({ name: apex }: Zone, { name, type }: ZoneQuestion): readonly OwnerName[] {
  return (type === TYPE.SOA ? [apex] : [apex, name]).map((one) => canonicalName(one));
}

function recordsOf(stored: readonly Recordset[], zone: Zone, name: string, type: number): WireRecord[] {
  const set = stored.find((one) => one.name === name && one.type === storedType(type));
  const { records, ttl } = set ?? { records: [], ttl: null };
  return records.map((rdata) => ({ name, type, class: CLASS.IN, ttl: ttl ?? zone.ttl, rdata }));
}

/** The answer from the recordsets at these names; undefined for a zone without an SOA. */
export function answerFrom(
  stored: readonly Recordset[],
  zone: Zone,
  { name, type }: ZoneQuestion,
): ZoneAnswer | undefined {
  const answers = recordsOf(stored, zone, name, type);
  if (answers.length > 0) return { answers, authority: [] };
  const authority = recordsOf(stored, zone, zone.name, TYPE.SOA);
  return authority.length > 0 ? { answers, authority } : undefined;
}
