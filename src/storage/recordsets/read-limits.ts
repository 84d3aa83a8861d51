/** Which recordsets a scope lets read. */
import type { Fqdn, OwnerName } from '../../dns/names.ts';
import { limitsIn, type ReadLimits, type Scope } from '../../model/access/scope.ts';
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

export function allowsReading(limits: ReadLimits, recordset: PlacedRecordset): boolean {
  const { zoneId: id, zoneName } = recordset;
  const name = zoneName as Fqdn;
  return allowsZone(limits, { id, name }) && allowsRecordset(limits, recordset, name);
}

function limitsOf(within: Scope | RecordsetsOfZone): ReadLimits | undefined {
  return within !== 'all projects' && 'zoneId' in within ? within.only : limitsIn(within);
}

export function isWithin(within: Scope | RecordsetsOfZone, recordset: PlacedRecordset): boolean {
  const limits = limitsOf(within);
  return limits === undefined || allowsReading(limits, recordset);
}

/** Undefined if nothing narrows the list. */
export function narrowingIn(within: Scope | RecordsetsOfZone): Narrowing<ListedRecordset> | undefined {
  const limits = limitsOf(within);
  return limits && ((recordsets) => recordsets.filter((one) => allowsReading(limits, one)));
}
