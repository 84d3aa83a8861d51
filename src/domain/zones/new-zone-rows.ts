import type { AppliedCreation } from '../../model/changes/zone-change.ts';
import type { Clock } from '../../model/clock.ts';
import type { Recordset } from '../../model/recordsets/recordset.ts';
import type { Transaction } from '../../model/store.ts';
import { type ApexSettings, apexRecordsets, restoredRecordset } from './apex.ts';

interface NewZoneSettings {
  readonly apex: ApexSettings;
  readonly clock: Clock;
}

/** The recordsets that the service manages; those of a restored zone have their ids again. */
export function apexOf(
  { after, restored }: AppliedCreation,
  { apex, clock }: NewZoneSettings,
): readonly [soa: Recordset, ns: Recordset] {
  const [soa, ns] = apexRecordsets(after, apex, clock);
  const former = restored?.apex;
  if (former === undefined) return [soa, ns];
  const now = after.updatedAt ?? after.createdAt;
  return [restoredRecordset(former.soa, soa, now), restoredRecordset(former.ns, ns, now)];
}

/** Writes new zones with their apexes and publication orders, with one statement for each kind of row. */
export function writeNewZones(
  tx: Transaction,
  planned: readonly AppliedCreation[],
  settings: NewZoneSettings,
): void {
  const zones = planned.map(({ after }) => after);
  tx.zones.insert(...zones);
  tx.recordsets.insertApex(
    ...planned.map((one) => ({ recordsets: apexOf(one, settings), serial: one.after.serial })),
  );
  const published = zones.filter(({ type, pool }) => type !== 'SECONDARY' && pool.publishes);
  if (published.length > 0) tx.publications.enroll(...published);
  for (const zone of zones) if (zone.type === 'SECONDARY') tx.secondaries.insert(zone);
}
