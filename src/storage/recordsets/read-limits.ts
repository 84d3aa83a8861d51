/** Which recordsets a scope lets read. */
import type { Fqdn, OwnerName } from '../../dns/names.ts';
import { limitsInZone, type ReadLimits, type Scope } from '../../model/access/scope.ts';
import type { ListedRecordset } from '../../model/recordsets/recordset.ts';
import type { RecordsetsOfZone } from '../../model/recordsets/store.ts';
import { allowsRecordset, allowsZone } from '../../model/scopes/credential-scope.ts';
import type { Narrowing } from '../lists/narrowed.ts';

interface PlacedRecordset {
  readonly zoneId: string;
  readonly zoneName: string;
  readonly name: OwnerName;
  readonly type: string;
}

/** Whether every one of the limits allows to read a recordset. */
export function everyAllowsReading(limits: readonly ReadLimits[], recordset: PlacedRecordset): boolean {
  const { zoneId: id, zoneName } = recordset;
  const name = zoneName as Fqdn;
  return limits.every((one) => allowsZone(one, { id, name }) && allowsRecordset(one, recordset, name));
}

function limitsOf(within: Scope | RecordsetsOfZone): readonly ReadLimits[] {
  if (within !== 'all projects' && 'zoneId' in within) return within.within ?? [];
  return limitsInZone(within, {});
}

export function isWithin(within: Scope | RecordsetsOfZone, recordset: PlacedRecordset): boolean {
  return everyAllowsReading(limitsOf(within), recordset);
}

/** Undefined if nothing narrows the list. */
export function narrowingIn(within: Scope | RecordsetsOfZone): Narrowing<ListedRecordset> | undefined {
  const limits = limitsOf(within);
  if (limits.length === 0) return undefined;
  return (recordsets) => recordsets.filter((one) => everyAllowsReading(limits, one));
}
